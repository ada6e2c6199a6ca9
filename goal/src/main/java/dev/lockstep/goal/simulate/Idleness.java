// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

/** How long any processor of a rank was busy. */
final class Idleness {
    private final long[] covered;
    private final long[] busy;

    Idleness(int ranks) {
        covered = new long[ranks];
        busy = new long[ranks];
    }

    void busy(int rank, long start, long end) {
        long from = Math.max(start, covered[rank]);
        if (end > from) {
            busy[rank] += end - from;
            covered[rank] = end;
        }
    }

    long[] busy() {
        return busy.clone();
    }
}
