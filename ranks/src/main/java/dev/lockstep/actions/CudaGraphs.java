// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.work.CopyWay;
import dev.lockstep.derive.NameTest;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.path.Changes;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Steps that launch the same kernels one by one, each time: as a graph that was captured once, they are launched at once. What loads
 * data, copies to or from the host or waits for the device is no part of a graph. A stage of a pipeline is not asked: its neighbours
 * set its pace.
 */
final class CudaGraphs implements Action {
    /** Fewer launches in a step are not worth a graph. */
    private static final int FEWEST = 20;

    private static final Pattern VENDORS = Pattern.compile("^(?:cuda|cu|hip|musa)");
    private static final Pattern GRAPHS = Pattern.compile(VENDORS + "GraphLaunch");
    private static final Pattern OPTIMIZER = Pattern.compile("^Optimizer\\.(?:step|zero_grad)#");

    /** A part of a step on one thread that a graph can take over. */
    private record Part(int step, int first, long from, long to, boolean ofOptimizer) {}

    @Override
    public String id() {
        return "cuda_graphs";
    }

    @Override
    public @Nullable Offer in(ActionTrace trace) {
        if (!trace.isTorch()
                || trace.steps.steps().size() < 2
                || hasGraphs(trace)
                || trace.hasHostCollectives()
                || !repeats(trace)
                || trace.exchangesMessages()) {
            return null;
        }
        List<Part> parts = parts(trace);
        Changes likely = changes(trace, parts);
        Changes least =
                changes(trace, parts.stream().filter(part -> !part.ofOptimizer).toList());
        return likely.isEmpty()
                ? null
                : new Offer(
                        "Capture the step as a CUDA graph",
                        "torch.compile(mode=\"reduce-overhead\")",
                        "Shapes repeat in every step, and the optimizer is capturable (low: without it).",
                        places(trace),
                        likely,
                        least,
                        likely);
    }

