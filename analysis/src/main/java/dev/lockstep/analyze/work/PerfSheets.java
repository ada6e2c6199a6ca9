// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.analyze.work.SeriesStatistic.MAX;
import static dev.lockstep.analyze.work.SeriesStatistic.MEAN;
import static dev.lockstep.analyze.work.SeriesStatistic.MEDIAN;
import static dev.lockstep.analyze.work.SeriesStatistic.MIN;
import static dev.lockstep.analyze.work.SeriesStatistic.STD;
import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.OverlapRule;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.work.PerfSummary.Row;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sheet of {@link PerfSummary}. */
public final class PerfSheets {
    private record Shared(Row row, double percent, double cumulative) {}

    private PerfSheets() {}

    /** The sheet with further columns behind the sum of the device times. */
    public static Table table(PerfSummary.Result result, SheetHabits habits, List<ExtraColumn> further) {
        Fields<Shared> fields = new Fields<>();
        OverlapRule overlaps = result.options().overlaps();
        signature(fields, habits, overlaps != null);
        calls(fields, result, habits);
        figures(fields, result, habits, further);
        kernels(fields, overlaps);
        parameters(fields, habits);
        fields.add(
                ColumnSpec.bool("has_perf_model", "Whether a model knows the work of the operator."),
                s -> s.row.modelled());
        if (result.options().stacks() != null && overlaps == null) {
            site(fields);
        }
        fields.add(ColumnSpec.percent("Percentage (%)", "Share of the sheet's device time."), Shared::percent);
        fields.add(
                ColumnSpec.percent("Cumulative Percentage (%)", "Share of this row and all above."),
                Shared::cumulative);
        String name = overlaps == null ? TableNames.UNIFIED_PERF_SUMMARY : "unified_perf_summary_kl_overlap";
        String title = "Device time and work by operator" + (overlaps == null ? "" : ", and what overlapped them");
        return fields.table(name, title, shared(result.rows()));
    }

    private static void calls(Fields<Shared> fields, PerfSummary.Result result, SheetHabits habits) {
        fields.addIf(
                result.options().recompute(),
                ColumnSpec.bool(ColumnNames.IS_RECOMPUTE, "Whether the operator ran as part of a recomputation."),
                s -> s.row.recompute());
        fields.add(habits.example(), s -> habits.exampleOf().applyAsLong(s.row.firstStart(), s.row.number()));
        fields.add(
                ColumnSpec.count(ColumnNames.OPERATION_COUNT, "Number of such operators."),
                s -> s.row.figures().kernelTime().count());
        fields.add(
                micros(ColumnNames.TOTAL_DURATION_US, "Duration on the host, summed over these operators."),
                s -> s.row.hostTime().sum());
        hostTime(fields, ColumnNames.MEAN_DURATION_US, MEAN);
        hostTime(fields, "std_duration_us", STD);
    }

    /** What operators cost on the device, and how that compares with their work; what is known of none has no columns. */
    private static void figures(
            Fields<Shared> fields, PerfSummary.Result result, SheetHabits habits, List<ExtraColumn> further) {
        FigureColumns<Shared> figures = new FigureColumns<>(fields, s -> s.row.figures());
        boolean work = habits.emptyColumns()
                || result.rows().stream().anyMatch(r -> r.figures().work() != null);
        boolean roofline = habits.emptyColumns()
                ? result.roofline()
                : result.rows().stream().anyMatch(r -> r.figures().roofline() != null);
        if (work) {
            figures.work("");
            figures.computeSpec();
        }
        if (roofline) {
            figures.rooflineBound("");
        }
        if (work) {
            figures.bytesPerSecond(MEAN, STD);
            figures.flopsPerSecond(MEAN, STD);
        }
        figures.kernelTime(MEAN, STD);
        figures.kernelTimeSum(habits.exactTimes());
        further.forEach(column -> fields.add(column.spec(), s -> column.value().apply(s.row)));
        hostTime(fields, "duration_us_median", MEDIAN);
        hostTime(fields, "duration_us_min", MIN);
        hostTime(fields, "duration_us_max", MAX);
        if (work) {
            figures.bytesPerSecond(MEDIAN, MIN, MAX);
            figures.flopsPerSecond(MEDIAN, MIN, MAX);
        }
        if (roofline) {
            figures.rooflineTime();
            figures.percentOfRoofline(SeriesStatistic.values());
        }
        figures.kernelTime(MEDIAN, MIN, MAX);
    }

