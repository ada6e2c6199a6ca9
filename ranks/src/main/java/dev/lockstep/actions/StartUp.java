// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.path.PathPiece;
import org.jspecify.annotations.Nullable;

/**
 * The part of a recording in which the devices do not work steadily yet, or not any more. Times in ns of the trace.
 *
 * @param begin of the recording
 * @param first when the devices begin
 * @param steady when they begin to work steadily
 * @param last when they end for good; {@link Long#MAX_VALUE} where what follows belongs to a step
 * @param end of the recording
 */
record StartUp(long begin, long first, long steady, long last, long end) {
    /** A gap is long from this part of the recording on. */
    private static final double LONG = 0.05;

    /** The work before it is little up to this part of all work. */
    private static final double LITTLE = 0.1;

    /** So much of a recording makes it a recording of a start, and so much of a start makes a call its reason. */
    private static final double MOST = 0.5;

    /** A call that passes to this part in a start explains it. */
    private static final double ALL = 0.9;

    /**
     * Start-up ends with the first work of the devices. In a recording that is mostly start-up it ends behind the last long gap that
     * little work stands before, and without steps the time behind the last work counts, too.
     */
    static StartUp of(ActionTrace trace, long begin, long end) {
        IntervalSet busy = trace.busy().any();
        if (busy.isEmpty()) {
            return new StartUp(begin, begin, begin, Long.MAX_VALUE, end);
        }
        long first = busy.start(0);
        long steady = first;
        // Copies of parameters are part of a start.
        IntervalSet computing = trace.busy().computation();
        IntervalSet work = computing.isEmpty() ? busy : computing;
        double little = LITTLE * work.total();
        long before = work.within(busy.start(0), busy.end(0));
        for (int i = 1; i < busy.size() && before <= little; i++) {
            if (busy.start(i) - busy.end(i - 1) > LONG * (end - begin)) {
                steady = busy.start(i);
            }
            before += work.within(busy.start(i), busy.end(i));
        }
        long last = trace.steps.steps().isEmpty() ? busy.end(busy.size() - 1) : Long.MAX_VALUE;
        long behind = Math.max(0, end - last);
        return steady - begin + behind > MOST * (end - begin)
                ? new StartUp(begin, first, steady, last, end)
                : new StartUp(begin, first, first, Long.MAX_VALUE, end);
    }

    boolean contains(PathPiece piece) {
        return piece.end() <= steady || piece.start() >= last;
    }

    /** Whether the devices did something before they worked steadily, or the recording goes on behind them. */
    boolean isMost() {
        return steady > first || last < end;
    }

    private boolean isBehind() {
        return end - last > steady - begin;
    }

    /** What most of it is, in a word or two. */
    String word() {
        return isBehind() ? "Idle end" : "Start-up";
    }

    /** Where in the recording it lies, and in which call most of it passes, where one is known. */
    String words(ActionTrace trace) {
        String call = call(trace, isBehind() ? last : begin, isBehind() ? end : steady);
        String when = isBehind()
                ? "follows the last GPU work"
                : steady > first ? "passes before the GPU works steadily" : "passes before the first GPU work";
        return call == null ? when : when + ", most of it in " + call;
    }

    /** The innermost slice of the host in which most of a stretch passes. */
    private @Nullable String call(ActionTrace trace, long from, long to) {
        Slices slices = trace.slices;
        int found = -1;
        for (int slice = 0; slice < slices.size(); slice++) {
            long inside = Math.min(to, slices.end(slice)) - Math.max(from, slices.ts(slice));
            if (inside > MOST * (to - from)
                    && slices.kind(slice).isHost()
                    && inside > ALL * slices.dur(slice)
                    && (found < 0 || slices.dur(slice) <= slices.dur(found))) {
                found = slice;
            }
        }
        return found < 0 ? null : trace.trace.name(found);
    }
}
