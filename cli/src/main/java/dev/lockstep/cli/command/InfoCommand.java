// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.UnusableInput;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.report.Trust;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.session.UnreadFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep info PATH...}: what files are, and every problem in them. */
public final class InfoCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> paths = List.of();
    private boolean json;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep info trace.json.gz", "lockstep info run/ --json");
        global = arguments.global();
        arguments.arguments("PATH", "Traces, directories of traces, quoted patterns.", given -> paths = given);
        arguments.flag("--json", "Print one JSON document instead of text.", () -> json = true);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        List<Trace> traces = new ArrayList<>();
        List<ExecutionTraceInfo> executed = new ArrayList<>();
        int failed = 0;
        boolean lost = false;
        Trust trust = Trust.SOUND;
        try (Session session = new Session(global.jobs());
                InfoJson document = json ? new InfoJson(out) : null;
                Progress progress = Progress.of(global)) {
            for (Path path : TraceFiles.of(paths)) {
                TraceInput input = TraceInput.of(path);
                try {
                    if (ExecutionTraceReader.matches(input)) {
                        executed.add(executed(input, document, out));
                        continue;
                    }
                    for (Trace trace : session.read(input, progress.reading(input))) {
                        Inputs.demandSound(trace, global);
                        traces.add(trace);
                        trust = trust.and(TraceTrust.of(new DerivedCache(trace)));
                        if (document != null) {
                            document.add(trace);
                        } else {
                            InfoText.print(trace, out);
                        }
                    }
                } catch (IOException e) {
                    lost |= isLoss(input, e);
                    failed = sayUnusable(input, e, err);
                }
            }
        }
        if (failed != 0 && (global.strict() || traces.isEmpty() && executed.isEmpty())) {
            return failed;
        }
        if (lost) {
            return global.status(false);
        }
        if (traces.isEmpty() || executed.isEmpty() && traces.stream().allMatch(Trace::isEmpty)) {
            return executed.isEmpty() ? ExitStatus.NOTHING : whole(executed);
        }
        int status = Inputs.status(traces, trust, global);
        return executed.isEmpty() || status != ExitStatus.COMPLETE ? status : whole(executed);
    }

    /** Whether something that is read here is missing: a trace, or a file of another kind that is damaged. */
    private static boolean isLoss(TraceInput input, IOException failure) {
        boolean damaged = failure instanceof TraceFormatException e && e.code() == ErrorCode.FORMAT_CORRUPT;
        return damaged || UnreadFile.of(input, failure).isTrace();
    }

    /** Says why a file cannot be used; returns the status of a command that has no other. */
    private static int sayUnusable(TraceInput input, IOException failure, PrintWriter err) {
        TraceFormatException known = failure instanceof TraceFormatException e ? e : null;
        UnusableInput unusable = UnusableInput.of(
                List.of(input.name()), String.valueOf(failure.getMessage()), known == null ? null : known.hint());
        err.println("lockstep: " + unusable.problem());
        if (unusable.hint() != null) {
            err.println("Hint: " + unusable.hint());
        }
        return known == null ? ExitStatus.UNREADABLE : known.code().exitStatus();
    }

    private int whole(List<ExecutionTraceInfo> executed) {
        return global.status(executed.stream().noneMatch(e -> e.odd().hasLoss()));
    }

    private ExecutionTraceInfo executed(TraceInput input, @Nullable InfoJson document, PrintWriter out)
            throws IOException {
        ExecutionTraces traces = new ExecutionTraces();
        ExecutionTraceInfo info = ExecutionTraceInfo.of(traces.read(input, global), traces.odd());
        if (document != null) {
            document.add(info);
        } else {
            InfoText.print(info, out);
        }
        return info;
    }
}
