// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import java.util.List;

/**
 * When a simulated schedule was done. Ownership of the arrays passes to the record.
 *
 * @param makespanNs when the last rank was done, in nanoseconds from the beginning
 * @param finishNs for each rank, when the last of its processors was free
 * @param busyNs for each rank, how long at least one processor calculated, or was occupied by taking or giving a message; waiting
 *     for others is not busy
 * @param events how many events were handled
 * @param stuck how many operations never ended
 * @param waiting the first of those that had started and never ended
 */
@SuppressWarnings("ArrayRecordComponent")
public record SimulatedTimes(
        long makespanNs, long[] finishNs, long[] busyNs, long events, long stuck, List<Waiting> waiting) {
    /**
     * An operation that started and never ended.
     *
     * @param rank the rank it belongs to
     * @param operation its number within the rank, in the order of the file
     */
    public record Waiting(int rank, int operation) {}

    /** Copies the list. */
    public SimulatedTimes {
        waiting = List.copyOf(waiting);
    }

    /**
     * How long a rank had nothing to do until the last rank was done.
     *
     * @param rank the rank
     * @return nanoseconds
     */
    public long idleNs(int rank) {
        return makespanNs - busyNs[rank];
    }
}
