// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.work.KernelRooflines;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.path.Dependencies;
import dev.lockstep.path.PathClass;
import dev.lockstep.path.PathPiece;
import dev.lockstep.report.Answer;
import dev.lockstep.words.Words;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/** What bounds a recording: the class of time that most of its critical path consists of. */
enum Bound {
    INPUT("Input-bound", "waits for the data loader"),
    SYNCHRONIZATION("Synchronization-bound", "is CPU work behind waits for the GPU"),
    LAUNCH("Launch-bound", "waits for the CPU to launch work"),
    COMMUNICATION("Communication-bound", "waits for communication"),
    COPY("Copy-bound", "is copies of memory"),
    MEMORY("Memory-bound", "is kernels, most limited by memory bandwidth"),
    COMPUTE("Compute-bound", "is kernels, most limited by compute"),
    KERNELS("Kernel-bound", "is kernels"),
    START_UP("Start-up", "is start-up"),
    UNCLEAR("Unclear", "is explained by nothing in the trace");

    /** What the CPU is at fault for; the largest of these names what it is. */
    private static final Set<Bound> CPU = Set.of(INPUT, SYNCHRONIZATION, LAUNCH, START_UP);

    private static final Set<Bound> DEVICE = Set.of(MEMORY, COMPUTE, KERNELS);

    /** What limits kernels is known where it is known of this part of their time. */
    private static final double ENOUGH = 0.5;

    /** A change that gains less than this part is not worth a word in the verdict, in percent. */
    private static final long LITTLE = 2;

    private static final int PERCENT = 100;

    private final String word;
    private final String what;

    Bound(String word, String what) {
        this.word = word;
        this.what = what;
    }

    /** The stable word. */
    String id() {
        return word.toLowerCase(Locale.ROOT);
    }

    /** What bounds a recording, in words. */
    static Answer.Verdict of(ActionTrace trace, Dependencies.Result dependencies, List<Answer.Action> actions) {
        long of = dependencies.proposals().of();
        IntervalSet recorded = dependencies.steps();
        StartUp start = StartUp.of(trace, recorded.start(0), recorded.end(0));
        double known = known(trace);
        Map<Bound, Long> times = times(trace, dependencies, start, limits(trace, known));
        long all = times.values().stream().mapToLong(Long::longValue).sum();
        long cpu = sum(times, CPU);
        long kernels = sum(times, DEVICE);
        Bound other = largest(times, EnumSet.complementOf(EnumSet.copyOf(union(CPU, DEVICE))));
        Bound most = kernels >= cpu ? largest(times, DEVICE) : largest(times, CPU);
        long time = kernels >= cpu ? kernels : times.getOrDefault(most, 0L);
        if (times.getOrDefault(other, 0L) > Math.max(kernels, cpu)) {
            most = other;
            time = times.getOrDefault(other, 0L);
        }
        int steps = trace.steps.steps().size();
        String whole = Words.time(of / Math.max(1, steps)) + (steps > 0 ? " step" : " trace");
        String what = most == START_UP ? start.words(trace) : most.what;
        String text = (most == START_UP ? start.word() : most.word) + ": " + Words.share(time, all) + " of the " + whole
                + " " + (trace.isGpu() ? what : what.replace("GPU", "device")) + ".";
        if (most == KERNELS) {
            long percent = Math.round(PERCENT * known);
            text += " What limits them is unknown: "
                    + (percent == 0 ? "none has a roofline." : percent + " % of their time has a roofline.");
        } else if (actions.stream()
                .allMatch(action -> action.id().equals(LargerBatch.ID) || action.gainNs() * PERCENT < LITTLE * of)) {
            text += DEVICE.contains(most)
                    ? " No single known change would gain more than " + LITTLE + " %."
                    : without(most, time, dependencies, of, steps);
        }
        long profiler = dependencies.proposals().profiler();
        if (profiler > 0) {
            text += " In the trace, with the profiler, it takes " + Words.time((of + profiler) / steps) + ".";
        }
        return new Answer.Verdict(most.id(), all == 0 ? 0 : (double) time / all, text, of);
    }

