// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.BitSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a moment counts for in which a slice of the host is the innermost of its thread: its cause, and where it belongs. */
final class HostCauses {
    private static final Pattern ADDRESS = Pattern.compile(" at 0x[0-9a-f]+");

    private final Trace trace;
    private final Slices slices;
    private final CauseRules rules;
    private final HostNesting nesting;
    private final NearestAround known;
    private final NearestAround frames;

    /** Marks of steps, and whatever else says nothing of what the host did. */
    private final BitSet marks = new BitSet();

    private IdleCause cause = IdleCause.UNRECORDED;
    private int frame = -1;
    private long until;

    /**
     * @param annotation what marks steps, null to find what does
     * @param python whether frames of Python say anything
     */
    HostCauses(DerivedCache cache, LaunchRule links, @Nullable String annotation, boolean python) {
        trace = cache.trace();
        slices = trace.slices();
        rules = cache.get(new CauseRules.Key(links));
        nesting = cache.get(new HostNesting.Key());
        known = new NearestAround(nesting, slices.size(), slice -> rules.named(slice) != null && !isMark(slice));
        mark(Steps.marks(trace, null));
        mark(cache.get(new Steps.Key(annotation)).marks());
        if (annotation != null) {
            mark(Steps.marks(trace, annotation));
        }
        for (int slice = 0; slice < slices.size() && !python; slice++) {
            if (slices.kind(slice) == SliceKind.PYTHON) {
                marks.set(slice);
            }
        }
        frames = new NearestAround(nesting, slices.size(), this::isFrame);
    }

    private void mark(int[] found) {
        for (int slice : found) {
            marks.set(slice);
        }
    }

    private boolean isFrame(int slice) {
        SliceKind kind = slices.kind(slice);
        return (kind == SliceKind.ANNOTATION || kind == SliceKind.PYTHON) && !isMark(slice);
    }

    /** Whether the slice marks a step, or says nothing for another reason. */
    boolean isMark(int slice) {
        return marks.get(slice);
    }

    /** Whether the slice is a wait in the operating system, during which the thread does nothing. */
    boolean isWait(int slice) {
        return rules.named(slice) == IdleCause.WAITING;
    }

    /**
     * Finds what a moment counts for in which this slice is the innermost: {@link #cause}, {@link #frame} and {@link #until}.
     *
     * @param now of slices around, those count that still run then: marks of steps may begin inside of what ends before them
     */
    void look(int slice, long now) {
        until = slices.end(slice);
        int telling = telling(slice, now);
        IdleCause named = telling < 0 ? null : rules.named(telling);
        cause = named == null ? rules.ofKind(slice) : named;
        frame = running(frames, frames.of(telling < 0 ? slice : outermost(telling, cause, now)), now);
    }

    /** The nearest purpose around, else the nearest name, else the kind. */
    IdleCause cause() {
        return cause;
    }

    /**
     * The annotation or frame of Python to which the moment belongs: where names give the cause, the outermost in a row that give the
     * same, up to an annotation; else the innermost. -1 where there is none.
     */
    int frame() {
        return frame;
    }

    /** Until when that holds, if nothing begins inside: the first end of what may have given it. */
    long until() {
        return until;
    }

    /** The slice whose name gives the cause, or -1. */
    private int telling(int slice, long now) {
        int nearest = -1;
        for (int around = running(known, known.of(slice), now);
                around >= 0;
                around = running(known, known.beyond(around), now)) {
            until = Math.min(until, slices.end(around));
            nearest = nearest < 0 ? around : nearest;
            IdleCause named = rules.named(around);
            if (named != null && named.isPurpose()) {
                return around;
            }
        }
        return nearest;
    }

    private int outermost(int telling, IdleCause named, long now) {
        int told = telling;
        int around = telling;
        while (around >= 0 && rules.named(around) == named && slices.kind(told) != SliceKind.ANNOTATION) {
            told = around;
            around = running(known, known.beyond(around), now);
        }
        return told;
    }

    /** The first of these slices, from one outwards, that still runs, or -1. */
    private int running(NearestAround of, int slice, long now) {
        int found = slice;
        while (found >= 0 && slices.end(found) <= now) {
            found = of.beyond(found);
        }
        return found;
    }

    /** The outermost call of the vendor's library around this one, itself if there is none. */
    int outermostCall(int call) {
        int outer = call;
        for (int around = call; around >= 0 && slices.kind(around).isLaunchCall(); around = nesting.around(around)) {
            outer = around;
        }
        return outer;
    }

    /** Whether the host is in this call until devices have done something. */
    boolean blocks(int slice) {
        return slices.kind(slice).isLaunchCall() && rules.named(slice) == IdleCause.SYNCHRONISATION;
    }

    /** Whether this call, by its name or by what was recorded of it, may return only when devices have done something. */
    boolean mayWait(int call) {
        return rules.mayWait(call);
    }

    /** What people call the place of a call: the call, and the operator around it, else the annotation or frame. */
    String place(int call) {
        int operator = nesting.around(call);
        while (operator >= 0 && slices.kind(operator) != SliceKind.CPU_OP) {
            operator = nesting.around(operator);
        }
        int outer = operator;
        while (outer >= 0
                && slices.kind(outer) == SliceKind.CPU_OP
                && trace.name(outer).startsWith("aten::")) {
            operator = outer;
            outer = nesting.around(outer);
        }
        int frame = operator >= 0 ? operator : frames.of(nesting.around(call));
        return frame < 0 ? name(call) : name(call) + " in " + name(frame);
    }

    /** What a slice is called; objects of Python have no addresses. */
    String name(int slice) {
        String name = trace.name(slice);
        return slices.kind(slice) == SliceKind.PYTHON ? ADDRESS.matcher(name).replaceAll("") : name;
    }
}
