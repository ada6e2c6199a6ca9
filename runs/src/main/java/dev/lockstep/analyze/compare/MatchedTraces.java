// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

/**
 * Two traces whose operators are paired and whose activities have a cause.
 *
 * @param one the baseline
 * @param two the candidate
 * @param alignment which operators are each other's counterparts
 * @param attribution the cause of each activity
 * @param names names of both
 */
record MatchedTraces(OpForest one, OpForest two, OpAlignment alignment, Attribution attribution, SharedNames names) {
    /** A side: 0 is the baseline, 1 the candidate. */
    OpForest side(int side) {
        return side == 0 ? one : two;
    }
}
