// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.tracelens.diff.TraceLensDiff;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code lockstep diff BASELINE CANDIDATE}: says what sets two recordings apart. */
public final class DiffCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path baseline;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path candidate;

    private @Nullable Path directory;
    private @Nullable Path csv;
    private @Nullable Path xlsx;
    private @Nullable Path html;
    private @Nullable Path json;
    private @Nullable String compat;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("BASELINE", Path.class, "The trace to compare with.", given -> baseline = given);
        arguments.argument("CANDIDATE", Path.class, "The trace that is compared.", given -> candidate = given);
        arguments.option("--csv", "DIR", Path.class, "Write one CSV file for each sheet into DIR.", given -> csv = given);
        arguments.option(
                "--compat", "TOOL", String.class, "Reproduce another tool: tracelens.", given -> compat = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace one = Inputs.readOne(session, TraceInput.of(baseline), global, progress);
            Trace two = Inputs.readOne(session, TraceInput.of(candidate), global, progress);
            long t0 = System.nanoTime();
            TraceLensDiff diff = TraceLensDiff.of(new DerivedCache(one), new DerivedCache(two), false);
            System.err.println((System.nanoTime() - t0) / 1000000 + " ms");
            Report report = diff.report();
            try (Output output = new Output()) {
                Path staged = output.directory(csv);
                session.registry().writer("csv").write(report, staged, CellStyle.PYTHON);
                diff.writeFiles(staged);
                output.commit();
            }
            return 0;
        }
    }
}
