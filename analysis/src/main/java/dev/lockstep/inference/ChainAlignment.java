// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the calls that enqueued a chain of activities: activities that ran in the order in which they were enqueued. Calls
 * in between may have enqueued nothing that was recorded, or something elsewhere; activities may have come from no call.
 * Of all ways to lay the chain along the calls the cheapest count, by {@link WorkSequence#cost} and a price for activities
 * without call. An activity has the call that it has in every one of them; where they differ, it cannot be told.
 *
 * <p>Costs stand in a table of activities by calls (Needleman and Wunsch), of which only the band is computed that a
 * way with at most {@link #MOST_WITHOUT_CALL} activities without call can enter.
 */
final class ChainAlignment {
    /** The call of an activity that none enqueued, or of which it cannot be told. */
    static final int UNTOLD = -1;

    /** So much that no sum of the other costs is worth one more of them, but in very long chains. */
    private static final int WITHOUT_CALL = 1 << 12;

    private static final int MOST_WITHOUT_CALL = 256;
    private static final long MOST_CELLS = 48L << 20;
    private static final int FAR = 1 << 28;

    private final WorkSequence calls;
    private final WorkSequence activities;

    /** For each activity the call that it certainly has, or {@link #UNTOLD}; and for each call the activity. */
    private final int[] fixed;

    private final int[] taken;
    private final int lowest;
    private final int width;

    private ChainAlignment(WorkSequence calls, WorkSequence activities, int[] fixed, int[] taken) {
        this.calls = calls;
        this.activities = activities;
        this.fixed = fixed;
        this.taken = taken;
        this.lowest = -MOST_WITHOUT_CALL;
        this.width = Math.max(calls.size() - activities.size(), 0) + 2 * MOST_WITHOUT_CALL + 1;
    }

    /** The call of each activity, where nothing is known before. */
    static int @Nullable [] align(WorkSequence calls, WorkSequence activities) {
        if (calls.size() == activities.size()) {
            int i = 0;
            while (i < calls.size() && calls.cost(i, activities, i) < WorkSequence.CHOSEN_ANEW) {
                i++;
            }
            if (i == calls.size()) { // every other way leaves an activity without call
                int[] same = new int[i];
                Arrays.setAll(same, place -> place);
                return same;
            }
        }
        int[] open = new int[activities.size()];
        int[] free = new int[calls.size()];
        Arrays.fill(open, UNTOLD);
        Arrays.fill(free, UNTOLD);
        return align(calls, activities, open, free);
    }

    /**
     * The call of each activity; null when the sequences are too different, or too long.
     *
     * @param fixed for each activity the call that it certainly has, or {@link #UNTOLD}
     * @param taken for each call the activity of this chain that certainly has it, -2 if one of another chain has it,
     *     {@link #UNTOLD} if none is known
     */
    static int @Nullable [] align(WorkSequence calls, WorkSequence activities, int[] fixed, int[] taken) {
        ChainAlignment alignment = new ChainAlignment(calls, activities, fixed, taken);
        boolean tooLong = (long) alignment.width * (activities.size() + 1) > MOST_CELLS;
        return tooLong || activities.size() - calls.size() > MOST_WITHOUT_CALL ? null : alignment.certain();
    }

    private int cost(int activity, int call) {
        if (fixed[activity] != UNTOLD || taken[call] != UNTOLD) {
            return fixed[activity] == call ? WorkSequence.SAME : FAR;
        }
        return calls.cost(call, activities, activity);
    }

    /** Row i holds what the first i activities cost at least, when the first {@code i + lowest + k} calls are passed. */
    private int[] forwards() {
        int n = activities.size();
        int m = calls.size();
        int[] costs = new int[(n + 1) * width];
        Arrays.fill(costs, FAR);
        for (int i = 0; i <= n; i++) {
            int row = i * width;
            for (int k = 0; k < width; k++) {
                int j = i + lowest + k;
                if (j < 0 || j > m) {
                    continue;
                }
                int best = i == 0 ? 0 : FAR;
                if (k > 0 && j > 0) {
                    best = Math.min(best, costs[row + k - 1]);
                }
                if (i > 0 && k + 1 < width) {
                    best = Math.min(best, costs[row - width + k + 1] + WITHOUT_CALL);
                }
                if (i > 0 && j > 0) {
                    best = Math.min(best, costs[row - width + k] + cost(i - 1, j - 1));
                }
                costs[row + k] = Math.min(best, FAR);
            }
        }
        return costs;
    }

    private int @Nullable [] certain() {
        int n = activities.size();
        int m = calls.size();
        int[] forwards = forwards();
        int last = m - n - lowest;
        int least = last < 0 || last >= width ? FAR : forwards[n * width + last];
        if (least >= FAR || least / WITHOUT_CALL > MOST_WITHOUT_CALL) {
            return null;
        }
        int[] found = new int[n];
        int[] below = new int[width];
        int[] row = new int[width];
        Arrays.fill(below, FAR);
        for (int k = 0; k < width; k++) {
            int j = n + lowest + k;
            below[k] = j >= 0 && j <= m ? 0 : FAR;
        }
        for (int i = n - 1; i >= 0; i--) {
            found[i] = UNTOLD;
            int ways = 0;
            for (int k = width - 1; k >= 0; k--) {
                int j = i + lowest + k;
                row[k] = FAR;
                if (j < 0 || j > m) {
                    continue;
                }
                int before = forwards[i * width + k];
                if (k + 1 < width && j < m) {
                    row[k] = row[k + 1];
                }
                if (k > 0) {
                    int without = below[k - 1] + WITHOUT_CALL;
                    row[k] = Math.min(row[k], without);
                    ways += before + without == least ? 2 : 0;
                }
                if (j < m) {
                    int with = below[k] + cost(i, j);
                    row[k] = Math.min(row[k], with);
                    if (before + with == least) {
                        ways++;
                        found[i] = j;
                    }
                }
            }
            if (ways != 1) {
                found[i] = UNTOLD;
            }
            int[] swap = below;
            below = row;
            row = swap;
        }
        return found;
    }
}
