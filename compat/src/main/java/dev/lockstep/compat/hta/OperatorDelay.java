// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How long operators take until they launch, and launches until their kernels begin. */
record OperatorDelay() implements HtaSheet {
    private static final String PREFIX = "aten::";
    private static final double NS_PER_MS = 1e6;

    private static final Schema SCHEMA = Schema.of(
            RANK,
            ColumnSpec.text("aten_op_name", "The innermost operator of ATen around the launches."),
            ColumnSpec.text("kernel_sequence", "Kernels of all its launches, joined by ->."),
            ColumnSpec.count("occurrence_count", "Operators of this name with this sequence."),
            ColumnSpec.micros("avg_aten_op_launch_delay", "Mean time from the operator's start to its first launch."),
            ColumnSpec.micros(
                    "avg_runtime_delay", "Mean time from the start of that launch to that of its first kernel."));

    private record Group(String operator, String kernels, long count, long launchDelay, long runtimeDelay) {}

    @Override
    public Table table(HtaEvents events) {
        List<Group> groups = new Launches(events).groups();
        groups.sort(Comparator.comparingLong(Group::count)
                .reversed()
                .thenComparing(Group::operator)
                .thenComparing(Group::kernels));
        TableBuilder table = new TableBuilder("hta_op_delay", "Delays of operators", SCHEMA);
        for (Group g : groups) {
            table.row(
                    events.rank(),
                    g.operator,
                    g.kernels,
                    g.count,
                    Math.round((double) g.launchDelay / g.count),
                    Math.round((double) g.runtimeDelay / g.count));
        }
        return table.build();
    }

    /** The launches of kernels, and the operators around them. */
    private static final class Launches {
        private final HtaEvents events;
        private final Trace trace;
        /** By slice: the first kernel of the launch, or -1; by device event: the next of the same launch. */
        private final int[] firstKernel;

        private final int[] nextKernel;
        /** By name: 1 for those of operators, 2 for others, 0 where it is not known yet. */
        private final byte[] operatorNames;

        /** Operators that launch, and by operator the launches in order. */
        private final IntList operators = new IntList(64);

        private final List<IntList> launches = new ArrayList<>();

        private Launches(HtaEvents events) {
            this.events = events;
            this.trace = events.trace();
            Slices slices = trace.slices();
            firstKernel = new int[slices.size()];
            operatorNames = new byte[trace.strings().size()];
            nextKernel = new int[events.devices()];
            Arrays.fill(firstKernel, -1);
            for (int e = events.devices() - 1; e >= 0; e--) {
                int launch = events.launch(e);
                if (launch >= 0 && slices.kind(events.slice(e)) == SliceKind.KERNEL) {
                    nextKernel[e] = firstKernel[launch];
                    firstKernel[launch] = e;
                }
            }
            assign();
        }

        private boolean isOperator(int slice) {
            int name = trace.slices().name(slice);
            if (operatorNames[name] == 0) {
                operatorNames[name] = (byte) (trace.name(slice).startsWith(PREFIX) ? 1 : 2);
            }
            return operatorNames[name] == 1;
        }

        private void assign() {
            Slices slices = trace.slices();
            int[] numberOf = new int[slices.size()];
            @Nullable IntList[] open = new IntList[trace.tracks().size()];
            int[] order = HtaNesting.order(events, i -> firstKernel[i] >= 0 || isOperator(i));
            int from = 0;
            while (from < order.length) {
                int to = from;
                while (to < order.length && events.start(order[to]) == events.start(order[from])) {
                    int slice = order[to++];
                    if (isOperator(slice)) {
                        stack(open, slices.track(slice)).add(slice);
                    }
                }
                for (int i = from; i < to; i++) {
                    if (firstKernel[order[i]] >= 0) {
                        launch(order[i], stack(open, slices.track(order[i])), numberOf);
                    }
                }
                from = to;
            }
        }

        private static IntList stack(@Nullable IntList[] open, int track) {
            IntList stack = open[track];
            if (stack == null) {
                stack = new IntList(16);
                open[track] = stack;
            }
            return stack;
        }

