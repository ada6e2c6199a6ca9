// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

/** Mean, least and greatest of values that come one by one. */
final class RunningMean {
    private double min = 1e99;
    private double max;
    private double mean;
    private long count;

    void add(double value) {
        min = Math.min(min, value);
        max = Math.max(max, value);
        count++;
        mean += (value - mean) / count;
    }

    /** 1e99 when there was none. */
    double min() {
        return min;
    }

    /** At least zero. */
    double max() {
        return max;
    }

    double mean() {
        return mean;
    }

    long count() {
        return count;
    }
}
