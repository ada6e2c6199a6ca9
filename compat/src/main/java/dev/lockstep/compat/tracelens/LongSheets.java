// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.options.Statistic;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The sheets with a row for each kernel, and for each kind of call of each rank. */
final class LongSheets {
    private static final List<Statistic> STATISTICS =
            List.of(Statistic.MEAN, Statistic.STD, Statistic.MIN, Statistic.MAX);

    private final CollectiveFrame frame;
    private final CollectiveColumns columns;
    private final Nodes nodes;

    LongSheets(CollectiveFrame frame, CollectiveColumns columns, Nodes nodes) {
        this.frame = frame;
        this.columns = columns;
        this.nodes = nodes;
    }

    /** What all rows of {@code nccl_summary_long} have in common. */
    private record Key(int rank, CollectiveCall call, String collective, long stream) {}

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Summary(Key key, String group, double[] durations) {
        double sum() {
            return Statistic.SUM.of(durations);
        }
    }

    /** {@code nccl_long}. */
    Table kernels() {
        Fields<Integer> fields = new Fields<Integer>()
                .add(CollectiveColumns.collectiveId(), i -> frame.id(frame.instance(i)))
                .add(ColumnSpec.id("index_in_group", "Place in the process group, from 0."), i -> frame.number(i))
                .add(ColumnSpec.id("rank", "Rank of the process."), i -> frame.rank(i))
                .add(CollectiveColumns.group(), i -> frame.group(i))
                .add(CollectiveColumns.groupRanks(), i -> frame.call(i).groupRanks())
                .add(CollectiveColumns.collective(), i -> frame.collective(i))
                .add(columns.groupSize(), i -> number(frame.call(i).groupSize()))
                .add(CollectiveColumns.dtype(), i -> frame.call(i).dtype())
                .add(columns.inElements(), i -> number(frame.call(i).inElements()))
                .add(
                        CollectiveColumns.size("In msg size (MB)", "MiB put in; missing for unknown types."),
                        i -> inSize(frame.call(i)))
                .add(columns.outElements(), i -> number(frame.call(i).outElements()))
                .add(
                        CollectiveColumns.size("Out msg size (MB)", "MiB got out; missing for unknown types."),
                        i -> outSize(frame.call(i)))
                .add(CollectiveColumns.inSplit(), i -> frame.call(i).inSplit())
                .add(CollectiveColumns.outSplit(), i -> frame.call(i).outSplit())
                .add(columns.stream(), i -> frame.stream(i))
                .add(columns.time("ts", "Start."), i -> columns.time(frame.ts(i)))
                .add(columns.time("dur", "Duration."), i -> columns.time(frame.dur(i)))
                .addIf(nodes.known(), Nodes.NODE, i -> nodes.node(frame.rank(i)))
                .addIf(nodes.known(), Nodes.SPAN, i -> nodes.span(frame.call(i).groupRanks()));
        return fields.table(
                "nccl_long",
                "Communication kernels",
                IntStream.range(0, frame.size()).boxed().toList());
    }

    /** {@code nccl_summary_long}; calls that lack any of what they are grouped by are left out. */
    Table summary(String name) {
        List<Summary> rows = summaries();
        boolean span = nodes.known() && !rows.isEmpty();
        Fields<Summary> fields = new Fields<Summary>()
                .add(ColumnSpec.id("rank", "Rank of the process."), r -> r.key.rank)
                .add(CollectiveColumns.group(), Summary::group)
                .add(CollectiveColumns.groupRanks(), r -> r.key.call.groupRanks())
                .add(CollectiveColumns.collective(), r -> r.key.collective)
                .add(columns.groupSize(), r -> number(r.key.call.groupSize()))
                .add(CollectiveColumns.dtype(), r -> r.key.call.dtype())
                .add(columns.inElements(), r -> number(r.key.call.inElements()))
                .add(columns.outElements(), r -> number(r.key.call.outElements()))
                .add(CollectiveColumns.inSplit(), r -> r.key.call.inSplit())
                .add(CollectiveColumns.outSplit(), r -> r.key.call.outSplit())
                .add(columns.stream(), r -> number(r.key.stream))
                .add(
                        CollectiveColumns.size("In msg size (MB)_first", "MiB put in; missing for unknown types."),
                        r -> inSize(r.key.call))
                .add(
                        CollectiveColumns.size("Out msg size (MB)_first", "MiB got out; missing for unknown types."),
                        r -> outSize(r.key.call))
                .add(CollectiveColumns.mean("dur_sum", "Time of these kernels."), r -> number(r.sum()));
        for (Statistic statistic : STATISTICS) {
            fields.add(
                    CollectiveColumns.mean("dur_" + statistic.word(), "Duration: " + statistic.word() + "."),
                    r -> number(statistic.of(r.durations)));
        }
        fields.add(ColumnSpec.count("operation_count", "Number of kernels."), r -> r.durations.length)
                .addIf(span, Nodes.NODE, r -> nodes.node(r.key.rank))
                .addIf(span, Nodes.SPAN, r -> nodes.span(r.key.call.groupRanks()));
        return fields.table(name, "Communication kernels by what they do", rows);
    }

    private List<Summary> summaries() {
        Map<Key, List<Double>> durations = new HashMap<>();
        Map<Key, Integer> first = new HashMap<>();
        for (int i = 0; i < frame.size(); i++) {
            Key key = key(i);
            if (key != null) {
                durations.computeIfAbsent(key, k -> new ArrayList<>()).add(frame.dur(i));
                first.putIfAbsent(key, i);
            }
        }
        List<Summary> rows = new ArrayList<>();
        durations.forEach((key, values) -> rows.add(new Summary(
                key,
                frame.group(first.getOrDefault(key, 0)),
                values.stream().mapToDouble(v -> v).toArray())));
        rows.sort(Comparator.comparingDouble(Summary::sum)
                .reversed()
                .thenComparingInt(r -> r.key.rank)
                .thenComparing(Summary::group)
                .thenComparingInt(r -> first.getOrDefault(r.key, 0)));
        return rows;
    }

    private @Nullable Key key(int i) {
        CollectiveCall call = frame.call(i);
        Long stream = frame.stream(i);
        String collective = frame.collective(i);
        boolean whole = call.groupRanks() != null
                && collective != null
                && call.groupSize() >= 0
                && call.dtype() != null
                && call.inElements() >= 0
                && call.outElements() >= 0
                && call.inSplit() != null
                && call.outSplit() != null
                && stream != null;
        if (!whole) {
            return null;
        }
        CollectiveCall plain = new CollectiveCall(
                "",
                call.kind(),
                collective,
                call.group(),
                call.groupRanks(),
                call.groupSize(),
                call.dtype(),
                call.inElements(),
                call.outElements(),
                call.inSplit(),
                call.outSplit(),
                -1,
                -1,
                null);
        return new Key(frame.rank(i), plain, Objects.requireNonNull(collective), Objects.requireNonNull(stream));
    }

    static double inSize(CollectiveCall call) {
        return TraceLensType.mebibytes(call.dtype(), call.inElements());
    }

    static double outSize(CollectiveCall call) {
        return call.inElements() < 0 ? Double.NaN : TraceLensType.mebibytes(call.dtype(), call.outElements());
    }

    static @Nullable Long number(long value) {
        return CollectiveFrame.number(value);
    }

    static @Nullable Double number(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(value);
    }
}
