// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import java.util.function.Function;

/** The columns that say which part a row is about. */
final class PartColumns {
    private PartColumns() {}

    /**
     * Adds them.
     *
     * @param identified whether parts are operators of a plan, and not only names
     */
    static <R> Fields<R> of(Fields<R> fields, Function<R, Part> part, boolean identified) {
        return fields.addIf(
                        identified,
                        ColumnSpec.id("operator", "Number of the operator in its plan."),
                        row -> part.apply(row).identity().id())
                .add(
                        ColumnSpec.text("name", "What was measured; several may share a name."),
                        row -> part.apply(row).name())
                .addIf(
                        identified,
                        ColumnSpec.json("shapes", "Shapes of its arguments; null for what is no tensor."),
                        row -> part.apply(row).identity().shapes())
                .addIf(
                        identified,
                        ColumnSpec.json("types", "Element types of its arguments; null for what is no tensor."),
                        row -> part.apply(row).identity().types())
                .addIf(
                        identified,
                        ColumnSpec.json("values", "Its arguments that are no tensors; null for tensors."),
                        row -> part.apply(row).identity().values())
                .add(
                        ColumnSpec.text("kind", "How it was measured, or what came of it."),
                        row -> part.apply(row).kind());
    }
}
