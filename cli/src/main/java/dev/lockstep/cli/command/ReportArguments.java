// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.aorta.run.AortaReports;
import dev.lockstep.runs.Configuration;
import dev.lockstep.sweep.OwnReports;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.PassOptions.Source;
import dev.lockstep.sweep.ReportStyle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The options that commands share which report the traces of whole runs. */
final class ReportArguments {
    private final TraceChoice choice = new TraceChoice();
    private final CompatTool compat = new CompatTool("aorta");
    private boolean rocprof;

    void declare(Arguments arguments) {
        choice.declare(arguments);
        arguments.flag(
                "--rocprof",
                "Report the traces of rocprof, in rocprof_traces (taken anyway where there are no others).",
                () -> rocprof = true);
        compat.declare(arguments);
    }

    /** Whose reports are made. */
    ReportStyle style() {
        return isAorta() ? new AortaReports() : new OwnReports();
    }

    /** Whether another tool is asked for, which can only be AORTA. */
    boolean isAorta() {
        return compat.isWanted();
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
