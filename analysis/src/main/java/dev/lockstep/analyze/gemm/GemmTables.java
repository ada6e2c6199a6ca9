// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The sheets of matrix multiplications. The heads of older files stay: {@code col_} marks what those took from the sheet of
 * operators, and means the operators that launched the kernels of the row.
 */
public final class GemmTables {
    private static final String OPERATORS = " Of the operators that launched these kernels; missing when not known.";

    private GemmTables() {}

    /** One row for each shape on each stream of each rank: how its time varies. */
    public static Table variance(List<PlacedGemm> rows) {
        Fields<PlacedGemm> fields = new Fields<>();
        place(fields);
        micros(
                fields,
                ColumnNames.KERNEL_TIME_MIN_US,
                "Shortest kernel.",
                g -> g.spread().min());
        micros(
                fields,
                ColumnNames.KERNEL_TIME_MAX_US,
                "Longest kernel.",
                g -> g.spread().max());
        micros(
                fields,
                ColumnNames.TIME_DIFF_US,
                "Longest less shortest.",
                g -> g.spread().range());
        operators(fields, rows);
        fields.add(ColumnSpec.text("stream", "Stream of the kernels."), r -> r.gemm().stream());
        spread(fields);
        return fields.table(TableNames.GEMM_VARIANCE, "Matrix multiplications by the time they lose by varying", rows);
    }

    /** One row for each shape on each stream of each rank: what communication does to it. */
    public static Table overlap(List<PlacedGemm> rows) {
        Fields<PlacedGemm> fields = new Fields<>();
        place(fields);
        fields.add(
                        ColumnSpec.text("operator", "Operator that launched the kernels; missing when not known."),
                        r -> r.gemm().shape().operator())
                .add(
                        ColumnSpec.json("dims", "Shapes of its inputs; missing when not recorded."),
                        r -> r.gemm().shape().dims())
                .add(ColumnSpec.text("stream", "Stream of the kernels."), r -> r.gemm().stream());
        new SlowdownColumns<PlacedGemm>(
                        fields,
                        r -> r.gemm().overlap().slowdown(),
                        r -> r.gemm().overlap().atStart())
                .add(r -> r.gemm().coveredPercent());
        fields.add(
                ColumnSpec.bool(
                        "matched_by_position",
                        "Whether kernels were compared only with those at the same place of other steps."),
                r -> r.gemm().overlap().byPosition());
        return fields.table("gemm_overlap", "Matrix multiplications while communication runs", rows);
    }

    private static void place(Fields<PlacedGemm> fields) {
        fields.add(
                        ColumnSpec.id("threads", "Threads per block of the communication library; may be missing."),
                        r -> r.threads() < 0 ? null : r.threads())
                .add(
                        ColumnSpec.id("channel", "Channels of the communication library; may be missing."),
                        r -> r.channels() < 0 ? null : r.channels())
                .add(ColumnSpec.id("rank", "Number of the rank."), PlacedGemm::rank)
                .add(
                        ColumnSpec.text(ColumnNames.GEMM_KERNEL_NAME, "Name of the kernel."),
                        r -> r.gemm().shape().kernel());
    }

    private static void spread(Fields<PlacedGemm> fields) {
        fields.add(
                        ColumnSpec.count("n", "Number of kernels, without those of warm-up steps."),
                        r -> r.gemm().spread().count())
                .add(
                        ColumnSpec.count("n_warmup", "Number of kernels of warm-up steps, which were left out."),
                        r -> r.gemm().warmup());
        real(fields, "mean_us", "Mean duration.", g -> g.spread().mean());
        real(
                fields,
                "sigma_us",
                "Sample standard deviation (n - 1); missing for one kernel.",
                g -> g.spread().sigma());
        fields.add(
                ColumnSpec.percent("cv_pct", "Standard deviation over mean; missing for one kernel."),
                r -> r.gemm().spread().variation());
        real(fields, "p50_us", "Median duration.", g -> g.spread().p50());
        real(fields, "p95_us", "95th percentile, interpolated.", g -> g.spread().p95());
        real(fields, "p99_us", "99th percentile, interpolated.", g -> g.spread().p99());
        real(
                fields,
                "mad_us",
                "Median distance from the median, unscaled.",
                g -> g.spread().mad());
        real(
                fields,
                "lost_time_us",
                "Time above the median, summed over the kernels; none counts with more than the 95th percentile by nearest"
                        + " rank, the longest with no more than the second longest. Rows are ordered by it.",
                g -> g.spread().lost());
    }

