// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.Trend;

/** Tells ranks that fall behind more and more over a run, as a device that throttles does. */
final class RisingExcess {
    private RisingExcess() {}

    /**
     * {@return whether what a rank takes longer grows over the run by more than chance, and at least doubles from begin to end}
     *
     * @param excess what it takes longer in each step; NaN for steps in which it is not compared
     * @param ranks among so many this is one that might rise
     */
    static boolean rises(double[] excess, int ranks) {
        Trend trend = Trend.of(excess, Math.max(2, ranks));
        return trend.rises() && trend.rise() > trend.mean();
    }
}
