// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.List;

/**
 * From the smallest to the largest value; values that are not finite do not count.
 *
 * @param low positive infinity if there is no value
 */
record Extent(double low, double high) {
    static final Extent NONE = new Extent(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

    boolean isEmpty() {
        return low > high;
    }

    Extent with(double value) {
        return Double.isFinite(value) ? new Extent(Math.min(low, value), Math.max(high, value)) : this;
    }

    Extent with(double[] values) {
        Extent all = this;
        for (double value : values) {
            all = all.with(value);
        }
        return all;
    }

    static Extent of(List<Series> series) {
        Extent all = NONE;
        for (Series one : series) {
            all = all.with(one.values());
        }
        return all;
    }

    static Extent ofSamples(List<Sample> samples) {
        Extent all = NONE;
        for (Sample one : samples) {
            all = all.with(one.values());
        }
        return all;
    }
}
