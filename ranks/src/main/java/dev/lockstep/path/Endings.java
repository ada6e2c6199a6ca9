// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.LongOrder;

/** The activities of a rank in the order in which they end. */
final class Endings {
    private final int[] byEnd;
    private final long[] ends;

    Endings(RankGraph rank) {
        byEnd = new int[rank.activity.size()];
        ends = new long[byEnd.length];
        for (int a = 0; a < byEnd.length; a++) {
            byEnd[a] = a;
            ends[a] = rank.end(a);
        }
        LongOrder.sort(ends, byEnd);
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
        return LongOrder.countBelow(ends, moment + 1) - 1;
    }
}
