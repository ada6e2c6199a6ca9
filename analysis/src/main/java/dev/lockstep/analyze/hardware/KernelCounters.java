// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the profiler counted in single kernels, by kernel and operator. Such recordings hold no kernels and no numbers that join
 * them with launches: the first range belongs to the first launch, and so on, if there are as many.
 *
 * @param rules definitions
 */
public record KernelCounters(AnalysisRules rules) implements Analysis<KernelCounters.Result> {
    private static final Pattern LAUNCH =
            Pattern.compile("(cudaLaunch(Cooperative)?Kernel|cuLaunch(Cooperative)?Kernel|c(uda|u)GraphLaunch).*");

    private record Key(String counter, String kernel, String operator) implements Comparable<Key> {
        @Override
        public int compareTo(Key o) {
            return Comparator.comparing(Key::counter)
                    .thenComparing(Key::kernel)
                    .thenComparing(Key::operator)
                    .compare(this, o);
        }
    }

    /**
     * A counter of a kernel.
     *
     * @param operator the innermost one around the launches; empty where there is none, or where it is not known
     * @param values one for each kernel
     */
    public record Row(String counter, String kernel, String operator, RealDistribution values) {
        /** The sum over all kernels. */
        public double sum() {
            return values.mean() * values.count();
        }
    }

    /**
     * The rows.
     *
     * @param rows by counter, then by sum, the largest first
     * @param ranges kernels in which was counted
     * @param launches of kernels on the host
     */
    public record Result(List<Row> rows, int ranges, int launches) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Whether it is known which launch each kernel is of. */
        public boolean isMatched() {
            return ranges == launches;
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(rows));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "nothing was counted in single kernels" : null;
        }
    }

    @Override
    public String id() {
        return "kernel_counters";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        RangeCounters counters = trace.view(RangeCounters.KEY);
        if (counters == null) {
            return new Result(List.of(), 0, 0);
        }
        int[] launches = launches(trace);
        String[] operators = operators(cache, counters.size() == launches.length ? launches : new int[0]);
        Map<Key, DoubleList> values = new TreeMap<>();
        CounterSamples.ofKernels(trace, (range, counter, number) -> {
            int place = counters.of(range);
            String operator = place < operators.length ? operators[place] : "";
            values.computeIfAbsent(new Key(counter, trace.name(range), operator), key -> new DoubleList(16))
                    .add(number);
        });
        List<Row> rows = new ArrayList<>();
        values.forEach(
                (key, all) -> rows.add(new Row(key.counter, key.kernel, key.operator, RealDistribution.of(all))));
        rows.sort(Comparator.comparing(Row::counter).thenComparing(Row::sum, Comparator.reverseOrder()));
        return new Result(rows, counters.size(), launches.length);
    }

    private static int[] launches(Trace trace) {
        Slices slices = trace.slices();
        IntList found = new IntList(64);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall() && LAUNCH.matcher(trace.name(i)).matches()) {
                found.add(i);
            }
        }
        return found.toArray();
    }

    private String[] operators(DerivedCache cache, int[] launches) {
        Slices slices = cache.trace().slices();
        CallTree tree = cache.get(rules.tree());
        String[] operators = new String[launches.length];
        for (int i = 0; i < launches.length; i++) {
            int around = tree.parent(launches[i]);
            while (around >= 0 && slices.kind(around) != SliceKind.CPU_OP) {
                around = tree.parent(around);
            }
            operators[i] = around < 0 ? "" : cache.trace().name(around);
        }
        return operators;
    }

    private static ColumnSpec number(String header, String doc) {
        return real(header, Unit.NONE, Unit.NONE, doc);
    }

    private static Table sheet(List<Row> rows) {
        return new Fields<Row>()
                .add(text("counter", "Name of the counter, as the trace has it."), Row::counter)
                .add(text("kernel", "Name of the kernel; __missing__ where the profiler lost it."), Row::kernel)
                .add(
                        text(
                                "operator",
                                "Innermost operator around the launches; empty where there is none, or where there are"
                                        + " not as many launches as kernels."),
                        Row::operator)
                .add(count("kernels", "Kernels in which it was counted."), r -> r.values.count())
                .add(
                        number("sum", "Over all of them, in the counter's unit; without meaning for shares and rates."),
                        Row::sum)
                .add(number("mean", "Mean of a kernel."), r -> r.values.mean())
                .add(number("min", "The least."), r -> r.values.min())
                .add(number("max", "The most."), r -> r.values.max())
                .table("kernel_counters", "Counters of kernels", rows);
    }
}
