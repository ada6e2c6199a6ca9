// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.tracelens.CompareReport;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.pipeline.sweep.AortaSummary;
import dev.lockstep.pipeline.sweep.FinishedReports;
import dev.lockstep.runs.Sweep;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep sweep all DIR}: everything that can be said about a sweep, each trace read once. */
public final class SweepAllCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // an argument that must be given
    private Path folder;

    private boolean skipReports;
    private boolean geometric;
    private @Nullable String compat;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("DIR", Path.class, "The folder of a sweep.", given -> folder = given);
        arguments.flag(
                "--skip-reports", "Take the reports that are there, and make those that are about the sweep.", () -> skipReports = true);
        arguments.flag(
                "--geo-mean", "Average ranks geometrically in the timelines of all configurations.", () -> geometric = true);
        arguments.option("--compat", "TOOL", String.class, "Reproduce another tool: aorta.", given -> compat = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (compat != null && !compat.equals("aorta")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + compat, "known: aorta");
        }
        Sweep sweep = Sweep.at(folder);
        try (Session session = new Session(global.jobs());
                Output output = new Output()) {
            FinishedReports reports = FinishedReports.read(session, sweep, new SheetTable(CompareReport.MISSING));
            List<Path> written = new AortaSummary(reports.configurations(), geometric)
                    .write(session, sweep.reports(), output);
            output.commit();
            written.forEach(out::println);
            return global.status(reports.coverage().isComplete());
        }
    }
}
