// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.work.OpSummary.ArgumentsRow;
import dev.lockstep.analyze.work.OpSummary.CategoryRow;
import dev.lockstep.analyze.work.OpSummary.NameRow;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sheets of {@link OpSummary}. Places where tools have other habits are arguments, so that a compatible sheet is made
 * of the same columns.
 */
public final class OpSheets {
    /** A row and its share of the sheet. */
    private record Shared<R>(R row, double percent, double cumulative) {}

    private OpSheets() {}

    static List<Table> standard(OpSummary.Result result) {
        return List.of(
                byCategory(result, null),
                byName(result, null),
                byArguments(result, null, null, row -> row.firstStart() - result.firstLaunch(), FIRST_START));
    }

    private static final ColumnSpec FIRST_START = micros(
            "first_start_us",
            "Start of the first of these operators, counted from the first operator that launched device work.");

    /**
     * Operators by category.
     *
     * @param noModule stands for no module; null to leave the cell empty
     */
    public static Table byCategory(OpSummary.Result result, @Nullable String noModule) {
        boolean exact = result.options().seconds().isExact();
        return new Fields<Shared<CategoryRow>>()
                .add(ColumnSpec.text(ColumnNames.OP_CATEGORY, "What the operators are for."), s -> s.row.category())
                .addIf(result.options().module(), module(), s -> name(s.row.module(), noModule))
                .addIf(result.options().recompute(), recompute(), s -> s.row.recompute())
                .add(ColumnSpec.count("Count", "Number of operators that launched device work."), s -> s.row.count())
                .addIf(result.options().module(), stack("call_stack_first"), s -> stack(s.row.module()))
                .add(
                        ms(
                                exact,
                                ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS,
                                "Time in which device activity ran that the operators launched themselves."),
                        s -> exact ? (Object) s.row.direct() : (Object) s.row.shownNs())
                .add(percent(), Shared::percent)
                .add(cumulative(), Shared::cumulative)
                .table(
                        "ops_summary_by_category",
                        "Operators by category",
                        shared(result.byCategory(), CategoryRow::shownNs));
    }

    /**
     * Operators by name.
     *
     * @param noModule stands for no module; null to leave the cell empty
     */
    public static Table byName(OpSummary.Result result, @Nullable String noModule) {
        boolean module = result.options().module();
        boolean exact = result.options().seconds().isExact();
        Function<Shared<NameRow>, Object> direct = s -> exact ? (Object) s.row.direct() : (Object) s.row.shownNs();
        Function<Shared<NameRow>, Object> subtree =
                s -> exact ? (Object) Math.round(s.row.subtree()) : (Object) s.row.subtree();
        return new Fields<Shared<NameRow>>()
                .add(
                        ColumnSpec.text("name", "Name of the operator, or of the call where no operator is around it."),
                        s -> s.row.name())
                .addIf(module, module(), s -> name(s.row.module(), noModule))
                .addIf(result.options().recompute(), recompute(), s -> s.row.recompute())
                .add(exact ? micros(TOTAL, DIRECT) : realUs(TOTAL, DIRECT), direct)
                .add(exact ? micros(INSIDE, SUBTREE) : realUs(INSIDE, SUBTREE), subtree)
                .addIf(
                        module,
                        ColumnSpec.count("total_subtree_kernel_time_count", "Number of calls behind these sums."),
                        s -> s.row.count())
                .add(ms(exact, ColumnNames.TOTAL_DIRECT_KERNEL_TIME_MS, DIRECT), direct)
                .addIf(!module, ms(exact, "total_subtree_kernel_time_ms", SUBTREE), subtree)
                .add(ColumnSpec.count("Count", "Number of calls that launched device work."), s -> s.row.count())
                .add(
                        ColumnSpec.json("Categories", "Categories of these operators."),
                        s -> JsonCells.texts(s.row.categories()))
                .addIf(module, stack("call_stack_first"), s -> stack(s.row.module()))
                .add(percent(), Shared::percent)
                .add(cumulative(), Shared::cumulative)
                .table(TableNames.OPS_SUMMARY, "Operators by name", shared(result.byName(), NameRow::shownNs));
    }

