// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmDialect;
import dev.lockstep.sweep.gemm.GemmFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep gemm timestamps}: when the shortest and the longest instance of each row ran. */
public final class GemmTimestampsCommand implements Command {
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path input;

    @SuppressWarnings("NullAway.Init") // required
    private Path sweep;

    private final TraceChoice choice = new TraceChoice();
    private @Nullable Path target;
    private double tolerance = 0.01;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep gemm timestamps --input-csv gemm_variance.csv --base-path sweep/",
                "lockstep gemm timestamps --input-csv a.csv --base-path s/ --output-csv b.csv");
        global = arguments.global();
        arguments.required("--input-csv", "FILE", Path.class, "The file of gemm variance.", given -> input = given);
        arguments.required(
                "--base-path", "DIR", Path.class, "Folder of the sweep, with its traces.", given -> sweep = given);
        arguments.option(
                "-o,--output-csv",
                "FILE",
                Path.class,
                "The CSV file (default: the input's name with _with_timestamps behind it).",
                given -> target = given);
        arguments.writes("-o");
        arguments.option(
                "--tolerance",
                "SHARE",
                Double.class,
                "How far durations may be from those of the input before it is said, as a share (default: 0.01).",
                given -> tolerance = given);
        choice.declare(arguments);
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GemmDialect dialect = compat.part(GemmDialect.class);
        Path to = target != null ? target : GemmOutput.beside(input, "", "_with_timestamps");
        GemmOutput.demandThere(input);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            GemmFile file = dialect != null
                    ? dialect.timestamps(session, input, sweep, tolerance)
                    : GemmOutput.steps(session, Sweep.finished(sweep, ReportNames.OWN), choice, global, progress)
                            .timestamps(input, tolerance);
            progress.close();
            return GemmOutput.status(file, GemmOutput.write(file, to, List.of(), input), global, out, err);
        }
    }
}
