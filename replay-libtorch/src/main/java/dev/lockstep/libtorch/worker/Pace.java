// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import java.util.function.LongSupplier;

/**
 * Says when executions must end, so that what was measured is told before the time is up: when three quarters of it are
 * over, or when another execution, as long as the longest before it, would not end in time.
 */
final class Pace {
    private static final double SHARE = 0.75;
    private static final double AT_LAST = 0.9;

    private final LongSupplier clock;
    private final long limit;
    private final long began;
    private long last;
    private long longest;

    /** @param limitNs time for all, from now on */
    Pace(long limitNs) {
        this(limitNs, System::nanoTime);
    }

    /** @param clock the time now in nanoseconds, from whatever beginning */
    Pace(long limitNs, LongSupplier clock) {
        this.clock = clock;
        limit = limitNs;
        began = clock.getAsLong();
        last = began;
    }

    /** An execution begins now; what was done since the one before is none. */
    void lap() {
        last = clock.getAsLong();
    }

    /** To be asked after each execution. */
    boolean isOver() {
        long now = clock.getAsLong();
        longest = Math.max(longest, now - last);
        last = now;
        return now - began > SHARE * limit || now - began + longest > AT_LAST * limit;
    }
}
