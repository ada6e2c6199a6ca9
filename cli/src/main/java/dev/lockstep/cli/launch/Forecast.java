// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a launch will still take: runs to come are taken to last as long as those that are done. */
final class Forecast {
    private static final double LEAST_SHARE = 0.05;

    private final int runs;
    private int started;
    private int timed;
    private Duration spent = Duration.ZERO;

    Forecast(int runs) {
        this.runs = runs;
    }

    /** A run begins, or need not. */
    void begin() {
        started++;
    }

    /** A run has ended by itself. */
    void ended(Duration duration) {
        timed++;
        spent = spent.plus(duration);
    }

    /**
     * @param elapsed of the current run
     * @param share of it that is done, or 0 if nobody knows
     * @return null while nothing is known
     */
    @Nullable
    Duration left(Duration elapsed, double share) {
        Duration whole;
        if (share >= LEAST_SHARE) {
            whole = Duration.ofMillis(Math.round(elapsed.toMillis() / share));
        } else if (timed > 0) {
            whole = spent.dividedBy(timed);
        } else {
            return null;
        }
        Duration other = timed > 0 ? spent.dividedBy(timed) : whole;
        Duration current = whole.minus(elapsed);
        return (current.isNegative() ? Duration.ZERO : current).plus(other.multipliedBy(Math.max(0, runs - started)));
    }

    /** Which run is going on, counted from 1. */
    int current() {
        return started;
    }

    int runs() {
        return runs;
    }
}