    /** What the recording would take without what bounds it, where that is known: the most that any change can gain. */
    private static String without(Bound most, long time, Dependencies.Result dependencies, long of, int steps) {
        long gain = switch (most) {
            case LAUNCH -> gain(PathClass.HOST, dependencies);
            case COMMUNICATION -> gain(PathClass.COMMUNICATION, dependencies);
            case COPY -> gain(PathClass.COPY, dependencies);
            default -> 0;
        };
        if (gain * PERCENT < LITTLE * of || gain >= of) {
            return "";
        }
        return " Without that, the " + (steps > 0 ? "step" : "trace")
                + (2 * gain < time ? " would still take " : " would take at least ")
                + Words.time((of - gain) / Math.max(1, steps)) + ".";
    }

    /** How much shorter the recorded steps would be if a class of time took none. */
    private static long gain(PathClass of, Dependencies.Result dependencies) {
        long outside = of == PathClass.HOST
                ? dependencies.length()
                        - dependencies.steps().total()
                        + dependencies.proposals().profiler()
                : 0;
        return dependencies.opportunities().stream()
                .filter(one -> one.subject().equals(of.spelling()))
                .mapToLong(one -> Math.max(0, one.gain() - outside))
                .findFirst()
                .orElse(0);
    }

    private static Set<Bound> union(Set<Bound> some, Set<Bound> others) {
        Set<Bound> both = EnumSet.copyOf(some);
        both.addAll(others);
        return both;
    }

    private static long sum(Map<Bound, Long> times, Set<Bound> of) {
        return of.stream().mapToLong(one -> times.getOrDefault(one, 0L)).sum();
    }

    private static Bound largest(Map<Bound, Long> times, Set<Bound> of) {
        return Collections.max(of, Comparator.comparingLong(one -> times.getOrDefault(one, 0L)));
    }

    private static Map<Bound, Long> times(
            ActionTrace trace, Dependencies.Result dependencies, StartUp start, Map<Bound, Double> limits) {
        Map<Bound, Long> times = new EnumMap<>(Bound.class);
        IntervalSet loading = loading(trace);
        boolean waited = false;
        long unexplainedStart = 0;
        Busy busy = trace.busy();
        for (PathPiece whole : dependencies.path()) {
            PathPiece piece = whole.within(dependencies.steps());
            long time = piece.end() - piece.start() - piece.profiler();
            boolean starting = start.contains(piece);
            switch (piece.pathClass()) {
                case COMPUTATION -> {
                    waited = false;
                    limits.forEach((limit, part) -> times.merge(limit, Math.round(time * part), Long::sum));
                }
                case COMMUNICATION -> {
                    waited = false;
                    times.merge(COMMUNICATION, time, Long::sum);
                }
                case COPY -> {
                    waited = false;
                    times.merge(COPY, time, Long::sum);
                }
                case SYNC_LATENCY -> {
                    waited = true;
                    times.merge(SYNCHRONIZATION, time, Long::sum);
                }
                case HOST, LAUNCH_LATENCY -> {
                    long input = piece.pathClass() == PathClass.HOST
                            ? Math.min(time, loading.within(piece.start(), piece.end()))
                            : 0;
                    Bound rest = starting ? START_UP : waited ? SYNCHRONIZATION : LAUNCH;
                    times.merge(INPUT, input, Long::sum);
                    times.merge(rest, time - input, Long::sum);
                }
                case KERNEL_GAP -> times.merge(LAUNCH, time, Long::sum);
                case UNRESOLVED -> {
                    if (starting && start.isMost()) {
                        unexplainedStart += time;
                    } else {
                        unexplained(piece, busy, limits, times);
                    }
                }
            }
        }
        // The host is behind a wait after most of its waits: only what it could have done during them is theirs.
        long waits = times.getOrDefault(SYNCHRONIZATION, 0L);
        long avoidable = Math.min(waits, dependencies.proposals().waits());
        times.put(SYNCHRONIZATION, avoidable);
        times.merge(LAUNCH, waits - avoidable, Long::sum);
        giveBack(busy, dependencies, limits, times);
        times.merge(START_UP, unexplainedStart, Long::sum);
        return times;
    }

