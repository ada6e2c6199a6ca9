// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.LongOrder;

/** The activities of a rank in the order in which they end. */
final class Endings {
    private final RankGraph rank;
    private final int[] byEnd;

    Endings(RankGraph rank) {
        this.rank = rank;
        byEnd = new int[rank.activity.size()];
        long[] keys = new long[byEnd.length];
        for (int a = 0; a < byEnd.length; a++) {
            byEnd[a] = a;
            keys[a] = rank.end(a);
        }
        LongOrder.sort(keys, byEnd);
    }

    /** Number of activities. */
    int size() {
        return byEnd.length;
    }

    /** The activity at a place of the order. */
    int at(int place) {
        return byEnd[place];
    }

    /** The place of the last activity that ended by a moment, or -1. */
    int lastBy(long moment) {
        int from = 0;
        int to = byEnd.length;
        while (from < to) {
            int middle = from + to >>> 1;
            if (rank.end(byEnd[middle]) <= moment) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from - 1;
    }
}
