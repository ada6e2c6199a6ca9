// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

/** Told what happens while a schedule is simulated. For each rank, beginnings come in order of time, but for few. */
public interface Activity {
    /** Takes note of nothing. */
    Activity IGNORED = (rank, kind, start, end) -> {};

    /**
     * A processor of a rank was busy.
     *
     * @param kind of the operation that kept it busy; waiting for others is not busy
     */
    void busy(int rank, byte kind, long start, long end);
}
