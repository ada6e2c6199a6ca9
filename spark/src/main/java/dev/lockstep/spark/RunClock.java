// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import dev.lockstep.clocks.CommonClock;
import java.io.Serializable;
import java.util.HashMap;

/**
 * One clock for the ranks of a run.
 *
 * @param clock knows ranks by their places
 * @param places of ranks, by number
 */
record RunClock(CommonClock clock, HashMap<Integer, Integer> places) implements Serializable {
    /** The place of a rank, 0 for one that is not known. */
    int place(int rank) {
        return places.getOrDefault(rank, 0);
    }
}
