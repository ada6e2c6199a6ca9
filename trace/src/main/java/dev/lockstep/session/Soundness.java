// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.session.RankSet.Member;
import dev.lockstep.session.RankSet.Status;
import java.util.List;

/**
 * Demands that inputs are whole, where damage shall be a failure and not be worked around.
 *
 * @hidden for the program's own modules
 */
public final class Soundness {
    private Soundness() {}

    /**
     * Demands that nothing of a trace is damaged.
     *
     * @param trace the trace to judge
     * @throws TraceFormatException for the first problem
     */
    public static void demand(Trace trace) throws TraceFormatException {
        List<Entry> problems = trace.diagnostics().problems();
        if (!problems.isEmpty()) {
            Entry first = problems.getFirst();
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    trace.info().source(),
                    first.position(),
                    first.message() + " (" + first.code() + ")",
                    "Where damage is let pass, the rest of the file is used.");
        }
    }

    /**
     * Demands that every file of a run could be read.
     *
     * @param ranks the run to judge
     * @throws TraceFormatException for the first that could not
     */
    public static void demand(RankSet<?> ranks) throws TraceFormatException {
        for (Member<?> member : ranks.members()) {
            if (member.status() == Status.UNREADABLE) {
                throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, member.source(), -1, member.note(), null);
            }
        }
    }

    /**
     * Demands that something happened in a trace.
     *
     * @param trace the trace to judge
     * @throws UserException when it {@link Trace#isEmpty}
     */
    public static void demandEvents(Trace trace) {
        if (trace.isEmpty() && trace.diagnostics().hasLoss()) {
            Entry first = trace.diagnostics().problems().getFirst();
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    trace.info().source() + ": no event is left of it: " + first.message() + " (" + first.code() + ")",
                    null);
        }
        if (trace.isEmpty() && trace.info().format().equals(TraceFormat.SNAPSHOT.id())) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    trace.info().source() + ": the snapshot is sound, but holds no history of the allocator",
                    "Call torch.cuda.memory._record_memory_history() before what the history shall show.");
        }
        if (trace.isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    trace.info().source() + ": the file is sound, but "
                            + (TraceFormat.isEventList(trace.info().format()) ? "traceEvents" : "it")
                            + " holds no complete events, and no begin with its end",
                    "Was the profiler stopped before any step ran?");
        }
    }
}
