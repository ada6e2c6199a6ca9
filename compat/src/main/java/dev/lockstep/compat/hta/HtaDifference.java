// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The first step of two traces, by device and name: how often and how long. */
final class HtaDifference {
    private static final Schema SCHEMA = Schema.of(
            ColumnSpec.text("device", "CPU or GPU."),
            ColumnSpec.text("name", "Name of the events."),
            ColumnSpec.count("control_counts", "How often in the first step of the baseline."),
            ColumnSpec.count("test_counts", "How often in the first step of the candidate."),
            ColumnSpec.micros("control_total_duration", "Sum of these durations in the baseline."),
            ColumnSpec.micros("test_total_duration", "Sum of these durations in the candidate."),
            ColumnSpec.count("diff_counts", "Candidate less baseline."),
            ColumnSpec.micros("diff_duration", "Candidate less baseline."),
            ColumnSpec.text("counts_change_categories", "+ more in the candidate, - fewer, = as many."));

    private HtaDifference() {}

    private record Key(boolean device, String name) {}

    @SuppressWarnings("ArrayRecordComponent") // no one compares rows
    private record Row(Key key, long[] sums) {
        private long difference() {
            return sums[3] - sums[2];
        }
    }

    static Table of(HtaEvents control, HtaEvents test) {
        Map<Key, long[]> sums = new TreeMap<>(Comparator.comparing(Key::device).thenComparing(Key::name));
        collect(control, 0, sums);
        collect(test, 1, sums);
        List<Row> rows = new ArrayList<>();
        sums.forEach((key, of) -> rows.add(new Row(key, of)));
        rows.sort(Comparator.comparing((Row r) -> !r.key.device).thenComparingLong(r -> -Math.abs(r.difference())));
        TableBuilder table = new TableBuilder("hta_trace_diff", "Difference of the first steps", SCHEMA);
        for (Row row : rows) {
            long more = row.sums[1] - row.sums[0];
            table.row(
                    row.key.device ? "GPU" : "CPU",
                    row.key.name,
                    row.sums[0],
                    row.sums[1],
                    row.sums[2],
                    row.sums[3],
                    more,
                    row.difference(),
                    more > 0 ? "+" : more < 0 ? "-" : "=");
        }
        return table.build();
    }

    /** @param side place of the trace's count; its sum of durations stands two behind */
    private static void collect(HtaEvents events, int side, Map<Key, long[]> sums) {
        Trace trace = events.trace();
        long[] stepOfDevice = new long[trace.slices().size()];
        for (int e = 0; e < events.devices(); e++) {
            int launch = events.launch(e);
            stepOfDevice[events.slice(e)] =
                    launch < 0 ? HtaSteps.NO_STEP : events.steps().of(launch);
        }
        long first = Long.MAX_VALUE;
        for (int i = 0; i < stepOfDevice.length; i++) {
            if (!events.isDevice(i)) {
                stepOfDevice[i] = events.steps().of(i);
            }
            boolean marked = events.takesPart(i) && stepOfDevice[i] != HtaSteps.NO_STEP;
            first = marked ? Math.min(first, stepOfDevice[i]) : first;
        }
        long step = first == Long.MAX_VALUE ? HtaSteps.NO_STEP : first;
        LongIntMap groups = new LongIntMap(256);
        LongList names = new LongList(64);
        LongList counts = new LongList(64);
        LongList durations = new LongList(64);
        for (int i = 0; i < stepOfDevice.length; i++) {
            if (!events.takesPart(i) || stepOfDevice[i] != step) {
                continue;
            }
            long key = 2L * trace.slices().name(i) + (events.isDevice(i) ? 1 : 0);
            int group = groups.numberOf(key);
            if (group == names.size()) {
                names.add(key);
                counts.add(0);
                durations.add(0);
            }
            counts.set(group, counts.get(group) + 1);
            durations.set(group, durations.get(group) + events.duration(i));
        }
        for (int g = 0; g < names.size(); g++) {
            Key key = new Key((names.get(g) & 1) != 0, trace.strings().get((int) (names.get(g) >> 1)));
            long[] of = sums.computeIfAbsent(key, k -> new long[4]);
            of[side] = counts.get(g);
            of[side + 2] = durations.get(g);
        }
    }
}
