// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rank's recording: tables and nothing else. Immutable. Times are integer nanoseconds since the trace's own origin.
 * What many analyses need beyond the tables is derived from them (package {@code derive}).
 */
public final class Trace {
    private final TraceInfo info;
    private final TraceTables tables;
    private final Map<TableKey<?>, Object> details;
    private final EventCounts counts;
    private final Diagnostics diagnostics;
    private final @Nullable Recorded recorded;
    private final @Nullable RangeNames rangeNames;

    Trace(
            TraceInfo info,
            TraceTables tables,
            EventCounts counts,
            Diagnostics diagnostics,
            @Nullable Recorded recorded) {
        this.info = info;
        this.tables = tables;
        Map<TableKey<?>, Object> views = new HashMap<>();
        tables.details().forEach((key, table) -> views.put(key, key.view().apply(table)));
        tables.markDetails().forEach((key, table) -> views.put(key, key.view().apply(table)));
        this.details = Map.copyOf(views);
        this.counts = counts;
        this.diagnostics = diagnostics;
        this.recorded = recorded;
        this.rangeNames = view(RangeNames.KEY);
    }

    /** {@return what the trace says about itself} */
    public TraceInfo info() {
        return info;
    }

    /**
     * {@return whether the file holds nothing that lasts: no complete events, no begin with its end, and no allocation of
     * memory}
     */
    public boolean isEmpty() {
        return tables.slices().size() == 0
                && counts.complete() == 0
                && !tables.markDetails().containsKey(MemoryDetails.KEY);
    }

    /** {@return the texts that ids in the tables stand for} */
    public StringPool strings() {
        return tables.strings();
    }

    /** {@return everything that has a begin and a duration} */
    public Slices slices() {
        return tables.slices();
    }

    /** {@return where slices lie, by the numbers that slices, flows and marks have} */
    public List<Track> tracks() {
        return tables.tracks();
    }

    /** {@return the ends of arrows between slices} */
    public Flows flows() {
        return tables.flows();
    }

    /** {@return moments without extent: instants and values of counters} */
    public Marks marks() {
        return tables.marks();
    }

    /**
     * {@return a side table, or null when the file holds nothing of the kind}
     *
     * @param <T> the typed view of the table
     * @param key key of the table, as {@link OpDetails#KEY}
     */
    public <T> @Nullable T view(TableKey<T> key) {
        Object view = details.get(key);
        return view == null ? null : key.type().cast(view);
    }

    /** The side tables without their names for columns. */
    Map<TableKey<?>, DetailTable> tables() {
        return tables.details();
    }

    /** The side tables of marks, without their names for columns. */
    Map<TableKey<?>, DetailTable> markTables() {
        return tables.markDetails();
    }

    /** {@return what the file holds, before anything implausible was left out} */
    public EventCounts counts() {
        return counts;
    }

    /** {@return what was odd about the input} */
    public Diagnostics diagnostics() {
        return diagnostics;
    }

    /** {@return what the file says beyond the tables; null unless the trace was read to keep everything} */
    public @Nullable Recorded recorded() {
        return recorded;
    }

    /** {@return this trace, with a {@link #recorded()} that says what the tables know if there is none} */
    public Trace withRecorded() {
        return recorded != null ? this : new Trace(info, tables, counts, diagnostics, Recorded.ofTables(this));
    }

    /**
     * {@return the name of a slice}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public String name(int slice) {
        return tables.strings().get(tables.slices().name(slice));
    }

    /**
     * {@return pool id of the name of a slice as the file has it, with numbers of the call that its name here lacks}
     *
     * @param slice row of the slice in {@link Slices}
     */
    public int recordedName(int slice) {
        int recorded = rangeNames == null ? -1 : rangeNames.of(slice);
        return recorded < 0 ? tables.slices().name(slice) : recorded;
    }

    /**
     * {@return the same recording under another rank}
     *
     * @param rank the other rank
     */
    public Trace withRank(Rank rank) {
        return withInfo(info.withRank(rank));
    }

    /**
     * {@return the same recording, whose slices last so long and keep their rows}
     *
     * @param durations in ns, by row of {@link #slices}; passes to the trace
     */
    public Trace withDurations(long[] durations) {
        TraceTables lasting = new TraceTables(
                tables.strings(),
                tables.tracks(),
                new Slices(tables.slices(), durations),
                tables.flows(),
                tables.marks(),
                tables.details(),
                tables.markDetails());
        return new Trace(info, lasting, counts, diagnostics, recorded);
    }

    /**
     * {@return the same recording that says something else about itself}
     *
     * @param other what it says instead
     */
    public Trace withInfo(TraceInfo other) {
        return new Trace(other, tables, counts, diagnostics, recorded);
    }
}
