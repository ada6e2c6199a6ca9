// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.analyze.time.IdleAccount;

/**
 * Two traces whose operators are paired and whose activities have a cause.
 *
 * @param one the baseline
 * @param two the candidate
 * @param alignment which operators are each other's counterparts
 * @param attribution the cause of each activity
 * @param names names of both
 * @param idle1 what filled the idle time of the baseline
 * @param idle2 what filled that of the candidate
 */
record MatchedTraces(
        OpForest one,
        OpForest two,
        OpAlignment alignment,
        Attribution attribution,
        SharedNames names,
        IdleAccount idle1,
        IdleAccount idle2) {
    /** A side: 0 is the baseline, 1 the candidate. */
    OpForest side(int side) {
        return side == 0 ? one : two;
    }

    /** What filled the idle time of a side. */
    IdleAccount idle(int side) {
        return side == 0 ? idle1 : idle2;
    }
}
