// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.List;

/** The two sheets of the tool's diff. */
final class DiffSheets {
    private DiffSheets() {}

    /** Every activity; of identical traces those of trace 1, without the column that tells them apart. */
    static Table stats(List<DiffStats.Row> rows, boolean identical) {
        return new Fields<DiffStats.Row>()
                .add(name(), DiffStats.Row::name)
                .add(opName(), DiffStats.Row::opName)
                .add(opPlace(), DiffStats.Row::opIndex)
                .addIf(!identical, source(), r -> sourceOf(r))
                .add(dims(), DiffStats.Row::inputDims)
                .add(strides(), DiffStats.Row::inputStrides)
                .add(types(), DiffStats.Row::inputTypes)
                .add(concrete(), DiffStats.Row::concreteInputs)
                .add(micros("kernel_time", "Duration."), DiffStats.Row::durationNs)
                .add(busy(), DiffStats.Row::busyNs)
                .add(shared(), DiffStats.Row::sharedName)
                .add(
                        ColumnSpec.id(
                                "lowest_common_ancestor_id",
                                "Number of that node in the merged tree; missing when there is none."),
                        r -> r.shared() < 0 ? null : r.shared())
                .add(
                        ColumnSpec.id("gpu_op_uid", "Place of the activity among the events of its file."),
                        DiffStats.Row::activityIndex)
                .add(modules(), r -> String.join(";", r.modules()))
                .add(module(), DiffStats.Row::innermostModule)
                .table("diff_stats", "Device activities below differences", shown(rows, identical));
    }

    /** Activities that agree in all but duration and place. */
    static Table summary(List<DiffSummary.Group> groups, boolean identical) {
        return new Fields<DiffSummary.Group>()
                .add(name(), g -> g.first().name())
                .add(ColumnSpec.count("operation_count", "Number of these activities."), DiffSummary.Group::count)
                .add(opName(), DiffSummary.Group::opName)
                .add(opPlace(), g -> g.first().opIndex())
                .addIf(!identical, source(), g -> sourceOf(g.first()))
                .add(dims(), g -> g.first().inputDims())
                .add(strides(), g -> g.first().inputStrides())
                .add(types(), g -> g.first().inputTypes())
                .add(concrete(), g -> g.first().concreteInputs())
                .add(busy(), g -> g.first().busyNs())
                .add(shared(), g -> g.first().sharedName())
                .add(modules(), g -> String.join(";", g.first().modules()))
                .add(module(), DiffSummary.Group::module)
                .add(
                        ColumnSpec.real("kernel_time_mean", Unit.NANOSECONDS, Unit.MICROSECONDS, "Mean duration."),
                        DiffSummary.Group::meanNs)
                .add(micros("kernel_time_sum", "Sum of the durations."), DiffSummary.Group::sumNs)
                .table(
                        "diff_stats_unique_args_summary",
                        "Device activities below differences, by operator",
                        identical
                                ? groups.stream()
                                        .filter(g -> !g.first().second())
                                        .toList()
                                : groups);
    }

    private static List<DiffStats.Row> shown(List<DiffStats.Row> rows, boolean identical) {
        return identical ? rows.stream().filter(r -> !r.second()).toList() : rows;
    }

    private static String sourceOf(DiffStats.Row row) {
        return row.second() ? "trace2" : "trace1";
    }

    private static ColumnSpec name() {
        return ColumnSpec.text("name", "Name of the device activity.");
    }

    private static ColumnSpec opName() {
        return ColumnSpec.text("cpu_op_name", "Name of the operator that launched it.");
    }

    private static ColumnSpec opPlace() {
        return ColumnSpec.id("cpu_op_uid", "Place of that operator among the events of its file.");
    }

    private static ColumnSpec source() {
        return ColumnSpec.text("source", "Which trace it is of: trace1 or trace2.");
    }

    private static ColumnSpec dims() {
        return ColumnSpec.arguments("Input Dims", "Shapes of the operator's inputs.");
    }

    private static ColumnSpec strides() {
        return ColumnSpec.arguments("Input Strides", "Strides of the operator's inputs.");
    }

    private static ColumnSpec types() {
        return ColumnSpec.arguments("Input type", "Element types of the operator's inputs.");
    }

    private static ColumnSpec concrete() {
        return ColumnSpec.arguments("Concrete Inputs", "Values of the operator's scalar inputs.");
    }

    private static ColumnSpec busy() {
        return micros(
                "busy_time",
                "Time in which any activity ran that this trace has below the same lowest common ancestor, as far as it"
                        + " differs there.");
    }

    private static ColumnSpec shared() {
        return ColumnSpec.text(
                "lowest_common_ancestor_name",
                "Name of the nearest node above that both traces have; both names where they differ; missing when there"
                        + " is none.");
    }

    private static ColumnSpec modules() {
        return ColumnSpec.text("nn_module_stack", "Modules around the operator, outermost first; root for none.");
    }

    private static ColumnSpec module() {
        return ColumnSpec.text("nn_module_parent", "The innermost of these.");
    }
}
