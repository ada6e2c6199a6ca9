// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.derive.Steps.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocks that every step leaves behind: of the same owner and size, and never freed in the trace. Nothing of that
 * is chance. What lives for a while is no such block: the first two steps must have left theirs for longer than any block of
 * that owner and size ever lived that was freed, and as many of that size as a step frees of what was there before
 * the steps do not count, since the recording may just not last until these go, too. Of the last step nothing is demanded:
 * recordings often end within it.
 *
 * @param owner who asks for them
 * @param bytes of one of them
 * @param blocks how many each step leaves at least
 * @param steps how many steps leave that many
 */
public record KeptBlocks(String owner, long bytes, int blocks, int steps) {
    /** Fewer steps show nothing: what the last leaves counts for little, and one step alone does not repeat. */
    private static final int FEWEST_STEPS = 3;

    private record Kind(String owner, long bytes) {}

    /** Of blocks of one kind: how many each step leaves, and for how many steps the oldest lived that was freed. */
    private static final class LeftBehind {
        final int[] left;
        int oldest;

        LeftBehind(int steps) {
            left = new int[steps];
        }
    }

    /** Bytes of the blocks that each step leaves. */
    public long bytesPerStep() {
        return bytes * blocks;
    }

    /** Those of all steps, most bytes first; none where blocks cannot be told apart or there are fewer than three steps. */
    static List<KeptBlocks> of(AllocatorLog log, AllocationOwners owners, List<Step> steps) {
        int n = steps.size();
        if (n < FEWEST_STEPS || !log.hasAddresses()) {
            return List.of();
        }
        int[] begins = new int[n + 1];
        for (int step = 0; step < n; step++) {
            begins[step] = log.firstAt(steps.get(step).start());
        }
        begins[n] = log.firstAt(steps.getLast().end());
        Map<Kind, LeftBehind> kinds = left(log, owners, begins);
        if (kinds.isEmpty()) {
            return List.of();
        }
        Map<Long, int[]> gone = new HashMap<>();
        kinds.keySet().forEach(kind -> gone.put(kind.bytes, new int[n]));
        takenBack(log, owners, begins, kinds, gone);
        List<KeptBlocks> kept = new ArrayList<>();
        kinds.forEach((kind, fate) -> {
            int blocks = least(fate.left) - most(gone.getOrDefault(kind.bytes, new int[n]));
            if (blocks > 0 && n - 1 - fate.oldest >= 2) {
                int leaving = 0;
                for (int left : fate.left) {
                    leaving += left >= blocks ? 1 : 0;
                }
                kept.add(new KeptBlocks(kind.owner, kind.bytes, blocks, leaving));
            }
        });
        kept.sort(Comparator.comparingLong((KeptBlocks one) -> -one.bytesPerStep())
                .thenComparing(KeptBlocks::owner)
                .thenComparingLong(KeptBlocks::bytes));
        return List.copyOf(kept);
    }

    /** The kinds of which each step but the last leaves some. */
    private static Map<Kind, LeftBehind> left(AllocatorLog log, AllocationOwners owners, int[] begins) {
        int n = begins.length - 1;
        Map<Kind, LeftBehind> kinds = new HashMap<>();
        for (int step = 0; step < n; step++) {
            for (int i = begins[step]; i < begins[step + 1]; i++) {
                if (log.bytes(i) > 0 && log.end(i) == AllocatorLog.NEVER) {
                    kinds.computeIfAbsent(kind(log, owners, i), kind -> new LeftBehind(n)).left[step]++;
                }
            }
        }
        kinds.values().removeIf(fate -> least(fate.left) == 0);
        return kinds;
    }

    /** @param gone takes, by size, how many blocks each step frees that were there before the first */
    private static void takenBack(
            AllocatorLog log,
            AllocationOwners owners,
            int[] begins,
            Map<Kind, LeftBehind> kinds,
            Map<Long, int[]> gone) {
        for (int step = 0; step + 1 < begins.length; step++) {
            for (int i = begins[step]; i < begins[step + 1]; i++) {
                int[] ofSize = gone.get(Math.abs(log.bytes(i)));
                int other = log.end(i);
                if (ofSize == null) {
                    continue;
                }
                if (!log.givesOut(i)) {
                    ofSize[step] += other == AllocatorLog.NEVER || other < begins[0] ? 1 : 0;
                } else if (other != AllocatorLog.NEVER) {
                    LeftBehind kind = kinds.get(kind(log, owners, i));
                    if (kind != null) {
                        kind.oldest = Math.max(kind.oldest, stepOf(begins, other) - step);
                    }
                }
            }
        }
    }

    /** The step in which an event lies that comes after the first step's begin; the number of steps for what comes later. */
    private static int stepOf(int[] begins, int event) {
        int place = Arrays.binarySearch(begins, event);
        if (place < 0) {
            return -place - 2;
        }
        while (place + 1 < begins.length && begins[place + 1] == event) {
            place++;
        }
        return place;
    }

    private static Kind kind(AllocatorLog log, AllocationOwners owners, int event) {
        return new Kind(owners.of(log.row(event)).name(), log.bytes(event));
    }

    /** The least of all steps but the last. */
    private static int least(int[] left) {
        int least = Integer.MAX_VALUE;
        for (int step = 0; step < left.length - 1; step++) {
            least = Math.min(least, left[step]);
        }
        return least;
    }

    /** The most of all steps but the first, which frees what the step before the recording left. */
    private static int most(int[] gone) {
        int most = 0;
        for (int step = 1; step < gone.length; step++) {
            most = Math.max(most, gone[step]);
        }
        return most;
    }
}