    /**
     * Operators by name and arguments.
     *
     * @param unnamed stands for the name of a process or thread without one; null to leave the cell empty
     * @param noModule stands for no module; null to leave the cell empty
     * @param example a number by which the first operator of a row can be found
     * @param exampleSpec its column
     */
    public static Table byArguments(
            OpSummary.Result result,
            @Nullable String unnamed,
            @Nullable String noModule,
            Function<ArgumentsRow, Object> example,
            ColumnSpec exampleSpec) {
        OpSummary.Options options = result.options();
        boolean overlaps = options.overlaps() != null;
        Fields<Shared<ArgumentsRow>> fields = new Fields<Shared<ArgumentsRow>>()
                .add(ColumnSpec.text("name", "Name of the operator."), s -> s.row.name());
        if (overlaps) {
            OverlapShareColumns.names(fields, "overlapping_kernel_names", s -> s.row.overlapping());
        }
        signature(fields, options.module(), unnamed, noModule);
        counts(fields, result);
        pair(fields, "mean", RealDistribution::mean);
        pair(fields, "median", RealDistribution::median);
        pair(fields, "std", RealDistribution::std);
        pair(fields, "min", RealDistribution::min);
        pair(fields, "max", RealDistribution::max);
        pair(fields, "sum", RealDistribution::sum);
        fields.add(exampleSpec, s -> example.apply(s.row))
                .addIf(options.module(), stack("call_stack"), s -> stack(s.row.module()))
                .add(
                        ColumnSpec.json(
                                "kernel_details_summary",
                                "What each kernel of the sequence took over all these operators, shortest total first."),
                        s -> JsonCells.kernels(s.row.kernels()))
                .add(
                        ColumnSpec.json(
                                ColumnNames.TRUNC_KERNEL_DETAILS, "The same in short: name, stream, mean duration."),
                        s -> JsonCells.kernelsInShort(s.row.kernels()));
        if (overlaps) {
            OverlapShareColumns.kernels(fields, "overlapping_kernels_details_summary", s -> s.row.overlapping());
            OverlapShareColumns.share(fields, s -> s.row.overlapping(), d -> d);
        }
        return fields.add(percent(), Shared::percent)
                .add(cumulative(), Shared::cumulative)
                .table(
                        overlaps ? "ops_unique_args_kl_overlap" : TableNames.OPS_UNIQUE_ARGS,
                        overlaps ? "Operators by arguments and what overlapped them" : "Operators by arguments",
                        shared(result.byArguments(), r -> r.direct().sum()));
    }

    /** What the operators of a row have in common. */
    private static void signature(
            Fields<Shared<ArgumentsRow>> fields, boolean module, @Nullable String unnamed, @Nullable String noModule) {
        fields.add(ColumnSpec.text(ColumnNames.OP_CATEGORY, "What the operator is for."), s -> s.row.category())
                .addIf(module, module(), s -> name(s.row.module(), noModule))
                .add(
                        ColumnSpec.text("process_name", "Name of the process; may be missing."),
                        s -> or(s.row.processName(), unnamed))
                .add(
                        ColumnSpec.text("process_label", "Label of the process; may be missing."),
                        s -> or(s.row.processLabel(), unnamed))
                .add(
                        ColumnSpec.text("thread_name", "Name of the thread; may be missing."),
                        s -> or(s.row.threadName(), unnamed))
                .add(
                        ColumnSpec.arguments(
                                ColumnNames.INPUT_DIMS, "Shapes of the inputs; missing when not recorded."),
                        s -> s.row.inputDims())
                .add(
                        ColumnSpec.arguments(
                                ColumnNames.INPUT_TYPE, "Element types of the inputs; missing when not recorded."),
                        s -> s.row.inputTypes())
                .add(
                        ColumnSpec.arguments("Input Strides", "Strides of the inputs; missing when not recorded."),
                        s -> s.row.inputStrides())
                .add(
                        ColumnSpec.arguments(
                                ColumnNames.CONCRETE_INPUTS, "Values of scalar inputs; missing when not recorded."),
                        s -> s.row.concreteInputs());
    }

