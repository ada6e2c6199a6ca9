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
import dev.lockstep.model.DeviceDetails;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kernels by name, stream and the operator that launched them. Times are sums of durations: where kernels run at the same
 * time, the shares add up to more than the time that passed.
 *
 * @param rules definitions
 */
public record KernelSummary(AnalysisRules rules) implements Analysis<KernelSummary.Result> {
    /**
     * Kernels of one name on one stream under operators of one name.
     *
     * @param category of the operator, null when the launch is unknown
     * @param operator null when the launch is unknown
     * @param stream null when not recorded
     */
    public record Row(
            @Nullable String category,
            @Nullable String operator,
            String kernel,
            @Nullable Long stream,
            Distribution durations) {}

    /**
     * The kernels, longest sum first.
     *
     * @param span time from the first to the last device activity in ns
     * @param operators whether the trace has operators at all
     */
    public record Result(List<Row> rows, long span, boolean operators) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Sum of all durations in ns. */
        public long kernelTime() {
            return rows.stream().mapToLong(r -> r.durations.sum()).sum();
        }

        @Override
        public List<Table> tables() {
            return rows.isEmpty() ? List.of() : List.of(sheet(this));
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no kernels" : null;
        }
    }

    private record Key(@Nullable String category, @Nullable String operator, int kernel, long stream) {}

    @Override
    public String id() {
        return TableNames.KERNEL_SUMMARY;
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        DeviceActivity all = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        Operators operators = cache.get(new Operators.Key(rules));
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        Map<Key, LongList> groups = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            int slice = all.slice(i);
            if (slices.kind(slice) == SliceKind.KERNEL) {
                int parent = operators.parentOf(slice);
                int row = details == null ? -1 : details.of(slice);
                Key key = new Key(
                        operators.categoryOfParent(parent),
                        parent < 0 ? null : trace.name(parent),
                        slices.name(slice),
                        details == null || row < 0 ? -1 : details.stream(row));
                groups.computeIfAbsent(key, k -> new LongList(4)).add(slices.dur(slice));
            }
        }
        List<Row> rows = new ArrayList<>();
        groups.forEach((key, durations) -> rows.add(new Row(
                key.category,
                key.operator,
                trace.strings().get(key.kernel),
                key.stream < 0 ? null : key.stream,
                Distribution.of(durations))));
        rows.sort(Comparator.comparingLong((Row r) -> r.durations.sum())
                .reversed()
                .thenComparing(Row::kernel)
                .thenComparing(Row::operator, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(Row::category, Comparator.nullsFirst(Comparator.naturalOrder()))
                .thenComparing(Row::stream, Comparator.nullsFirst(Comparator.naturalOrder())));
        return new Result(rows, cache.get(rules.activity()).span(), hasOperators(slices));
    }

    static boolean hasOperators(Slices slices) {
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.CPU_OP) {
                return true;
            }
        }
        return false;
    }

    private static Table sheet(Result result) {
        long kernelTime = result.kernelTime();
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "Parent op category", "What the operator is for; missing when the launch is unknown."),
                        Row::category)
                .addIf(
                        result.operators,
                        ColumnSpec.text(
                                "Parent cpu_op",
                                "Operator nearest to the launch, else the launch call; missing when the launch is unknown."),
                        Row::operator)
                .add(ColumnSpec.text(ColumnNames.KERNEL_NAME, "Name of the kernel."), Row::kernel)
                .add(ColumnSpec.id("Kernel stream", "Stream it ran on; missing when not recorded."), Row::stream)
                .add(micros(ColumnNames.KERNEL_DURATION_US_SUM, "Sum of the durations."), r -> r.durations.sum())
                .add(ColumnSpec.count("Kernel duration (µs)_count", "Number of kernels."), r -> r.durations.count())
                .add(
                        ColumnSpec.real(
                                "Kernel duration (µs)_mean", Unit.NANOSECONDS, Unit.MICROSECONDS, "Mean duration."),
                        r -> r.durations.mean())
                .add(micros("Kernel duration (µs)_min", "Shortest duration."), r -> r.durations.min())
                .add(micros("Kernel duration (µs)_max", "Longest duration."), r -> r.durations.max())
                .add(
                        ColumnSpec.percent("Percent of kernels time (%)", "Share of the sum of all kernel durations."),
                        r -> share(r.durations.sum(), kernelTime))
                .add(
                        ColumnSpec.percent(
                                "Percent of total time (%)",
                                "Share of the time between the first and the last device activity."),
                        r -> share(r.durations.sum(), result.span))
                .table(TableNames.KERNEL_SUMMARY, "Kernels", result.rows);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }
}
