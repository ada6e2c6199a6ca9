// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * What happens within a node in a simulation: calculations, and transfers between its ranks, which schedules hold as
 * calculations.
 *
 * @param computeFaster by what the durations of calculations are divided, more than 0
 * @param transferFaster by what those of transfers within nodes are divided, more than 0
 * @param bytesPerMicrosecond the bandwidth that transfers have before that; 0 for the one that the schedule was made with
 */
public record Machine(double computeFaster, double transferFaster, long bytesPerMicrosecond) {
    /** Everything takes what the schedule says. */
    public static final Machine AS_SCHEDULED = new Machine(1, 1, 0);

    /**
     * Whether transfers are to take other times than those of the schedule.
     *
     * @return false where they are like everything else
     */
    public boolean changesTransfers() {
        return transferFaster != 1 || bytesPerMicrosecond > 0;
    }

    /**
     * Whether anything is to take another time than that of the schedule.
     *
     * @return false for {@link #AS_SCHEDULED}
     */
    public boolean changes() {
        return computeFaster != 1 || changesTransfers();
    }

    /**
     * What a transfer takes.
     *
     * @param bytes that are moved
     * @param scheduledNs what it takes in the schedule
     * @return nanoseconds
     * @throws ArithmeticException when they are beyond what 64 bits can count
     */
    public long transferNs(long bytes, long scheduledNs) {
        long ns = bytesPerMicrosecond == 0
                ? scheduledNs
                : bytes <= Long.MAX_VALUE / 1000
                        ? bytes * 1000 / bytesPerMicrosecond
                        : Math.multiplyExact(bytes / bytesPerMicrosecond, 1000);
        return divided(ns, transferFaster);
    }

    /**
     * What a calculation takes.
     *
     * @param scheduledNs what it takes in the schedule
     * @return nanoseconds
     * @throws ArithmeticException when they are beyond what 64 bits can count
     */
    public long computeNs(long scheduledNs) {
        return divided(scheduledNs, computeFaster);
    }

    private static long divided(long ns, double by) {
        if (by == 1) {
            return ns;
        }
        long divided = Math.round(ns / by);
        if (divided == Long.MAX_VALUE) {
            throw new ArithmeticException(ns + " ns divided by " + by);
        }
        return divided;
    }
}
