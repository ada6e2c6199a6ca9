// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The operators and kernels of a rank, those of one name and shape in one step together. */
final class WorkRows {
    private final SlicePlaces places;
    private final Slices slices;
    private final StringPool texts;

    private WorkRows(SlicePlaces places) {
        this.places = places;
        slices = places.slices;
        texts = places.trace.strings();
    }

    static void write(SlicePlaces places, BatchSink sink) throws IOException {
        WorkRows work = new WorkRows(places);
        if (sink.wants(DatasetTables.OPS)) {
            work.operators(sink);
        }
        if (sink.wants(DatasetTables.KERNELS)) {
            work.kernels(sink);
        }
    }

    /** What is added up of the operators of one signature. */
    private static final class Calls {
        private long count;
        private long sum;
        private long self;
        private double squares;
        private long least = Long.MAX_VALUE;
        private long most;
        private long launches;
        private long device;

        private void add(long dur, long own) {
            count++;
            sum += dur;
            self += own;
            squares += (double) dur * dur;
            least = Math.min(least, dur);
            most = Math.max(most, dur);
        }
    }

    private void operators(BatchSink sink) throws IOException {
        long[] self = self();
        int[] groupOf = new int[slices.size()];
        Arrays.fill(groupOf, -1);
        Signatures signatures = new Signatures();
        List<Calls> calls = new ArrayList<>();
        for (int i = 0; i < groupOf.length; i++) {
            if (slices.kind(i) == SliceKind.CPU_OP) {
                int group = signatures.of(slices.name(i), places.dims(i), places.stepIndex(i), -1);
                if (group == calls.size()) {
                    calls.add(new Calls());
                }
                calls.get(group).add(slices.dur(i), self[i]);
                groupOf[i] = group;
            }
        }
        for (int i = 0; i < places.activity.size(); i++) {
            int operator = places.operator(places.activity.slice(i));
            if (operator >= 0) {
                Calls group = calls.get(groupOf[operator]);
                group.launches++;
                group.device += slices.dur(places.activity.slice(i));
            }
        }
        BatchRows rows = new BatchRows(sink, DatasetTables.OPS, texts, "name", "dims");
        for (int group : ordered(signatures, Comparator.comparingInt(g -> 0))) {
            Calls sums = calls.get(group);
            RowBatch row = rows.next();
            row.set(0, places.rank());
            row.setId(1, places.number(signatures.step(group)));
            row.setText(2, signatures.name(group));
            row.setText(3, signatures.dims(group));
            row.set(4, sums.count);
            row.set(5, sums.sum);
            row.set(6, sums.self);
            row.set(7, sums.squares);
            row.set(8, sums.least);
            row.set(9, sums.most);
            row.set(10, sums.launches);
            row.set(11, sums.device);
        }
        rows.finish();
    }

    /** Durations without what lies directly inside. */
    private long[] self() {
        long[] self = new long[slices.size()];
        for (int i = 0; i < self.length; i++) {
            self[i] += slices.dur(i);
            int around = places.nesting.around(i);
            if (around >= 0) {
                self[around] -= Math.min(slices.end(i), slices.end(around)) - slices.ts(i);
            }
        }
        return self;
    }

    private void kernels(BatchSink sink) throws IOException {
        DeviceDetails details = places.trace.view(DeviceDetails.KEY);
        Signatures signatures = new Signatures();
        List<LongList> durations = new ArrayList<>();
        List<String> classes = new ArrayList<>();
        for (int i = 0; i < places.activity.size(); i++) {
            int slice = places.activity.slice(i);
            int detail = details == null ? -1 : details.of(slice);
            int device = details == null || detail < 0 ? -1 : (int) details.device(detail);
            int group = signatures.of(
                    slices.name(slice), places.dims(places.operator(slice)), places.stepIndex(slice), device);
            if (group == durations.size()) {
                durations.add(new LongList(4));
                classes.add(places.activity.classOf(slice).name().toLowerCase(Locale.ROOT));
            }
            durations.get(group).add(slices.dur(slice));
        }
        BatchRows rows = new BatchRows(sink, DatasetTables.KERNELS, texts, "name", "dims");
        for (int group : ordered(
                signatures,
                Comparator.comparingInt((Integer g) -> signatures.device(g)).thenComparing(classes::get))) {
            RowBatch row = rows.next();
            row.set(0, places.rank());
            row.setId(1, places.number(signatures.step(group)));
            row.setId(2, signatures.device(group));
            row.set(3, classes.get(group));
            row.setText(4, signatures.name(group));
            row.setText(5, signatures.dims(group));
            fill(row, durations.get(group).toArray());
        }
        rows.finish();
    }

    private static void fill(RowBatch row, long[] durations) {
        Arrays.sort(durations);
        long sum = 0;
        double squares = 0;
        for (long duration : durations) {
            sum += duration;
            squares += (double) duration * duration;
        }
        row.set(6, durations.length);
        row.set(7, sum);
        row.set(8, squares);
        row.set(9, durations[0]);
        row.set(10, Quantiles.nearestRank(durations, 50));
        row.set(11, Quantiles.nearestRank(durations, 90));
        row.set(12, Quantiles.nearestRank(durations, 99));
        row.set(13, durations[durations.length - 1]);
    }

    /** Groups by step, then as asked, then by name and shapes. */
    private List<Integer> ordered(Signatures signatures, Comparator<Integer> then) {
        List<Integer> order = new ArrayList<>(signatures.size());
        for (int group = 0; group < signatures.size(); group++) {
            order.add(group);
        }
        order.sort(Comparator.comparingInt((Integer g) -> signatures.step(g))
                .thenComparing(then)
                .thenComparing(signatures::name, texts::compare)
                .thenComparing(signatures::dims, texts::compare));
        return order;
    }
}
