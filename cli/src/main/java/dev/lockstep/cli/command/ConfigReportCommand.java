// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.runs.Configuration;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.RunReports;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep config report DIR}: the reports of one run, in its own folder: ranks, collectives, timelines over ranks. */
public final class ConfigReportCommand implements Command {
    private final ReportArguments reports = new ReportArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // an argument that must be given
    private Path folder;

    private boolean geometric;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep config report runs/56cu_256threads", "lockstep config report run/ --geo-mean");
        global = arguments.global();
        arguments.argument(
                "DIR",
                Path.class,
                "The folder of a run, with torch_profiler in it, or the folder of its traces itself.",
                given -> folder = given);
        arguments.flag(
                "--geo-mean", "Average ranks geometrically in the summary of timelines.", () -> geometric = true);
        reports.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReportStyle style = reports.style();
        Configuration configuration = Configuration.at(folder, reports.names());
        Output.demandWithin(configuration.folder(), configuration.reports().analysis());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            RunReports done = RunReports.of(
                    session,
                    configuration,
                    reports.options(List.of(configuration), global, progress),
                    style,
                    geometric);
            progress.close();
            ReportedText.coverage(done, folder, global, out, err);
            return ReportedText.status(done, configuration.reports().analysis(), global, out, err);
        }
    }
}
