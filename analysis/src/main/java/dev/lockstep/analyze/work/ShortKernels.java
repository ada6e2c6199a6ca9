// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongList;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernels so short that launching them may cost more than running them.
 *
 * @param rules definitions
 * @param thresholdNs kernels of less than this are short
 * @param bins number of bars of the histogram
 * @param binning how a duration finds its bar
 */
public record ShortKernels(AnalysisRules rules, long thresholdNs, int bins, Binning binning)
        implements Analysis<ShortKernels.Result> {
    /** How a duration finds its bar. */
    @FunctionalInterface
    public interface Binning {
        /** In whole nanoseconds, without rounding. */
        Binning EXACT = (value, min, max, bins) -> (int) Math.min(bins - 1, (value - min) * bins / (max - min));

        /**
         * The bar of a value.
         *
         * @param value from {@code min} to {@code max}, in ns
         * @param min lower end of the first bar
         * @param max upper end of the last bar, larger than {@code min}
         * @param bins number of bars
         * @return 0 to {@code bins} - 1
         */
        int binOf(long value, long min, long max, int bins);
    }

    /** One bar: durations from {@code start}, inclusive, to {@code end}, exclusive but for the last, in ns. */
    public record Bin(double start, double end, long count) {}

    /** Short kernels of one name under operators of one name with the same arguments. */
    public record Row(
            @Nullable String operator,
            @Nullable String inputDims,
            @Nullable String inputStrides,
            @Nullable String concreteInputs,
            String kernel,
            Distribution durations) {}

    /**
     * The short kernels, longest sum first.
     *
     * @param span time from the first to the last device activity in ns
     * @param operators whether the trace has operators at all
     */
    public record Result(
            long thresholdNs, List<Bin> bins, List<Row> rows, long span, boolean operators, boolean kernels)
            implements AnalysisResult {
        public Result {
            bins = List.copyOf(bins);
            rows = List.copyOf(rows);
        }

        @Override
        public List<Table> tables() {
            return kernels ? List.of(histogram(this), summary(this, rows)) : List.of();
        }

        @Override
        public @Nullable String notApplicable() {
            return kernels ? null : "the trace has no kernels";
        }
    }

    private static final long HALF_US = 500;

    private record Key(int operator, int dims, int strides, int concrete, int kernel) {}

    @Override
    public String id() {
        return "short_kernels";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        DeviceActivity all = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        Operators operators = cache.get(new Operators.Key(rules));
        OpDetails details = trace.view(OpDetails.KEY);
        boolean withOperators = KernelSummary.hasOperators(slices);
        Map<Key, LongList> groups = new LinkedHashMap<>();
        LongList durations = new LongList(64);
        boolean kernels = false;
        for (int i = 0; i < all.size(); i++) {
            int slice = all.slice(i);
            if (slices.kind(slice) != SliceKind.KERNEL) {
                continue;
            }
            kernels = true;
            if (slices.dur(slice) >= thresholdNs) {
                continue;
            }
            int parent = withOperators ? operators.parentOf(slice) : -1;
            OpInputs inputs = OpInputs.of(details, parent);
            Key key = new Key(
                    parent < 0 ? -1 : slices.name(parent),
                    inputs.dims(),
                    inputs.strides(),
                    inputs.concrete(),
                    slices.name(slice));
            groups.computeIfAbsent(key, k -> new LongList(4)).add(slices.dur(slice));
            durations.add(slices.dur(slice));
        }
        List<Row> rows = new ArrayList<>();
        groups.forEach((key, d) -> rows.add(new Row(
                trace.strings().orNull(key.operator),
                trace.strings().orNull(key.dims),
                trace.strings().orNull(key.strides),
                trace.strings().orNull(key.concrete),
                trace.strings().get(key.kernel),
                Distribution.of(d))));
        rows.sort(Comparator.comparingLong((Row r) -> r.durations.sum())
                .reversed()
                .thenComparingInt(r -> r.durations.count())
                .thenComparing(Row::kernel));
        long span = cache.get(rules.activity()).span();
        return new Result(thresholdNs, histogram(durations), rows, span, withOperators, kernels);
    }

    /** Bars of equal width from the least to the largest value, which belongs to the last bar. */
    private List<Bin> histogram(LongList values) {
        Distribution d = Distribution.of(values);
        if (d.count() == 0) {
            return List.of();
        }
        boolean alike = d.min() == d.max();
        long from = alike ? d.min() - HALF_US : d.min();
        long to = alike ? d.max() + HALF_US : d.max();
        long[] counts = new long[bins];
        for (int i = 0; i < values.size(); i++) {
            counts[binning.binOf(values.get(i), from, to, bins)]++;
        }
        double width = (double) (to - from) / bins;
        List<Bin> result = new ArrayList<>(bins);
        for (int i = 0; i < bins; i++) {
            result.add(new Bin(from + i * width, i == bins - 1 ? to : from + (i + 1) * width, counts[i]));
        }
        return result;
    }

    private static Table histogram(Result result) {
        return new Fields<Bin>()
                .add(us("bin_start", "Shortest duration of the bar."), Bin::start)
                .add(us("bin_end", "Longest duration of the bar; exclusive but for the last bar."), Bin::end)
                .add(ColumnSpec.count("count", "Number of kernels."), Bin::count)
                .table("short_kernel_histogram", "Durations of short kernels", result.bins);
    }

    /** The summary of these rows. */
    public static Table summary(Result result, List<Row> rows) {
        return new Fields<Row>()
                .addIf(
                        result.operators,
                        ColumnSpec.text(
                                "Parent cpu_op", "Operator nearest to the launch; missing when the launch is unknown."),
                        Row::operator)
                .addIf(
                        result.operators,
                        ColumnSpec.arguments(
                                "Input dims", "Shapes of the operator's inputs; missing when not recorded."),
                        Row::inputDims)
                .addIf(
                        result.operators,
                        ColumnSpec.arguments(
                                "Input strides", "Strides of the operator's inputs; missing when not recorded."),
                        Row::inputStrides)
                .addIf(
                        result.operators,
                        ColumnSpec.arguments(
                                ColumnNames.CONCRETE_INPUTS,
                                "Values of the operator's scalar inputs; missing when not recorded."),
                        Row::concreteInputs)
                .add(ColumnSpec.text(ColumnNames.KERNEL_NAME, "Name of the kernel."), Row::kernel)
                .add(
                        micros("Short Kernel duration (µs) sum", "Sum of the durations of these short kernels."),
                        r -> r.durations.sum())
                .add(ColumnSpec.count("Short Kernel count", "Number of these short kernels."), r -> r.durations.count())
                .add(us("Short Kernel duration (µs) mean", "Mean duration."), r -> r.durations.mean())
                .add(
                        ColumnSpec.percent(
                                "Short Kernel duration (µs) percent of total time",
                                "Share of the time between the first and the last device activity."),
                        r -> result.span == 0 ? 0.0 : 100.0 * r.durations.sum() / result.span)
                .table(TableNames.SHORT_KERNELS_SUMMARY, "Short kernels", rows);
    }

    private static ColumnSpec us(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }
}
