// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.sql.ParquetFile;
import dev.lockstep.straggler.OperationTable;
import dev.lockstep.straggler.RecoveredRoles;
import dev.lockstep.straggler.StragglerAnalysis;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerReport;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code lockstep stragglers}: what uneven work costs a job, and whose it is. */
public final class StragglersCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final StragglerArguments asked = new StragglerArguments();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        targets.declare(arguments, "the table's name with _stragglers");
        asked.declare(arguments);
        compat.declare(arguments, "wia");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Path source = asked.table();
        if (source == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "nothing to analyse",
                    "--table FILE.parquet names a table of operations.");
        }
        StragglerRules rules = compat.or(StragglerRules.standard(), StragglerRules.class);
        Map<String, Object> job = asked.job();
        StragglerOptions options = asked.options(job, global.allowPartial(), compat.isGiven());
        List<Finding> findings = new ArrayList<>();
        List<Table> sheets = new ArrayList<>();
        StragglerFigures figures;
        try (Progress progress = Progress.of(global)) {
            progress.step("reading");
            OperationTable table = read(source, rules, findings, sheets);
            progress.step("analysing");
            figures = StragglerAnalysis.of(table, options, rules);
        }
        Report report = StragglerReport.of(figures, findings, sheets);
        targets.instead("json", staged -> StragglerJson.write(staged, figures, job));
        Path fallback = Path.of(Inputs.stem(source).replaceFirst("\\.parquet$", "") + "_stragglers");
        List<Path> written;
        try (Session session = new Session(1)) {
            written = targets.write(session, report, asked.inputs(source), fallback, CellStyle.PLAIN);
        }
        if (!global.quiet()) {
            Summary.print(report, written, out);
        }
        return figures.findings().left().isEmpty() ? ExitStatus.COMPLETE : ExitStatus.PARTIAL;
    }

    private OperationTable read(Path source, StragglerRules rules, List<Finding> findings, List<Table> sheets)
            throws IOException {
        try (ParquetFile parquet = ParquetFile.open(source)) {
            List<String> wanted = new ArrayList<>(OperationTable.columns(!asked.recover()));
            if (asked.recover()) {
                wanted.addAll(RecoveredRoles.COLUMNS);
            }
            wanted.retainAll(parquet.columns().keySet());
            Table table = parquet.table(wanted);
            if (!asked.recover()) {
                return OperationTable.of(source.toString(), table, rules);
            }
            RecoveredRoles roles = OperationTable.recover(source.toString(), table, rules);
            findings.addAll(roles.findings(table));
            sheets.addAll(roles.sheets());
            return roles.table();
        }
    }
}
