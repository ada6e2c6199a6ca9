// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.CounterSamples;
import dev.lockstep.analyze.hardware.CounterSeries;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a rank: those that were recorded, and how long the queues of its streams were: one more when a call launches,
 * one less when what it launched begins, with a row for each moment at which a queue changes.
 */
final class CounterRows {
    private static final String QUEUE = "queue_length";

    private final SlicePlaces places;
    private final @Nullable DeviceDetails details;
    private final LongIntMap queues = new LongIntMap(16);
    private final LongList keys = new LongList(16);
    private final LongList times = new LongList(1024);
    private final LongList changed = new LongList(1024);
    private final StringPool words = new StringPool();
    private final LongList at = new LongList(1024);
    private final IntList counters = new IntList(1024);
    private final DoubleList values = new DoubleList(1024);
    private final IntList devices = new IntList(1024);
    private final IntList streams = new IntList(1024);
    private final IntList kernels = new IntList(1024);
    private final IntList processes = new IntList(1024);
    private final IntList series = new IntList(1024);

    private CounterRows(SlicePlaces places) {
        this.places = places;
        details = places.trace.view(DeviceDetails.KEY);
    }

    static void write(SlicePlaces places, long shift, BatchSink sink) throws IOException {
        CounterRows counters = new CounterRows(places);
        counters.collect(true);
        int starts = counters.times.size();
        counters.collect(false);
        counters.queueLengths(starts);
        counters.recorded();
        counters.write(shift, sink);
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

    /** The lengths of queues, in order of time. */
    private void queueLengths(int starts) {
        long[] moments = times.toArray();
        int[] order = new int[moments.length];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(moments, order);
        long[] lengths = new long[keys.size()];
        for (int i = 0; i < moments.length; i++) {
            int queue = (int) changed.get(order[i]);
            lengths[queue] += order[i] < starts ? 1 : -1;
            if (i + 1 == moments.length || moments[i + 1] != moments[i] || changed.get(order[i + 1]) != queue) {
                add(moments[i], QUEUE, (double) lengths[queue]);
                devices.set(devices.size() - 1, (int) (keys.get(queue) >> 32));
                streams.set(streams.size() - 1, (int) keys.get(queue));
            }
        }
    }

    /** What was sampled, and what was counted in kernels. */
    private void recorded() {
        CounterSamples.each(places.trace, AnalysisRules.standard(), (mark, process, value, number) -> {
            String counter = places.trace.strings().get(places.trace.marks().name(mark));
            add(places.trace.marks().ts(mark), counter, number);
            int last = at.size() - 1;
            devices.set(last, CounterSeries.deviceOf(process));
            processes.set(last, words.intern(process));
            series.set(last, value.isEmpty() ? -1 : words.intern(value));
        });
        CounterSamples.ofKernels(places.trace, (range, counter, number) -> {
            add(places.slices.ts(range), counter, number);
            kernels.set(at.size() - 1, words.intern(places.trace.name(range)));
        });
    }

    private void add(long ts, String counter, double value) {
        at.add(ts);
        counters.add(words.intern(counter));
        values.add(value);
        devices.add(-1);
        streams.add(-1);
        kernels.add(-1);
        processes.add(-1);
        series.add(-1);
    }

    private void write(long shift, BatchSink sink) throws IOException {
        long[] moments = at.toArray();
        int[] order = new int[moments.length];
        Arrays.setAll(order, i -> i);
        LongOrder.sort(moments, order);
        BatchRows rows = new BatchRows(sink, DatasetTables.COUNTERS, words, "counter", "kernel", "process", "series");
        for (int from = 0; from < order.length; ) {
            int to = from + 1;
            while (to < order.length && moments[to] == moments[from]) {
                to++;
            }
            for (int row : byCounter(Arrays.copyOfRange(order, from, to))) {
                write(row, shift, rows.next());
            }
            from = to;
        }
        rows.finish();
    }

    /** Rows of one moment by the names of their counters, else as they came. */
    private int[] byCounter(int[] rows) {
        if (rows.length == 1) {
            return rows;
        }
        return Arrays.stream(rows)
                .boxed()
                .sorted(Comparator.comparing(counters::get, words::compare))
                .mapToInt(row -> row)
                .toArray();
    }

    private void write(int i, long shift, RowBatch row) {
        row.set(0, places.rank());
        row.set(1, at.get(i) + shift);
        row.setText(2, counters.get(i));
        row.setId(3, devices.get(i));
        row.setId(4, streams.get(i));
        row.setText(5, kernels.get(i));
        row.set(6, values.get(i));
        row.setText(7, processes.get(i));
        row.setText(8, series.get(i));
    }
}
