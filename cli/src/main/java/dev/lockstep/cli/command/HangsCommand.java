// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.hangs.Hangs;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code lockstep hangs DUMPS}: why a job does not go on. */
public final class HangsCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> paths = List.of();
    private @Nullable String traces;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep hangs dumps/", "lockstep hangs nccl_trace_rank_* --json hang.json");
        global = arguments.global();
        arguments.arguments(
                "DUMPS",
                "Dumps of PyTorch's Flight Recorder, one for each rank, pickle or JSON: files, patterns, a folder.",
                given -> paths = given);
        arguments.option(
                "--traces",
                "DIR",
                String.class,
                "Traces of the same job, one for each rank: say what the culprit did before. Default: those beside the"
                        + " dumps.",
                given -> traces = given);
        screen.declare(arguments);
        targets.declare(arguments, "the folder's name with _hangs");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        List<Path> files = Hangs.files(paths);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            progress.step("reading " + files.size() + " dumps");
            String source = String.join(" ", paths);
            List<Path> beside = traces == null ? Hangs.tracesBeside(paths, files) : TraceFiles.of(List.of(traces));
            Hangs found = Hangs.of(files, beside, source, global.strict(), session, done -> {});
            progress.step("writing");
            List<Path> read = Stream.concat(files.stream(), beside.stream()).toList();
            Path fallback = Path.of(Inputs.stem(Path.of(paths.getFirst())) + "_hangs");
            List<Path> written = targets.write(session, found.report(), read, fallback, CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                screen.print(found.report(), false, written, out);
            }
            found.problems().forEach(err::println);
            return found.hang()
                    ? ExitStatus.GATE_FAILED
                    : global.status(found.problems().isEmpty());
        }
    }
}