    /** A stretch that no dependency explains is what the devices do then. */
    private static void unexplained(PathPiece piece, Busy busy, Map<Bound, Double> limits, Map<Bound, Long> times) {
        long computing = busy.computation().within(piece.start(), piece.end());
        long communicating = busy.communication().within(piece.start(), piece.end());
        long copying = busy.rest().within(piece.start(), piece.end());
        limits.forEach((limit, part) -> times.merge(limit, Math.round(computing * part), Long::sum));
        times.merge(COMMUNICATION, communicating, Long::sum);
        times.merge(COPY, copying, Long::sum);
        times.merge(UNCLEAR, piece.end() - piece.start() - computing - communicating - copying, Long::sum);
    }

    /**
     * Host and device may both be on a path all the time: the host counts only as far as the recording would be shorter without it. The
     * rest is the device's, for what it does as its activities take time.
     */
    private static void giveBack(
            Busy busy, Dependencies.Result dependencies, Map<Bound, Double> limits, Map<Bound, Long> times) {
        long mended = gain(PathClass.HOST, dependencies);
        // The devices do nothing during a start.
        long start = times.getOrDefault(START_UP, 0L);
        long recorded = sum(times, CPU) - start;
        long kept = Math.min(recorded, Math.max(0, mended - start));
        if (kept == recorded) {
            return;
        }
        long back = recorded - kept;
        for (Bound one : CPU) {
            if (one != START_UP) {
                times.computeIfPresent(one, (cause, time) -> Math.round((double) time * kept / recorded));
            }
        }
        double all = Math.max(1, busy.any().total());
        limits.forEach((limit, part) ->
                times.merge(limit, Math.round(back * busy.computation().total() / all * part), Long::sum));
        times.merge(COMMUNICATION, Math.round(back * busy.communication().total() / all), Long::sum);
        times.merge(COPY, Math.round(back * busy.rest().total() / all), Long::sum);
    }

    private static IntervalSet loading(ActionTrace trace) {
        IntervalSet.Builder found = new IntervalSet.Builder();
        Slices slices = trace.slices;
        for (int slice = 0; slice < slices.size(); slice++) {
            if (slices.kind(slice).isHost() && trace.causeOf(slice) == IdleCause.DATA_LOADER) {
                found.add(slices.ts(slice), slices.end(slice));
            }
        }
        return found.build();
    }

    /** What limits kernels, by the part of their time: as in those of which it is known, unless these are few. */
    private static Map<Bound, Double> limits(ActionTrace trace, double known) {
        if (known < ENOUGH) {
            return Map.of(KERNELS, 1.0);
        }
        KernelRooflines rooflines = trace.rooflines();
        double memory =
                part(trace, rooflines::isKnown, slice -> rooflines.memoryNs(slice) > rooflines.computeNs(slice));
        return Map.of(MEMORY, memory, COMPUTE, 1 - memory);
    }

    /** The part of the time of kernels of which it is known what limits them. */
    private static double known(ActionTrace trace) {
        return part(trace, slice -> true, trace.rooflines()::isKnown);
    }

    /** The part that some kernels that compute have in the time of more of them. */
    private static double part(ActionTrace trace, IntPredicate among, IntPredicate some) {
        long all = 0;
        long found = 0;
        for (int a = 0; a < trace.activity.size(); a++) {
            int slice = trace.activity.slice(a);
            if (trace.isComputation(slice) && among.test(slice)) {
                all += trace.slices.dur(slice);
                found += some.test(slice) ? trace.slices.dur(slice) : 0;
            }
        }
        return all == 0 ? 0 : (double) found / all;
    }
}
