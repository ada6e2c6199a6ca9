// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.reporting.OwnReports;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.PassOptions.Source;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.RunReports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The options that commands share which report the traces of whole runs. */
final class ReportArguments {
    private final TraceChoice choice = new TraceChoice();
    private final CompatOption compat = new CompatOption();
    private boolean rocprof;

    void declare(Arguments arguments) {
        choice.declare(arguments);
        arguments.flag(
                "--rocprof",
                "Report the traces of rocprof, in rocprof_traces (taken anyway where there are no others).",
                () -> rocprof = true);
        compat.declare(arguments, "aorta");
    }

    /** Whose reports are made. */
    ReportStyle style() {
        return compat.or(new OwnReports(), ReportStyle.class);
    }

    /** What folders and files of reports are called. */
    ReportNames names() {
        return compat.or(ReportNames.OWN, ReportNames.class);
    }

    /** Which other tool is asked for, if any. */
    CompatOption compat() {
        return compat;
    }

    /**
     * Makes the reports of configurations. Their coverage lies beside them and is read back with them.
     *
     * @param geometric whether ranks are summarised by the geometric mean
     */
    void make(List<Configuration> configurations, boolean geometric, GlobalOptions global) throws IOException {
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            PassOptions options = options(configurations, global, progress);
            for (Configuration configuration : configurations) {
                RunReports.of(session, configuration, options, style(), geometric);
            }
        }
    }

    /** How the traces of these configurations are read. */
    PassOptions options(List<Configuration> configurations, GlobalOptions global, Progress progress)
            throws IOException {
        List<Path> files = configurations.stream()
                .flatMap(one -> rocprof || one.traces().isEmpty()
                        ? one.rocprof().files().stream()
                        : one.traces().files().stream())
                .toList();
        return new PassOptions(
                choice.selection(), rocprof ? Source.ROCPROF : Source.ANY, global.strict(), progress.reading(files));
    }
}