        private void launch(int launch, IntList stack, int[] numberOf) {
            long start = events.start(launch);
            while (stack.size() > 0 && events.end(stack.get(stack.size() - 1)) < start) {
                stack.removeLast();
            }
            for (int i = stack.size() - 1; i >= 0; i--) {
                int operator = stack.get(i);
                if (events.end(operator) >= events.end(launch)) {
                    if (numberOf[operator] == 0) {
                        operators.add(operator);
                        launches.add(new IntList(1));
                        numberOf[operator] = operators.size();
                    }
                    insert(launches.get(numberOf[operator] - 1), launch);
                    return;
                }
            }
        }

        /** Launches that begin together stand {@linkplain HtaEvents#isLater as they end}. */
        private void insert(IntList launches, int launch) {
            launches.add(launch);
            for (int i = launches.size() - 1; i > 0; i--) {
                int before = launches.get(i - 1);
                boolean together = events.start(before) == events.start(launch);
                if (!together || !events.isLater(before, launch)) {
                    return;
                }
                launches.set(i, before);
                launches.set(i - 1, launch);
            }
        }

        private List<Group> groups() {
            LongIntMap numbers = new LongIntMap(256);
            IntTuples sequences = new IntTuples();
            IntList examples = new IntList(64);
            LongList[] sums = {new LongList(64), new LongList(64), new LongList(64)};
            for (int o = 0; o < operators.size(); o++) {
                int operator = operators.get(o);
                int first = launches.get(o).get(0);
                int tuple = sequences.then(IntTuples.ROOT, trace.slices().name(operator));
                for (int i = 0; i < launches.get(o).size(); i++) {
                    for (int e = firstKernel[launches.get(o).get(i)]; e >= 0; e = nextKernel[e]) {
                        tuple = sequences.then(tuple, trace.slices().name(events.slice(e)));
                    }
                }
                int group = numbers.numberOf(tuple);
                if (group == examples.size()) {
                    examples.add(o);
                    for (LongList sum : sums) {
                        sum.add(0);
                    }
                }
                long begun = events.start(events.slice(firstKernel[first]));
                sums[0].set(group, sums[0].get(group) + 1);
                sums[1].set(group, sums[1].get(group) + events.start(first) - events.start(operator));
                sums[2].set(group, sums[2].get(group) + begun - events.start(first));
            }
            List<Group> groups = new ArrayList<>();
            for (int g = 0; g < examples.size(); g++) {
                int o = examples.get(g);
                groups.add(new Group(
                        trace.name(operators.get(o)), kernels(o), sums[0].get(g), sums[1].get(g), sums[2].get(g)));
            }
            return groups;
        }

        private String kernels(int operator) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < launches.get(operator).size(); i++) {
                for (int e = firstKernel[launches.get(operator).get(i)]; e >= 0; e = nextKernel[e]) {
                    text.append(text.isEmpty() ? "" : " -> ").append(trace.name(events.slice(e)));
                }
            }
            return text.toString();
        }
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return HtaSheet.noDevice(events, "no operator of ATen stands around a launch of a kernel");
    }

    @Override
    public @Nullable String said(HtaEvents events, Table table) {
        int most = -1;
        for (int row = 0; row < table.rows(); row++) {
            if (most < 0 || delay(table, row) > delay(table, most)) {
                most = row;
            }
        }
        if (most < 0 || delay(table, most) <= 0) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "%s waits longest for its kernels: %.3f ms in the mean over %,d %s with the same kernels, from start"
                        + " to that of the first kernel. That contains what was launched before and still ran, and many"
                        + " may have waited at once.",
                table.strings(1).get(most),
                delay(table, most) / NS_PER_MS / table.longs(3).get(most),
                table.longs(3).get(most),
                table.longs(3).get(most) == 1 ? "operator" : "operators");
    }

    private static long delay(Table table, int row) {
        return table.longs(3).get(row)
                * (table.longs(4).get(row) + table.longs(5).get(row));
    }
}
