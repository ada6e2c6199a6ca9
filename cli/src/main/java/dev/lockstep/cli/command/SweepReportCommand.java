// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.RunReports;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** {@code lockstep sweep report DIR}: the reports of all runs of a sweep, and of every rank across thread counts. */
public final class SweepReportCommand implements Command {
    private final ReportArguments reports = new ReportArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // an argument that must be given
    private Path folder;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep sweep report sweep/", "lockstep sweep report sweep/ --step 3");
        global = arguments.global();
        arguments.argument(
                "DIR",
                Path.class,
                "The folder of a sweep, with folders like 256thread/nccl_28channels in it.",
                given -> folder = given);
        reports.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReportStyle style = reports.style();
        Sweep sweep = Sweep.at(folder, reports.names());
        Output.demandWithin(folder, sweep.reports().analysis());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            RunReports done =
                    RunReports.of(session, sweep, reports.options(sweep.configurations(), global, progress), style);
            progress.close();
            ReportedText.coverage(done, folder, global, out, err);
            return ReportedText.status(done, sweep.reports().analysis(), global, out, err);
        }
    }
}
