// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

/**
 * Says when executions must end, so that what was measured is told before the time is up: when three quarters of it are
 * over, one execution more may take the rest.
 */
final class Pace {
    private static final double SHARE = 0.75;

    private final long began = System.nanoTime();
    private final long most;

    /** @param limitNs time for all, from now on */
    Pace(long limitNs) {
        most = (long) (limitNs * SHARE);
    }

    boolean isOver() {
        return System.nanoTime() - began > most;
    }
}
