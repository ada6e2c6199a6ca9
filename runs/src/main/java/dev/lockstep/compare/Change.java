// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.analyze.Confidence;

/**
 * A value beside that of the baseline.
 *
 * @param baseline value of the baseline; NaN when it has none
 * @param own value of the configuration; NaN when it has none
 * @param interval where the difference, own minus baseline, lies with 95 %; its ends are NaN when that is not known
 * @param moreIsBetter whether a larger value is the better one
 */
public record Change(double baseline, double own, Confidence interval, boolean moreIsBetter) {
    /** Own minus baseline; NaN when one of them is missing. */
    public double difference() {
        return own - baseline;
    }

    /** The difference in percent of the baseline; NaN where the baseline is missing or 0. */
    public double percent() {
        return percentOf(difference());
    }

    /** Lower end of the interval in percent of the baseline; may be NaN. */
    public double lowPercent() {
        return percentOf(interval.low());
    }

    /** Upper end of the interval in percent of the baseline; may be NaN. */
    public double highPercent() {
        return percentOf(interval.high());
    }

    /**
     * What it means.
     *
     * @param threshold in percent of the baseline; changes up to it count as none
     */
    public Verdict verdict(double threshold) {
        if (Double.isNaN(baseline) || Double.isNaN(own)) {
            return Double.isNaN(own) ? (Double.isNaN(baseline) ? Verdict.UNKNOWN : Verdict.GONE) : Verdict.NEW;
        }
        if (baseline == 0) {
            return own == 0 ? Verdict.SAME : Verdict.NEW;
        }
        if (Math.abs(percent()) <= threshold) {
            return Verdict.SAME;
        }
        if (!interval.excludesZero()) {
            return Verdict.UNCLEAR;
        }
        return difference() > 0 == moreIsBetter ? Verdict.BETTER : Verdict.WORSE;
    }

    /**
     * Whether it is more than so many percent above the baseline, and no chance as far as known: where there is an interval,
     * it leaves out 0.
     */
    public boolean exceeds(double percent) {
        return percent() > percent && (!interval.isKnown() || interval.excludesZero());
    }

    private double percentOf(double difference) {
        return baseline == 0 ? Double.NaN : 100 * difference / Math.abs(baseline);
    }
}
