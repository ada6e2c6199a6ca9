// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.Observations;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of one rank, in every table that a single trace can fill. */
public final class TraceRows {
    private final DerivedCache cache;
    private final long shift;

    private TraceRows(DerivedCache cache, long origin) {
        this.cache = cache;
        this.shift = cache.trace().info().originNs() - origin;
    }

    /**
     * Hands on the rows of a rank.
     *
     * @param cache the trace, with its final rank
     * @param content how much of it is wanted
     * @param origin time 0 of the run in ns, on the scale of {@link dev.lockstep.model.TraceInfo#originNs}
     * @throws IOException when the sink cannot store them
     */
    public static void write(DerivedCache cache, DatasetContent content, long origin, BatchSink sink)
            throws IOException {
        TraceRows rank = new TraceRows(cache, origin);
        SlicePlaces places = new SlicePlaces(cache);
        StepRows.write(places, rank.shift, sink);
        WorkRows.write(places, sink);
        if (sink.wants(DatasetTables.DIAGNOSTICS)) {
            rank.diagnostics(sink);
        }
        if (content.level() == Level.FULL) {
            SliceRows.write(places, content.arguments(), rank.shift, sink);
            MemoryRows.write(places, rank.shift, sink);
            CounterRows.write(places, rank.shift, sink);
        }
    }

    private void diagnostics(BatchSink sink) throws IOException {
        Trace trace = cache.trace();
        List<Entry> entries = new ArrayList<>(trace.diagnostics().problems());
        entries.addAll(Observations.of(cache));
        BatchRows rows = new BatchRows(sink, DatasetTables.DIAGNOSTICS, trace.strings());
        for (Entry entry : entries) {
            RowBatch row = rows.next();
            row.set(0, trace.info().rank().index());
            row.set(1, entry.weight().name().toLowerCase(Locale.ROOT));
            row.set(2, entry.code());
            row.set(3, entry.count());
            row.set(4, entry.message());
            row.setId(5, entry.position());
        }
        rows.finish();
    }
}
