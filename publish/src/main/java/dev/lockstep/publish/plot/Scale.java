// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import java.util.Arrays;

/**
 * What lies between the two ends of an axis.
 *
 * @param low the value at one end
 * @param high the value at the other, larger
 * @param ticks values that are marked, ascending
 * @param labels one for each tick
 */
@SuppressWarnings("ArrayRecordComponent")
record Scale(double low, double high, boolean logarithmic, double[] ticks, String[] labels) {
    /** A difference of less than this share of the values is not blown up to the whole axis. */
    private static final double LEAST_SPAN = 0.05;

    private static final double MARGIN = 0.06;

    /** An axis for points and lines. It begins at zero where values come near to it. */
    static Scale around(Extent extent, boolean logarithmic) {
        if (extent.isEmpty()) {
            return linear(0, 1);
        }
        if (logarithmic && extent.low() > 0) {
            return logarithmic(extent);
        }
        double largest = Math.max(Math.abs(extent.low()), Math.abs(extent.high()));
        double span = Math.max(extent.high() - extent.low(), LEAST_SPAN * largest);
        if (span == 0) {
            return linear(0, 1);
        }
        double centre = extent.low() / 2 + extent.high() / 2;
        double low = centre - span * (0.5 + MARGIN);
        double high = centre + span * (0.5 + MARGIN);
        return linear(extent.low() >= 0 && extent.low() < 0.5 * extent.high() ? 0 : low, high);
    }

    /**
     * An axis for bars, which begin at zero.
     *
     * @param headroom what to leave free beyond the longest, as a share of all
     */
    static Scale withZero(Extent extent, double headroom) {
        if (extent.isEmpty() || extent.low() == 0 && extent.high() == 0) {
            return linear(0, 1);
        }
        double low = Math.min(0, extent.low());
        double high = Math.max(0, extent.high());
        double margin = (high - low) * headroom;
        return linear(low < 0 ? low - margin : 0, high > 0 ? high + margin : 0);
    }

    /** Exactly from one value to a larger one. */
    static Scale linear(double low, double high) {
        double step = Ticks.step(high - low);
        double[] ticks = Ticks.linear(low, high, step);
        return new Scale(low, high, false, ticks, labels(ticks, step));
    }

    private static Scale logarithmic(Extent extent) {
        double margin = Math.pow(extent.high() / extent.low(), MARGIN) * 1.05;
        double low = extent.low() / margin;
        double high = extent.high() * margin;
        double[] ticks = Ticks.logarithmic(low, high);
        String[] labels = Arrays.stream(ticks).mapToObj(t -> Ticks.text(t, t)).toArray(String[]::new);
        return new Scale(low, high, true, ticks, labels);
    }

    private static String[] labels(double[] ticks, double step) {
        return Arrays.stream(ticks).mapToObj(t -> Ticks.text(t, step)).toArray(String[]::new);
    }

    /** Where a value lies: 0 at the low end, 1 at the high end. */
    double share(double value) {
        return logarithmic ? Math.log(value / low) / Math.log(high / low) : value / (high - low) - low / (high - low);
    }

    double widestLabel(Ink ink) {
        return Arrays.stream(labels).mapToDouble(ink::width).max().orElse(0);
    }
}
