// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmDialect;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.GemmSteps;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code lockstep gemm overlap}: which collectives ran at the same time, and whether they slow the row's kernel. */
public final class GemmOverlapCommand implements Command {
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path input;

    @SuppressWarnings("NullAway.Init") // required
    private Path analysis;

    private final TraceChoice choice = new TraceChoice();
    private @Nullable Path target;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep gemm overlap --input-csv b.csv --reports sweep/lockstep_reports",
                "lockstep gemm overlap --input-csv b.csv --reports s/lockstep_reports");
        global = arguments.global();
        arguments.required("--input-csv", "FILE", Path.class, "The file of gemm timestamps.", given -> input = given);
        arguments.required(
                "--reports",
                "DIR",
                Path.class,
                "Folder of the sweep's reports, lockstep_reports. Traces are in the folder above it.",
                given -> analysis = given);
        arguments.option(
                "-o,--output-csv",
                "FILE",
                Path.class,
                "The CSV file (default: the input's name with _with_collective_overlap instead of _with_timestamps).",
                given -> target = given);
        arguments.writes("-o");
        choice.declare(arguments);
        compat.declare(arguments, "aorta");
    }

    @Override
    public Map<String, String> formerOptions() {
        return Map.of("--tracelens-path", "--reports");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        GemmDialect dialect = compat.part(GemmDialect.class);
        Path to = target != null ? target : GemmOutput.beside(input, "_with_timestamps", "_with_collective_overlap");
        GemmOutput.demandThere(input);
        if (dialect != null) {
            GemmFile file = dialect.overlap(input, analysis);
            return GemmOutput.status(file, GemmOutput.write(file, to, List.of(), input), global, out, err);
        }
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            GemmSteps.OverlapResult result = GemmOutput.steps(
                            session, Sweep.ofAnalyses(analysis), choice, global, progress)
                    .overlap(input);
            progress.close();
            List<Path> written =
                    GemmOutput.write(result.file(), to, result.pooled().tables(), input);
            return GemmOutput.status(result.file(), written, global, out, err);
        }
    }
}
