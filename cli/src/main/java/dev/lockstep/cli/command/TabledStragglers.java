// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.sql.ParquetFile;
import dev.lockstep.straggler.OperationTable;
import dev.lockstep.straggler.RecoveredRoles;
import dev.lockstep.straggler.StragglerAnalysis;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerReport;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What uneven work costs a job, from a table of its operations. */
final class TabledStragglers {
    private final Path source;
    private final StragglerRules rules;
    private final List<Finding> findings = new ArrayList<>();
    private final List<Table> sheets = new ArrayList<>();

    private TabledStragglers(Path source, StragglerRules rules) {
        this.source = source;
        this.rules = rules;
    }

    /** The figures, and the report of them. */
    record Analysed(StragglerFigures figures, Report report) {}

    /** @param recover whether who is who is found out from times alone */
    static Analysed of(Path source, StragglerRules rules, StragglerOptions options, boolean recover)
            throws IOException {
        TabledStragglers table = new TabledStragglers(source, rules);
        StragglerFigures figures = StragglerAnalysis.of(recover ? table.recovered() : table.read(), options, rules);
        return new Analysed(figures, StragglerReport.of(figures, table.findings, table.sheets));
    }

    private OperationTable read() throws IOException {
        return OperationTable.of(source.toString(), columns(OperationTable.columns(true)), rules);
    }

    private OperationTable recovered() throws IOException {
        List<String> wanted = new ArrayList<>(OperationTable.columns(false));
        wanted.addAll(RecoveredRoles.COLUMNS);
        Table table = columns(wanted);
        RecoveredRoles roles = OperationTable.recover(source.toString(), table, rules);
        findings.addAll(roles.findings(table));
        sheets.addAll(roles.sheets());
        return roles.table();
    }

    private Table columns(List<String> wanted) throws IOException {
        try (ParquetFile parquet = ParquetFile.open(source)) {
            return parquet.table(
                    wanted.stream().filter(parquet.columns()::containsKey).toList());
        }
    }
}
