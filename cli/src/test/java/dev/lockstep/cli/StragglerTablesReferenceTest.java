// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.straggler.OperationTable;
import dev.lockstep.straggler.RecoveredRoles;
import dev.lockstep.straggler.StragglerAnalysis;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerReport;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/straggler-tables.md} is what the columns say about themselves. After a change of a column, rewrite it
 * with {@code ./mvnw verify -Dgolden.update=true} and look at the difference.
 */
class StragglerTablesReferenceTest {
    private static final String REFERENCE = "docs/reference/straggler-tables.md";

    private static final String HEAD = """
        # The sheets of `lockstep stragglers`

        Generated from the columns themselves; do not edit. A missing value is an empty cell. What they mean:
        [Stragglers](../concepts/stragglers.md).

        `straggler_heatmap` of a table is written where there is a slowdown to take apart; `recovered_roles` with `--recover-roles`.
        """;

    @Test
    void referenceIsWhatTheColumnsSay() throws IOException {
        StragglerRules rules = StragglerRules.standard();
        StragglerOptions options = new StragglerOptions(List.of(), 1, StragglerRules.Ideal.ROLE, false, 1);
        RecoveredRoles roles = OperationTable.recover("", job(), rules);
        List<Table> tables = StragglerReport.of(
                        StragglerAnalysis.of(roles.table(), options, rules), List.of(), roles.sheets())
                .tables();
        assertThat(tables)
                .extracting(Table::name)
                .containsExactly("straggler_whatif", "straggler_steps", "straggler_heatmap", "recovered_roles");
        TableReference.demand(REFERENCE, HEAD, tables);
    }

    private static Table job() {
        TableBuilder table = new TableBuilder(
                "",
                "",
                new Schema(List.of(
                        ColumnSpec.id("rank", "."),
                        ColumnSpec.id("step", "."),
                        ColumnSpec.text("optype", "."),
                        ColumnSpec.real("start_ts", Unit.NONE, Unit.NONE, "."),
                        ColumnSpec.real("duration", Unit.NONE, Unit.NONE, "."))));
        table.row(0, 1, "forward-compute", 0.0, 1.0);
        table.row(0, 1, "backward-compute", 1.0, 1.0);
        table.row(0, 1, "optimizer", 2.0, 1.0);
        return table.build();
    }
}
