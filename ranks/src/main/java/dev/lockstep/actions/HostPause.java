// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.path.Changes;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Quantiles;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Long stretches within steps in which the host neither runs operators nor calls the vendor's library nor loads data: garbage
 * collection, a checkpoint, logging, or what nothing records.
 */
final class HostPause implements Action {
    /** Python between two operators takes less, even where its stack is recorded. */
    private static final long SHORTEST = 1_000_000;

    /** A pause lasts so many times as long as such stretches usually do. */
    private static final int TIMES_USUAL = 20;

    /** What covers this part of a pause is what the host did. */
    private static final double MOST = 0.9;

    /** What is no pause, but what other actions are about. */
    private static final Set<@Nullable IdleCause> OTHERS =
            EnumSet.of(IdleCause.DATA_LOADER, IdleCause.OPTIMIZER, IdleCause.COMPILATION);

    private static final Map<IdleCause, String> CURES = Map.of(
            IdleCause.GARBAGE_COLLECTION, "gc.freeze(), gc.disable()",
            IdleCause.CHECKPOINT, "save in another thread or process");

    @Override
    public String id() {
        return "host_pause";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        int[] marks = trace.steps.marks();
        if (marks.length == 0 || trace.hasHostCollectives()) {
            return null;
        }
        int thread = trace.slices.track(marks[0]);
        IntervalSet pauses = trace.pauses();
        BitSet steps = new BitSet();
        for (int i = 0; i < pauses.size(); i++) {
            // One between two steps belongs to the second.
            int step = Math.max(trace.steps.at(pauses.start(i)), trace.steps.at(pauses.end(i) - 1));
            if (step >= 0) {
                steps.set(step);
            }
        }
        if (pauses.size() < 2 || marks.length > 1 && steps.cardinality() < 2) {
            return null;
        }
        Changes changes = new Changes();
        Map<String, Long> cures = new TreeMap<>();
        List<Evidence.Place> places = new ArrayList<>();
        long longest = 0;
        IntList ofThread = longOnes(trace, thread);
        for (int i = 0; i < pauses.size(); i++) {
            long from = pauses.start(i);
            long to = pauses.end(i);
            int inside = inside(trace, ofThread, from, to);
            longest = Math.max(longest, to - from);
            changes.spares(marks[0], from, to);
            String name = inside < 0 ? "nothing recorded" : trace.trace.name(inside);
            places.add(new Evidence.Place(name, from, to));
            cures.merge(cure(trace, inside), to - from, Long::sum);
        }
        String cure = cures.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        int each = pauses.size() / marks.length;
        boolean even = pauses.size() % marks.length == 0;
        String many = even && each == 1 && marks.length > 1
                ? "a CPU pause of " + Words.time(longest) + " in each step"
                : Words.count(even ? each : pauses.size(), "CPU pause", "CPU pauses")
                        + (even && marks.length > 1 ? " a step" : "") + ", up to " + Words.time(longest);
        return new Offer(
                "Avoid " + many,
                cure,
                "Nothing that follows needs what the CPU does in its pauses.",
                trace.longest(places),
                changes);
    }

    /** What {@link ActionTrace#pauses} keeps. */
    static IntervalSet find(ActionTrace trace) {
        int[] marks = trace.steps.marks();
        int thread = marks.length == 0 ? -1 : trace.slices.track(marks[0]);
        IntervalSet.Builder working = new IntervalSet.Builder();
        BitSet launching = new BitSet();
        for (int a = 0; a < trace.activity.size(); a++) {
            int call = trace.links.launchOf(trace.activity.slice(a));
            if (call >= 0) {
                launching.set(trace.slices.track(call));
            }
        }
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            SliceKind kind = trace.slices.kind(slice);
            boolean works = kind == SliceKind.CPU_OP || kind.isLaunchCall() || kind == SliceKind.OVERHEAD;
            if (works && launching.get(trace.slices.track(slice))
                    || kind.isHost() && trace.slices.track(slice) == thread && OTHERS.contains(trace.causeOf(slice))) {
                working.add(trace.slices.ts(slice), trace.slices.end(slice));
            }
        }
        IntervalSet steps = trace.spanOfSteps();
        IntervalSet free = steps.minus(working.build());
        long[] lengths = new long[free.size()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = free.end(i) - free.start(i);
        }
        long usual = lengths.length == 0 ? 0 : Quantiles.lowerMedianOf(lengths);
        IntervalSet.Builder found = new IntervalSet.Builder();
        for (int i = 0; i < free.size(); i++) {
            if (free.end(i) - free.start(i) >= Math.max(SHORTEST, TIMES_USUAL * usual)) {
                found.add(free.start(i), free.end(i));
            }
        }
        return found.build();
    }

    /** Slices of a thread that may cover a pause, in order; what holds whole steps says nothing. */
    private static IntList longOnes(ActionTrace trace, int thread) {
        IntList found = new IntList(64);
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            if (trace.slices.track(slice) == thread
                    && trace.slices.dur(slice) >= MOST * SHORTEST
                    && trace.steps.at(trace.slices.ts(slice)) >= 0
                    && !trace.isStep(slice)) {
                found.add(slice);
            }
        }
        return found;
    }

    /** The shortest of these slices that covers most of a pause; -1 where none does. */
    private static int inside(ActionTrace trace, IntList slices, long from, long to) {
        int found = -1;
        for (int i = 0; i < slices.size() && trace.slices.ts(slices.get(i)) < to; i++) {
            int slice = slices.get(i);
            if ((found < 0 || trace.slices.dur(slice) < trace.slices.dur(found))
                    && Math.min(to, trace.slices.end(slice)) - Math.max(from, trace.slices.ts(slice))
                            >= MOST * (to - from)) {
                found = slice;
            }
        }
        return found;
    }

    /** What to do about a pause, or where in the program it lies. */
    private static String cure(ActionTrace trace, int inside) {
        if (inside < 0) {
            return "";
        }
        IdleCause cause = trace.causeOf(inside);
        String cure = cause == null ? null : CURES.get(cause);
        String frame = trace.frameOf(inside);
        boolean own = trace.slices.kind(inside) != SliceKind.PYTHON || trace.isOwnFrame(inside);
        return cure != null && trace.isTorch()
                ? cure
                : "in " + (own || frame == null ? trace.trace.name(inside) : frame);
    }
}