    private static void kernels(Fields<Shared> fields, @Nullable OverlapRule overlaps) {
        fields.add(
                ColumnSpec.json(
                        "kernel_details_summary",
                        "What each kernel of the sequence took over all these operators, shortest total first."),
                s -> JsonCells.kernels(s.row.kernels()));
        fields.add(
                ColumnSpec.json(ColumnNames.TRUNC_KERNEL_DETAILS, "The same in short: name, stream, mean duration."),
                s -> JsonCells.kernelsInShort(s.row.kernels()));
        if (overlaps != null) {
            OverlapShareColumns.kernels(fields, "overlapping_kernels_details_summary", s -> s.row.overlapping());
            OverlapShareColumns.share(fields, s -> s.row.overlapping(), d -> rounded(d, overlaps));
        }
    }

    private static void signature(Fields<Shared> fields, SheetHabits habits, boolean overlaps) {
        text(
                fields,
                "name",
                "Name of the operator; of what stands alone, with the kernel behind an arrow.",
                s -> s.row.signature().name());
        if (overlaps) {
            OverlapShareColumns.names(fields, "overlapping_kernel_names", s -> s.row.overlapping());
        }
        text(
                fields,
                ColumnNames.OP_CATEGORY,
                "What the operator is for.",
                s -> s.row.signature().category());
        text(
                fields,
                "process_name",
                "Name of the process; may be missing.",
                s -> habits.named(s.row.signature().processName()));
        text(
                fields,
                "process_label",
                "Label of the process; may be missing.",
                s -> habits.named(s.row.signature().processLabel()));
        text(
                fields,
                "thread_name",
                "Name of the thread; may be missing.",
                s -> habits.named(s.row.signature().threadName()));
        fields.add(
                ColumnSpec.arguments("Input Dims", "Shapes of the inputs; missing when not recorded."),
                s -> s.row.signature().inputDims());
        fields.add(
                ColumnSpec.arguments("Input type", "Element types of the inputs; missing when not recorded."),
                s -> s.row.signature().inputTypes());
        fields.add(
                ColumnSpec.arguments("Input Strides", "Strides of the inputs; missing when not recorded."),
                s -> s.row.signature().inputStrides());
        fields.add(
                ColumnSpec.arguments("Concrete Inputs", "Values of scalar inputs; missing when not recorded."),
                s -> s.row.signature().concreteInputs());
    }

    private static RealDistribution rounded(RealDistribution d, OverlapRule rule) {
        double std = rule.step() > 0 && d.count() == 1 ? 0 : d.std();
        return new RealDistribution(
                d.count(),
                d.sum(),
                rule.rounded(d.mean()),
                rule.rounded(d.median()),
                rule.rounded(std),
                rule.rounded(d.min()),
                rule.rounded(d.max()));
    }

    private static void site(Fields<Shared> fields) {
        text(
                fields,
                "entry_point",
                "Frame of the Python program that the first of these operators belongs to; may be missing.",
                s -> s.row.site() == null ? null : s.row.site().entryPoint());
        fields.add(
                ColumnSpec.json(
                        "call_stack_full",
                        "Operators and frames around the first of them from the outside in, then a list for each way to a"
                                + " kernel."),
                s -> s.row.site() == null ? null : s.row.site().stack());
    }

    private static void parameters(Fields<Shared> fields, SheetHabits habits) {
        String doc = "What the figures follow from; missing when they are not known.";
        Function<List<Parameter>, String> dictionary = habits.dictionary();
        Function<List<Parameter>, String> spelled = dictionary == null ? Parameter::json : dictionary;
        fields.add(
                dictionary == null ? ColumnSpec.json("perf_params", doc) : ColumnSpec.text("perf_params", doc), s -> {
                    Work work = s.row.figures().work();
                    return work == null || work.parameters().isEmpty() ? null : spelled.apply(work.parameters());
                });
    }

    private static void hostTime(Fields<Shared> fields, String header, SeriesStatistic statistic) {
        fields.add(
                ColumnSpec.real(
                        header,
                        Unit.NANOSECONDS,
                        Unit.MICROSECONDS,
                        "Duration on the host, " + statistic.words() + "; may be missing."),
                s -> statistic.of(s.row.hostTime()));
    }

    private static void text(
            Fields<Shared> fields, String header, String doc, Function<Shared, @Nullable Object> value) {
        fields.add(ColumnSpec.text(header, doc), value);
    }

    private static List<Shared> shared(List<Row> rows) {
        long total = rows.stream().mapToLong(Row::time).sum();
        List<Shared> shared = new ArrayList<>(rows.size());
        long reached = 0;
        for (Row row : rows) {
            reached += row.time();
            shared.add(new Shared(
                    row, total == 0 ? 0 : 100.0 * row.time() / total, total == 0 ? 0 : 100.0 * reached / total));
        }
        return shared;
    }
}
