// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

/**
 * Says when executions must end, so that what was measured is told before the time is up: when three quarters of it are
 * over, or when another execution, as long as the longest before it, would not end in time.
 */
final class Pace {
    private static final double SHARE = 0.75;
    private static final double AT_LAST = 0.9;

    private final long limit;
    private final long began = System.nanoTime();
    private long last = began;
    private long longest;

    /** @param limitNs time for all, from now on */
    Pace(long limitNs) {
        limit = limitNs;
    }

    /** An execution begins now; what was done since the one before is none. */
    void lap() {
        last = System.nanoTime();
    }

    /** To be asked after each execution. */
    boolean isOver() {
        long now = System.nanoTime();
        longest = Math.max(longest, now - last);
        last = now;
        return now - began > SHARE * limit || now - began + longest > AT_LAST * limit;
    }
}
