// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.MemoryReport;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep memory SNAPSHOT|TRACE [OTHER]}: says what fills the memory, or what sets two peaks apart. */
public final class MemoryCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> paths = List.of();
    private @Nullable String stepAnnotation;
    private int frames = 1;
    private int rank = -1;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep memory snapshot.pickle -o memory", "lockstep memory before.pickle after.pickle");
        global = arguments.global();
        arguments.arguments(
                "SNAPSHOT|TRACE",
                "A memory snapshot of PyTorch, or a trace recorded with profile_memory=True. Two are compared.",
                given -> paths = given);
        arguments.number("--rank", "N", 0, "Of a file with several ranks, explain this one.", given -> rank = given);
        StepAnnotationOption.declare(arguments, given -> stepAnnotation = given);
        arguments.number(
                "--frame-depth",
                "N",
                1,
                "Name owners in snapshots by this many of your own frames (default 1).",
                given -> frames = given);
        screen.declare(arguments);
        targets.declare(arguments, "the last file's name with _memory");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (paths.size() > 2) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "one file or two, not " + paths.size(), "lockstep memory A B");
        }
        MemoryUse options = new MemoryUse(stepAnnotation, frames);
        List<Path> inputs = paths.stream().map(FileNames::path).toList();
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            List<Trace> traces = new ArrayList<>();
            for (Path input : inputs) {
                traces.add(Inputs.readOne(session, TraceInput.of(input), rank, global, progress));
            }
            progress.step("analysing");
            Report report = traces.size() == 1
                    ? MemoryReport.of(traces.getFirst(), options)
                    : MemoryReport.of(traces.getFirst(), traces.getLast(), options);
            progress.step("writing");
            List<Path> written = targets.write(
                    session, report, inputs, Path.of(Inputs.stem(inputs.getLast()) + "_memory"), CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                screen.print(report, false, written, out);
            }
            Inputs.reportProblems(traces, err);
            return Inputs.status(traces, global);
        }
    }
}
