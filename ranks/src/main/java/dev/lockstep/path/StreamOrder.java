// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.LongIntMap;
import java.util.Arrays;

/**
 * What each activity follows on its stream. A stream starts its work in order, but the next may start while the one before still
 * runs, as programs may ask for, and as the clocks of devices make it look. So an activity follows the one that started before it,
 * and, where an earlier one ended behind that, this one as well.
 */
final class StreamOrder {
    private final RankGraph rank;
    private final int[] before;

    /** Of activities that follow a second one. */
    private final LongIntMap others = new LongIntMap(4);

    StreamOrder(RankGraph rank) {
        this.rank = rank;
        before = new int[rank.activity.size()];
        int[] last = new int[rank.activity.streams().size()];
        Arrays.fill(last, -1);
        int[] lastToEnd = last.clone();
        for (int a = 0; a < before.length; a++) {
            int stream = rank.activity.streamOf(a);
            before[a] = last[stream];
            int other = lastToEnd[stream];
            if (other >= 0 && rank.end(other) > rank.end(before[a]) && rank.end(other) <= rank.start(a)) {
                others.put(a, other);
            }
            last[stream] = a;
            lastToEnd[stream] = other < 0 || rank.end(a) >= rank.end(other) ? a : other;
        }
    }

    /** The activity that started before this one on its stream, -1 for none. It may still have run. */
    int before(int a) {
        return before[a];
    }

    /** An activity that started before that one, ended behind it, and had ended when this one started; -1 for none. */
    int alsoBefore(int a) {
        return others.size() == 0 ? -1 : others.get(a);
    }

    /** When what it follows has ended; the least long where it follows nothing. */
    long lastEnd(int a) {
        int other = alsoBefore(a);
        return before[a] < 0 ? Long.MIN_VALUE : rank.end(other < 0 ? before[a] : other);
    }
}
