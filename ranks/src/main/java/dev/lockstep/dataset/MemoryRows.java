// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.model.Marks;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.table.LongOrder;
import java.io.IOException;
import java.util.Arrays;

/** What the allocators of a rank allocated and took back, in order of time. */
final class MemoryRows {
    private MemoryRows() {}

    static void write(SlicePlaces places, long shift, BatchSink sink) throws IOException {
        MemoryDetails memory = places.trace.view(MemoryDetails.KEY);
        if (memory == null) {
            return;
        }
        Marks marks = places.trace.marks();
        int[] order = new int[memory.size()];
        long[] times = new long[order.length];
        Arrays.setAll(order, i -> i);
        for (int i = 0; i < order.length; i++) {
            times[i] = marks.ts(memory.mark(i));
        }
        long[] keys = times.clone();
        LongOrder.sort(keys, order);
        SlicesAround around = new SlicesAround(places);
        BatchRows rows = new BatchRows(sink, DatasetTables.MEMORY, places.trace.strings());
        for (int i : order) {
            RowBatch row = rows.next();
            row.set(0, places.rank());
            row.setId(1, places.number(places.steps.at(times[i])));
            row.set(2, times[i] + shift);
            row.setId(3, memory.device(i));
            row.setId(4, memory.stream(i));
            row.set(5, memory.bytes(i));
            row.setId(6, memory.address(i));
            row.setId(7, memory.allocated(i));
            row.setId(8, memory.reserved(i));
            row.setId(9, around.at(marks.track(memory.mark(i)), times[i]));
        }
        rows.finish();
    }
}