    /** Columns in the order in which their heads sort, as in older files. */
    private static void operators(Fields<PlacedGemm> fields, List<PlacedGemm> rows) {
        fields.add(
                ColumnSpec.json("col_Concrete Inputs_first", "Scalar arguments of the first." + OPERATORS),
                r -> r.gemm().concrete());
        work(
                fields,
                ColumnSpec.real(
                        "col_Data Moved (MB)_first", Unit.BYTES, Unit.MEBIBYTES, "Bytes moved at least." + OPERATORS),
                Work::bytes);
        work(
                fields,
                ColumnSpec.real(
                        "col_FLOPS/Byte_first",
                        Unit.FLOPS_PER_BYTE,
                        Unit.FLOPS_PER_BYTE,
                        "Operations for each byte." + OPERATORS),
                Work::intensity);
        work(
                fields,
                ColumnSpec.real(
                        "col_GFLOPS_first", Unit.FLOPS, Unit.GIGAFLOPS, "Floating-point operations." + OPERATORS),
                Work::flops);
        shape(fields, "col_Input Dims_first", "Shapes of inputs.", GemmShape::dims);
        shape(fields, "col_Input Strides_first", "Strides of inputs.", GemmShape::strides);
        shape(fields, "col_Input type_first", "Element types of inputs.", GemmShape::types);
        kernelTime(fields, "max", g -> (double) g.operators().max());
        kernelTime(fields, "mean", g -> g.operators().mean());
        kernelTime(fields, "median", g -> g.operators().median());
        kernelTime(fields, "min", g -> (double) g.operators().min());
        kernelTime(fields, "std", g -> g.operators().std());
        kernelTime(fields, "sum", g -> (double) g.operators().sum());
        statistics((statistic, perSecond) -> bytesPerSecond(fields, statistic, perSecond));
        statistics((statistic, perSecond) -> flopsPerSecond(fields, statistic, perSecond));
        fields.add(
                ColumnSpec.json(
                        "col_kernel_details__summarize_kernel_stats",
                        "The kernels of this row, in the form of older files."),
                r -> KernelDetails.whole(r.gemm()));
        fields.add(
                ColumnSpec.text("col_name", "Operator that launched the kernels; missing when not known."),
                r -> r.gemm().shape().operator());
        fields.add(
                ColumnSpec.count("col_name_count", "Number of such operators."),
                r -> r.gemm().operators().count());
        TreeSet<String> names = new TreeSet<>();
        rows.forEach(r -> parameters(r).forEach(p -> names.add(p.name())));
        for (String name : names) {
            fields.add(
                    ColumnSpec.text(
                            "col_param: " + name, "Parameter " + name + " of the operator's model; may be missing."),
                    r -> parameter(r, name));
        }
        fields.add(
                ColumnSpec.json("col_trunc_kernel_details", "The same in short."), r -> KernelDetails.brief(r.gemm()));
    }

    private static void micros(Fields<PlacedGemm> fields, String head, String doc, ToLongFunction<Gemm> value) {
        fields.add(ColumnSpec.micros(head, doc), r -> value.applyAsLong(r.gemm()));
    }

    private static void real(Fields<PlacedGemm> fields, String head, String doc, ToDoubleFunction<Gemm> value) {
        fields.add(ColumnSpec.real(head, Unit.NANOSECONDS, Unit.MICROSECONDS, doc), r -> value.applyAsDouble(r.gemm()));
    }

    private static void kernelTime(Fields<PlacedGemm> fields, String statistic, ToDoubleFunction<Gemm> value) {
        fields.add(
                ColumnSpec.real(
                        "col_Kernel Time (µs)_" + statistic,
                        Unit.NANOSECONDS,
                        Unit.MICROSECONDS,
                        "Device time of one operator, " + statistic + "." + OPERATORS),
                r -> r.gemm().operators().count() == 0 ? null : value.applyAsDouble(r.gemm()));
    }

    private static void work(Fields<PlacedGemm> fields, ColumnSpec column, ToDoubleFunction<Work> value) {
        fields.add(column, r -> {
            Work work = r.gemm().work();
            return work == null ? null : value.applyAsDouble(work);
        });
    }

    private static void bytesPerSecond(Fields<PlacedGemm> fields, String statistic, ToDoubleFunction<Gemm> perSecond) {
        ColumnSpec column = ColumnSpec.real(
                "col_TB/s_" + statistic,
                Unit.BYTES_PER_SECOND,
                Unit.TERABYTES_PER_SECOND,
                "Bytes moved per second of device time." + OPERATORS);
        rate(fields, column, Work::bytes, perSecond);
    }

    private static void flopsPerSecond(Fields<PlacedGemm> fields, String statistic, ToDoubleFunction<Gemm> perSecond) {
        ColumnSpec column = ColumnSpec.real(
                "col_TFLOPS/s_" + statistic,
                Unit.FLOPS_PER_SECOND,
                Unit.TERAFLOPS_PER_SECOND,
                "Operations per second of device time." + OPERATORS);
        rate(fields, column, Work::flops, perSecond);
    }

    private static void rate(
            Fields<PlacedGemm> fields,
            ColumnSpec column,
            ToDoubleFunction<Work> amount,
            ToDoubleFunction<Gemm> perSecond) {
        fields.add(column, r -> {
            Work work = r.gemm().work();
            return work == null ? null : amount.applyAsDouble(work) * perSecond.applyAsDouble(r.gemm());
        });
    }

    private static void statistics(BiConsumer<String, ToDoubleFunction<Gemm>> column) {
        column.accept("max", g -> g.perSecond().max());
        column.accept("mean", g -> g.perSecond().mean());
        column.accept("median", g -> g.perSecond().median());
        column.accept("min", g -> g.perSecond().min());
        column.accept("std", g -> g.perSecond().std());
    }

    private static void shape(
            Fields<PlacedGemm> fields, String head, String doc, Function<GemmShape, @Nullable String> value) {
        fields.add(
                ColumnSpec.json(head, doc + OPERATORS),
                r -> value.apply(r.gemm().shape()));
    }

    private static List<Parameter> parameters(PlacedGemm row) {
        Work work = row.gemm().work();
        return work == null ? List.of() : work.parameters();
    }

    private static @Nullable String parameter(PlacedGemm row, String name) {
        for (Parameter parameter : parameters(row)) {
            if (parameter.name().equals(name)) {
                return switch (parameter.value()) {
                    case Value.None none -> null;
                    case Value.Text text -> text.value();
                    default -> parameter.value().json();
                };
            }
        }
        return null;
    }
}
