// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cause of each device activity. The activities of an operator that has a counterpart are those launched in it and not
 * in a further operator below that has one, too. They are compared by name: of equal names, the k-th with the k-th. What is
 * left on both sides is work done in another way; what is left on one side is work done more often, or by an operator that
 * the other side does not have.
 */
final class Attribution {
    private final OpForest one;
    private final OpForest two;
    private final OpAlignment alignment;
    private final SharedNames names;
    private final Cause[] cause1;
    private final Cause[] cause2;
    private final int[] context1;
    private final int[] context2;
    private final Set<Integer> known1;
    private final Set<Integer> known2;

    Attribution(OpForest one, OpForest two, OpAlignment alignment, SharedNames names) {
        this.one = one;
        this.two = two;
        this.alignment = alignment;
        this.names = names;
        cause1 = new Cause[one.trace().slices().size()];
        cause2 = new Cause[two.trace().slices().size()];
        context1 = contexts(one, true);
        context2 = contexts(two, false);
        known1 = namesOf(one);
        known2 = namesOf(two);
        IntList[] work1 = workByContext(one, context1, cause1);
        IntList[] work2 = workByContext(two, context2, cause2);
        for (int node = 0; node < one.size(); node++) {
            int other = alignment.ofBaseline(node);
            if (other >= 0) {
                compare(work1[node], work2[other]);
            }
        }
        fillAlone(one, context1, cause1, known2, Cause.ONLY_BASELINE);
        fillAlone(two, context2, cause2, known1, Cause.ONLY_CANDIDATE);
    }

    /** The cause that a device slice of a side counts for. */
    Cause cause(boolean candidate, int deviceSlice) {
        return candidate ? cause2[deviceSlice] : cause1[deviceSlice];
    }

    /** The nearest node around a node, or it itself, that has a counterpart; -1 for none. */
    int context(boolean candidate, int node) {
        return candidate ? context2[node] : context1[node];
    }

    /**
     * What the activity stands under: the operator, or its own name where the launch is unknown; null for what was launched before
     * the trace began.
     */
    @Nullable
    String subject(boolean candidate, int deviceSlice) {
        OpForest side = candidate ? two : one;
        Cause cause = cause(candidate, deviceSlice);
        int node = side.launcher(deviceSlice);
        if (node < 0) {
            return cause == Cause.LAUNCHED_BEFORE ? null : side.trace().name(deviceSlice);
        }
        boolean known = cause == Cause.SAME_KERNEL || cause == Cause.OTHER_KERNELS;
        int context = known ? context(candidate, node) : -1;
        return names.name(side.name(context < 0 ? node : context));
    }

    private int[] contexts(OpForest side, boolean baseline) {
        int[] context = new int[side.size()];
        for (int node = 0; node < context.length; node++) {
            int other = baseline ? alignment.ofBaseline(node) : alignment.ofCandidate(node);
            int above = side.parent(node);
            context[node] = other >= 0 ? node : above < 0 ? -1 : context[above];
        }
        return context;
    }

    private static Set<Integer> namesOf(OpForest side) {
        Set<Integer> known = new HashSet<>();
        for (int node = 0; node < side.size(); node++) {
            known.add(side.name(node));
        }
        return known;
    }

    private static IntList[] workByContext(OpForest side, int[] context, Cause[] cause) {
        IntList[] work = new IntList[side.size()];
        long[] first = firstLaunched(side);
        for (int device : side.launched()) {
            int node = side.launcher(device);
            if (node < 0) {
                cause[device] = side.trace().slices().ts(device)
                                < first[side.trace().slices().track(device)]
                        ? Cause.LAUNCHED_BEFORE
                        : Cause.UNLINKED;
            } else if (context[node] >= 0) {
                if (work[context[node]] == null) {
                    work[context[node]] = new IntList(4);
                }
                work[context[node]].add(device);
            }
        }
        return work;
    }

    /** By track, when the first activity began whose launch is known: what a stream runs before had been launched before. */
    private static long[] firstLaunched(OpForest side) {
        Slices slices = side.trace().slices();
        long[] first = new long[side.trace().tracks().size()];
        Arrays.fill(first, Long.MIN_VALUE);
        for (int device : side.launched()) {
            int track = slices.track(device);
            if (side.launcher(device) >= 0 && (first[track] == Long.MIN_VALUE || slices.ts(device) < first[track])) {
                first[track] = slices.ts(device);
            }
        }
        return first;
    }

    private void compare(@Nullable IntList first, @Nullable IntList second) {
        if (first == null || second == null) {
            return;
        }
        Map<String, int[]> counts = new HashMap<>();
        count(one, first, 0, counts);
        count(two, second, 1, counts);
        boolean left1 = mark(one, first, 0, counts, cause1);
        boolean left2 = mark(two, second, 1, counts, cause2);
        if (left1 && left2) {
            markRest(first, cause1);
            markRest(second, cause2);
        }
    }

    private static void count(OpForest side, IntList work, int place, Map<String, int[]> counts) {
        for (int i = 0; i < work.size(); i++) {
            counts.computeIfAbsent(side.trace().name(work.get(i)), n -> new int[4])[place]++;
        }
    }

    /** Marks what has a counterpart of the same name; returns whether anything is left. */
    private static boolean mark(OpForest side, IntList work, int place, Map<String, int[]> counts, Cause[] cause) {
        boolean left = false;
        for (int i = 0; i < work.size(); i++) {
            int[] count = counts.getOrDefault(side.trace().name(work.get(i)), new int[4]);
            if (count[2 + place]++ < Math.min(count[0], count[1])) {
                cause[work.get(i)] = Cause.SAME_KERNEL;
            } else {
                left = true;
            }
        }
        return left;
    }

    private static void markRest(IntList work, Cause[] cause) {
        for (int i = 0; i < work.size(); i++) {
            if (cause[work.get(i)] == null) {
                cause[work.get(i)] = Cause.OTHER_KERNELS;
            }
        }
    }

    private static void fillAlone(OpForest side, int[] context, Cause[] cause, Set<Integer> known, Cause only) {
        for (int device : side.launched()) {
            if (cause[device] == null) {
                int node = side.launcher(device);
                cause[device] = context[node] == node
                        ? Cause.KERNEL_COUNT
                        : known.contains(side.name(node)) ? Cause.CALL_COUNT : only;
            }
        }
    }
}
