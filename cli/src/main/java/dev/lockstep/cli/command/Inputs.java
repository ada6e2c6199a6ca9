// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.FileKind;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Trust;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import dev.lockstep.session.TraceFormats;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How commands read their inputs, say what is wrong with them, and what that means for the exit status. */
final class Inputs {
    /** What to do about traces in which no device did anything. */
    static final String RECORD_DEVICES =
            "Record the device side, too, as PyTorch's profiler does with ProfilerActivity.CUDA, and Nsight Systems"
                    + " with --trace=cuda.";

    private Inputs() {}

    /** The library, as the options that all commands have say. */
    static Lockstep open(GlobalOptions global) {
        return Lockstep.open(new Lockstep.Options(global.jobs(), global.strict()));
    }

    /** The one trace in a file. */
    static Trace readOne(Session session, TraceInput input, GlobalOptions global, Progress progress)
            throws IOException {
        return readOne(session, input, -1, global, progress);
    }

    /**
     * One trace of a file.
     *
     * @param rank the one that is meant of several, -1 when there is but one
     */
    static Trace readOne(Session session, TraceInput input, int rank, GlobalOptions global, Progress progress)
            throws IOException {
        Trace trace = one(session, input, rank, progress);
        demandSound(trace, global);
        Soundness.demandEvents(trace);
        return trace;
    }

    /** As {@link #readOne}; all ranks where the file holds several and none is meant. */
    static List<Trace> readOneOrAll(
            Session session, TraceInput input, int rank, GlobalOptions global, Progress progress) throws IOException {
        if (rank >= 0) {
            return List.of(readOne(session, input, rank, global, progress));
        }
        List<Trace> traces = session.read(input, progress.reading(input));
        if (traces.size() == 1) {
            demandSound(traces.getFirst(), global);
            Soundness.demandEvents(traces.getFirst());
        }
        return traces;
    }

    /** Says which commands take what this one does not. */
    private static Trace one(Session session, TraceInput input, int rank, Progress progress) throws IOException {
        try {
            return session.readOne(input, rank, progress.reading(input));
        } catch (UserException e) {
            throw new UserException(e.code(), String.valueOf(e.getMessage()), advice(e, input, rank), e);
        }
    }

    private static @Nullable String advice(UserException refusal, TraceInput input, int rank) {
        if (refusal.code() == ErrorCode.INPUT_NOT_FOUND && refusal.hint() != null) {
            return refusal.hint() + " 'lockstep collectives' compares all ranks: lockstep collectives "
                    + ShellText.word(input.name());
        }
        if (refusal.code() == ErrorCode.OPTION_INVALID && rank < 0) {
            return "'lockstep report FILE' explains all of them, with --rank N one of them; 'lockstep merge FILE -o OUT --filter rank=N'"
                    + " takes it out, 'lockstep collectives FILE' compares them.";
        }
        return refusal.hint();
    }

    /** With {@code --strict}, damage is a failure. */
    static void demandSound(Trace trace, GlobalOptions global) throws TraceFormatException {
        if (global.strict()) {
            Soundness.demand(trace);
        }
    }

    /** The Perfetto UI reads more formats than are known here; what is known to be something else it does not. */
    static void demandShown(Path file) throws IOException {
        if (Files.size(file) == 0
                || FileKind.of(file).filter(kind -> !kind.isTrace()).isPresent()) {
            throw new UserException(
                    ErrorCode.FORMAT_UNKNOWN,
                    file + (Files.size(file) == 0 ? ": the file is empty" : ": the Perfetto UI cannot show it")
                            + ", expected a trace",
                    "What else Lockstep reads becomes one by: lockstep merge FILE -o trace.pftrace");
        }
    }

    /** One line for each kind of damage. */
    static void reportProblems(List<Trace> traces, PrintWriter err) {
        for (Trace trace : traces) {
            for (Entry e : trace.diagnostics().problems()) {
                err.println(line(trace.info().source(), e));
            }
        }
    }

    private static String line(String source, Entry e) {
        String where = e.position() < 0 ? "" : ", first at byte " + e.position();
        return String.format(Locale.ROOT, "%s: %,d x %s: %s%s", source, e.count(), e.code(), e.message(), where);
    }

    /** The status of a command that did what it could with these, and says nothing that could be withheld. */
    static int status(List<Trace> traces, GlobalOptions global) {
        return status(traces, Trust.SOUND, global);
    }

    /**
     * The status of a command that did what it could with these.
     *
     * @param trust how far they can be believed
     */
    static int status(List<Trace> traces, Trust trust, GlobalOptions global) {
        if (traces.stream().allMatch(Trace::isEmpty)) {
            return ExitStatus.NOTHING;
        }
        return global.status(trust.isSound()
                && traces.stream().noneMatch(t -> t.diagnostics().hasLoss()));
    }

    /** The file's name without the endings of traces. */
    static String stem(Path path) {
        return FileNames.text(new TraceFormats().stem(path));
    }
}
