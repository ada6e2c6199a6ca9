// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

/**
 * What counts as overlap of device activities, and how it is shown.
 *
 * @param leastNs shorter overlaps do not count
 * @param whole what stands for complete overlap
 * @param step shares and durations (in us) are rounded to multiples of this; 0 for none
 */
public record OverlapRule(long leastNs, double whole, double step) {
    /** Every overlap, in per cent. */
    public static final OverlapRule STANDARD = new OverlapRule(1, 100, 0);

    /** The value rounded as the rule wants. */
    public double rounded(double value) {
        return step == 0 ? value : Math.rint(value / step) * step;
    }
}