    private static void counts(Fields<Shared<ArgumentsRow>> fields, OpSummary.Result result) {
        OpSummary.Options options = result.options();
        boolean exact = options.seconds().isExact();
        fields.addIf(
                        options.kernelCount(),
                        ColumnSpec.count("num_kernels", "Number of activities that each of these operators launched."),
                        s -> s.row.kernelCount())
                .addIf(options.recompute(), recompute(), s -> s.row.recompute())
                .add(
                        ColumnSpec.count(ColumnNames.OPERATION_COUNT, "Number of such operators."),
                        s -> s.row.direct().count())
                .addIf(
                        options.firstOccurrence(),
                        exact ? micros(FIRST, FIRST_DOC) : realUs(FIRST, FIRST_DOC),
                        s -> exact
                                ? (Object) (s.row.firstStart() - result.firstLaunch())
                                : (Object) options.seconds().between(result.firstLaunch(), s.row.firstStart()));
    }

    private static final String FIRST = "first_occurrence_time";
    private static final String FIRST_DOC = "Start of the first of them, counted from the first launcher.";
    private static final String TOTAL = "total_direct_kernel_time_sum";
    private static final String INSIDE = "total_subtree_kernel_time_sum";
    private static final String DIRECT =
            "Time in which device activity ran that the operator launched itself, summed over its calls.";
    private static final String SUBTREE =
            "Time in which device activity ran that was launched at any depth inside the operator, summed over its calls.";

    private static void pair(
            Fields<Shared<ArgumentsRow>> fields, String statistic, Function<RealDistribution, Double> value) {
        fields.add(
                realUs("total_direct_kernel_time_" + statistic, statistic + " of the operator's own device time."),
                s -> value.apply(s.row.direct()));
        fields.add(
                realUs(
                        "total_subtree_kernel_time_" + statistic,
                        statistic + " of the device time inside the operator."),
                s -> value.apply(s.row.subtree()));
    }

    private static @Nullable String or(@Nullable String text, @Nullable String otherwise) {
        return text == null ? otherwise : text;
    }

    private static <R> List<Shared<R>> shared(List<R> rows, ToDoubleFunction<R> time) {
        double total = 0;
        for (R row : rows) {
            total += time.applyAsDouble(row);
        }
        List<Shared<R>> shared = new ArrayList<>(rows.size());
        double reached = 0;
        for (R row : rows) {
            double value = time.applyAsDouble(row);
            reached += value;
            shared.add(new Shared<>(
                    row, total == 0 ? 0 : 100.0 * value / total, total == 0 ? 0 : 100.0 * reached / total));
        }
        return shared;
    }

    private static ColumnSpec module() {
        return ColumnSpec.text("parent_module", "Innermost module of the network around the operator; may be missing.");
    }

    private static @Nullable String name(OpSummary.@Nullable Module module, @Nullable String noModule) {
        return module == null || module.name() == null ? noModule : module.name();
    }

    private static ColumnSpec stack(String header) {
        return ColumnSpec.json(header, "The first of these operators and the modules around it, from the inside out.");
    }

    private static @Nullable String stack(OpSummary.@Nullable Module module) {
        return module == null ? null : module.stack();
    }

    private static ColumnSpec recompute() {
        return ColumnSpec.bool(ColumnNames.IS_RECOMPUTE, "Whether the operator ran as part of a recomputation.");
    }

    private static ColumnSpec percent() {
        return ColumnSpec.percent("Percentage (%)", "Share of the sheet's direct time.");
    }

    private static ColumnSpec cumulative() {
        return ColumnSpec.percent("Cumulative Percentage (%)", "Share of this row and all above.");
    }

    private static ColumnSpec realUs(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }

    private static ColumnSpec ms(boolean exact, String header, String doc) {
        return exact ? millis(header, doc) : ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }
}
