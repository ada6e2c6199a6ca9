// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long the queues of a rank's streams were: one more when a call launches, one less when what it launched begins. A row for
 * each moment at which a queue changes.
 */
final class CounterRows {
    private final SlicePlaces places;
    private final @Nullable DeviceDetails details;
    private final LongIntMap queues = new LongIntMap(16);
    private final LongList keys = new LongList(16);
    private final LongList times = new LongList(1024);
    private final LongList changed = new LongList(1024);

    private CounterRows(SlicePlaces places) {
        this.places = places;
        details = places.trace.view(DeviceDetails.KEY);
    }

    static void write(SlicePlaces places, long shift, BatchSink sink) throws IOException {
        CounterRows counters = new CounterRows(places);
        counters.collect(true);
        int starts = counters.times.size();
        counters.collect(false);
        counters.write(starts, shift, sink);
    }

    /** Launches stand before starts, so that a queue is never shorter than nothing. */
    private void collect(boolean launches) {
        for (int i = 0; details != null && i < places.activity.size(); i++) {
            int slice = places.activity.slice(i);
            int launch = places.launch(slice);
            int detail = details.of(slice);
            if (launch >= 0 && detail >= 0 && places.slices.ts(launch) <= places.slices.ts(slice)) {
                long key = details.device(detail) << 32 | details.stream(detail) & 0xffff_ffffL;
                int queue = queues.numberOf(key);
                if (queue == keys.size()) {
                    keys.add(key);
                }
                times.add(places.slices.ts(launches ? launch : slice));
                changed.add(queue);
            }
        }
    }

    private void write(int starts, long shift, BatchSink sink) throws IOException {
        long[] moments = times.toArray();
        int[] order = new int[moments.length];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(moments, order);
        long[] lengths = new long[keys.size()];
        BatchRows rows = new BatchRows(sink, DatasetTables.COUNTERS, places.trace.strings());
        for (int i = 0; i < moments.length; i++) {
            int queue = (int) changed.get(order[i]);
            lengths[queue] += order[i] < starts ? 1 : -1;
            if (i + 1 < moments.length && moments[i + 1] == moments[i] && changed.get(order[i + 1]) == queue) {
                continue;
            }
            RowBatch row = rows.next();
            row.set(0, places.rank());
            row.set(1, moments[i] + shift);
            row.set(2, "queue_length");
            int stream = (int) keys.get(queue);
            row.setId(3, keys.get(queue) >> 32);
            row.setId(4, stream);
            row.set(6, (double) lengths[queue]);
        }
        rows.finish();
    }
}
