// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.work.FamilySummary.Row;
import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sheets of {@link FamilySummary}. */
public final class FamilySheets {
    private FamilySheets() {}

    /** One sheet, spelled by these habits. */
    public static Table table(FamilySummary.Result result, FamilySummary.Sheet sheet, SheetHabits habits) {
        Fields<Row> fields = new Fields<>();
        FigureColumns<Row> figures = new FigureColumns<>(fields, Row::figures);
        boolean roofline = habits.emptyColumns()
                ? result.roofline()
                : sheet.rows().stream().anyMatch(r -> r.figures().roofline() != null);
        fields.add(ColumnSpec.text("name", "Name of the operator."), Row::name);
        if (result.overlaps()) {
            OverlapShareColumns.names(fields, "overlapping_kernel_names_first", Row::overlapping);
        }
        for (String parameter : sheet.parameters()) {
            parameter(fields, parameter, sheet.rows(), habits);
        }
        fields.addIf(
                result.kernelCount(),
                ColumnSpec.count("num_kernels", "Number of activities that each of these operators launched."),
                Row::kernels);
        fields.addIf(
                result.recompute(),
                ColumnSpec.bool(ColumnNames.IS_RECOMPUTE, "Whether the operator ran as part of a recomputation."),
                Row::recompute);
        figures.work("_first");
        figures.bytesPerSecond(SeriesStatistic.values());
        figures.flopsPerSecond(SeriesStatistic.values());
        names(fields, habits);
        figures.computeSpec();
        if (roofline) {
            figures.rooflineTime();
            figures.rooflineBound("_first");
            figures.percentOfRoofline(SeriesStatistic.values());
        }
        kernels(fields, result.overlaps());
        arguments(fields);
        figures.kernelTime(SeriesStatistic.values());
        figures.kernelTimeSum(habits.exactTimes());
        fields.add(
                ColumnSpec.count(ColumnNames.NAME_COUNT, "Number of such operators."),
                r -> r.figures().kernelTime().count());
        example(fields, habits);
        String name = result.overlaps() ? sheet.name() + "_kl_overlap" : sheet.name();
        String title = "Operators of the family " + sheet.name();
        return fields.table(name, result.overlaps() ? title + " and what overlapped them" : title, sheet.rows());
    }

    private static void kernels(Fields<Row> fields, boolean overlaps) {
        fields.add(
                ColumnSpec.json(
                        "kernel_details__summarize_kernel_stats",
                        "What each kernel of the sequence took over all these operators, shortest total first."),
                r -> JsonCells.kernels(r.positions()));
        fields.add(
                ColumnSpec.json(ColumnNames.TRUNC_KERNEL_DETAILS, "The same in short: name, stream, mean duration."),
                r -> JsonCells.kernelsInShort(r.positions()));
        if (overlaps) {
            OverlapShareColumns.kernels(
                    fields, "overlapping_kernels_details__summarize_kernel_stats", Row::overlapping);
            OverlapShareColumns.share(fields, Row::overlapping, d -> d);
        }
    }

    private static void example(Fields<Row> fields, SheetHabits habits) {
        ColumnSpec example = habits.example();
        String header = habits.emptyColumns() ? example.header() : "UID_first";
        fields.add(
                new ColumnSpec(example.id(), header, example.type(), example.unit(), example.shown(), example.doc()),
                r -> habits.exampleOf().applyAsLong(r.firstStart(), r.number()));
    }

    private static void parameter(Fields<Row> fields, String name, List<Row> rows, SheetHabits habits) {
        String doc = "Parameter " + name + " of the operator's model; missing where the operator has none.";
        Function<Row, @Nullable Value> value = r -> valueOf(r, name);
        boolean whole =
                habits.emptyColumns() && rows.stream().map(value).allMatch(v -> v == null || v instanceof Value.Int);
        if (whole) {
            fields.add(
                    ColumnSpec.whole("param: " + name, Unit.NONE, Unit.NONE, doc),
                    r -> value.apply(r) instanceof Value.Int number ? number.value() : null);
        } else {
            fields.add(ColumnSpec.text("param: " + name, doc), r -> {
                Value cell = value.apply(r);
                return cell == null ? null : habits.value().apply(cell);
            });
        }
    }

    private static @Nullable Value valueOf(Row row, String name) {
        for (Parameter parameter : row.parameters()) {
            if (parameter.name().equals(name)) {
                return parameter.value();
            }
        }
        return null;
    }

    private static void names(Fields<Row> fields, SheetHabits habits) {
        fields.add(
                ColumnSpec.text("process_name_first", "Name of the process of the first of them; may be missing."),
                r -> habits.named(r.first().processName()));
        fields.add(
                ColumnSpec.text("process_label_first", "Label of the process of the first of them; may be missing."),
                r -> habits.named(r.first().processLabel()));
        fields.add(
                ColumnSpec.text("thread_name_first", "Name of the thread of the first of them; may be missing."),
                r -> habits.named(r.first().threadName()));
    }

    private static void arguments(Fields<Row> fields) {
        fields.add(
                ColumnSpec.json("Input Dims_first", "Shapes of the inputs of the first of them."),
                r -> r.first().inputDims());
        fields.add(
                ColumnSpec.json("Input type_first", "Element types of the inputs of the first of them."),
                r -> r.first().inputTypes());
        fields.add(
                ColumnSpec.json("Input Strides_first", "Strides of the inputs of the first of them; may be missing."),
                r -> r.first().inputStrides());
        fields.add(
                ColumnSpec.json("Concrete Inputs_first", "Scalar inputs of the first of them; may be missing."),
                r -> r.first().concreteInputs());
    }
}