    private static boolean hasGraphs(ActionTrace trace) {
        NameTest graphs = new NameTest(trace.trace, GRAPHS);
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            if (trace.slices.kind(slice).isLaunchCall() && graphs.isMeant(slice)) {
                return true;
            }
        }
        return false;
    }

    /** Whether most steps run the same kernels in the same order; the first may differ. */
    private static boolean repeats(ActionTrace trace) {
        IntList[] names = new IntList[trace.steps.steps().size()];
        Arrays.setAll(names, step -> new IntList(64));
        for (Launching one : trace.launching()) {
            int step = trace.steps.at(one.launched(trace));
            for (int i = 0; step >= 0 && i < one.activities().size(); i++) {
                int slice = one.activities().get(i);
                if (trace.slices.kind(slice) == SliceKind.KERNEL) {
                    names[step].add(trace.slices.name(slice));
                }
            }
        }
        int[] last = names[names.length - 1].toArray();
        for (int step = Math.min(1, names.length - 2); step < names.length; step++) {
            if (!Arrays.equals(names[step].toArray(), last)) {
                return false;
            }
        }
        return last.length >= FEWEST;
    }

    /** What lies on a thread in a row within a step, of operators that a graph can take over, with what the thread does between. */
    private static List<Part> parts(ActionTrace trace) {
        boolean[] outside = outside(trace);
        NameTest optimizers = new NameTest(trace.trace, OPTIMIZER);
        int tracks = trace.trace.tracks().size();
        long[] covered = new long[tracks];
        Arrays.fill(covered, Long.MIN_VALUE);
        @Nullable Part[] open = new @Nullable Part[tracks];
        List<Part> parts = new ArrayList<>();
        for (int slice = 0; slice < trace.slices.size(); slice++) {
            SliceKind kind = trace.slices.kind(slice);
            int track = trace.slices.track(slice);
            long from = trace.slices.ts(slice);
            if (!kind.isHost() || from < covered[track] || !isUnit(trace, slice)) {
                continue;
            }
            covered[track] = trace.slices.end(slice);
            int step = trace.steps.at(from);
            boolean inside = step >= 0
                    && !outside[slice]
                    && (kind == SliceKind.CPU_OP || launchesKernel(trace.trace.name(slice)));
            boolean optimizer = inside && isWithin(trace, slice, optimizers);
            Part before = open[track];
            if (inside && before != null && before.step == step && before.ofOptimizer == optimizer) {
                open[track] = new Part(step, before.first, before.from, covered[track], optimizer);
                continue;
            }
            if (before != null) {
                parts.add(before);
            }
            open[track] = inside ? new Part(step, slice, from, covered[track], optimizer) : null;
        }
        for (Part last : open) {
            if (last != null) {
                parts.add(last);
            }
        }
        return parts;
    }

    private static boolean launchesKernel(String call) {
        int launch = call.indexOf("Launch");
        return launch > 0
                && call.indexOf("Kernel", launch) > 0
                && VENDORS.matcher(call).lookingAt();
    }

    /** Whether a slice is judged as a whole. */
    private static boolean isUnit(ActionTrace trace, int slice) {
        SliceKind kind = trace.slices.kind(slice);
        return kind == SliceKind.CPU_OP || kind.isLaunchCall() || trace.causeOf(slice) == IdleCause.DATA_LOADER;
    }

    /** By slice: whether something within it, or what it is, cannot be captured. */
    private static boolean[] outside(ActionTrace trace) {
        boolean[] outside = new boolean[trace.slices.size()];
        Set<IdleCause> never = Set.of(IdleCause.DATA_LOADER, IdleCause.SYNCHRONISATION);
        for (int slice = 0; slice < outside.length; slice++) {
            IdleCause cause = trace.slices.kind(slice).isHost() ? trace.causeOf(slice) : null;
            if (cause != null && never.contains(cause)) {
                mark(trace, slice, outside);
            }
        }
        for (int a = 0; a < trace.activity.size(); a++) {
            int slice = trace.activity.slice(a);
            if (trace.slices.kind(slice) == SliceKind.MEMCPY
                    && CopyWay.of(trace.trace.name(slice)).isOverLink()) {
                mark(trace, trace.links.launchOf(slice), outside);
            }
        }
        return outside;
    }

    private static void mark(ActionTrace trace, int slice, boolean[] outside) {
        for (int one = slice; one >= 0 && !outside[one]; one = trace.nesting.around(one)) {
            outside[one] = true;
        }
    }

    private static boolean isWithin(ActionTrace trace, int slice, NameTest names) {
        for (int one = trace.nesting.around(slice); one >= 0; one = trace.nesting.around(one)) {
            if (names.isMeant(one)) {
                return true;
            }
        }
        return false;
    }

    /** Parts take no time, and all but the first kernel of a step are there when their turn comes. */
    private static Changes changes(ActionTrace trace, List<Part> parts) {
        Changes changes = new Changes();
        boolean[] begun = new boolean[trace.steps.steps().size()];
        Map<Integer, IntervalSet.Builder> spared = new HashMap<>();
        for (Part part : parts) {
            changes.spares(part.first, part.from, part.to);
            spared.computeIfAbsent(trace.slices.track(part.first), track -> new IntervalSet.Builder())
                    .add(part.from, part.to);
        }
        Map<Integer, IntervalSet> taken = new HashMap<>();
        spared.forEach((track, spans) -> taken.put(track, spans.build()));
        for (Launching one : trace.launching()) {
            for (int i = 0; i < one.activities().size(); i++) {
                int slice = one.activities().get(i);
                int call = trace.links.launchOf(slice);
                long ts = trace.slices.ts(call);
                IntervalSet spans = taken.get(trace.slices.track(call));
                int step = trace.steps.at(ts);
                if (spans != null
                        && spans.within(ts, ts + 1) > 0
                        && step >= 0
                        && trace.slices.kind(slice).isDeviceActivity()) {
                    if (begun[step]) {
                        changes.isLaunchedAhead(slice);
                    }
                    begun[step] = true;
                }
            }
        }
        return changes;
    }

    private static Evidence places(ActionTrace trace) {
        List<Evidence.Place> places = new ArrayList<>();
        for (Steps.Step step : trace.steps.steps()) {
            places.add(new Evidence.Place("step " + step.number(), step.start(), step.end()));
        }
        return new Evidence.Places(places, places.size());
    }
}
