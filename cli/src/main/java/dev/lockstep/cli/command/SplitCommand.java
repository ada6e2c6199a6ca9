// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Split;
import dev.lockstep.SplitOptions;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep split TRACE}: iterations and steady states as traces of their own. */
public final class SplitCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path trace;

    private @Nullable Path directory;
    private final SplitArguments cut = new SplitArguments();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep split trace.json.gz -o iterations",
                "lockstep split trace.json.gz --find-steady-state --num-steps 8");
        global = arguments.global();
        arguments.argument("TRACE", Path.class, "The trace to cut. It is not changed.", given -> trace = given);
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where the parts go (default: TRACE's name with _split).",
                given -> directory = given);
        arguments.writes("-o");
        cut.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        SplitOptions options = cut.options();
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            TraceInput input = TraceInput.of(trace);
            Trace read = Inputs.readOne(lockstep.session(), input, global, progress);
            Path into = directory != null ? directory : Path.of(Inputs.stem(trace) + "_split");
            Split.Parts parts = lockstep.split(trace, read, progress.reading(input))
                    .with(options)
                    .writeTo(into);
            progress.close();
            parts.remarks().forEach(err::println);
            if (!global.quiet()) {
                SplitText.print(parts.report(), into, out);
            }
            Inputs.reportProblems(List.of(read), err);
            if (!parts.whole()) {
                err.println(trace + ": what stands behind the first damage is in no part");
                return global.status(false);
            }
            return Inputs.status(List.of(read), global);
        }
    }
}
