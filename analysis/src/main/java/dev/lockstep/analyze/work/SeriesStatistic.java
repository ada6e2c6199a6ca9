// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.RealDistribution;
import java.util.Locale;

/** One number about a series. */
enum SeriesStatistic {
    MEAN,
    MEDIAN,
    STD,
    MIN,
    MAX;

    /** How headers of columns spell it. */
    String suffix() {
        return "_" + name().toLowerCase(Locale.ROOT);
    }

    /** As part of a sentence. */
    String words() {
        return switch (this) {
            case MEAN -> "mean";
            case MEDIAN -> "median";
            case STD -> "standard deviation (n - 1)";
            case MIN -> "least";
            case MAX -> "largest";
        };
    }

    double of(RealDistribution d) {
        return switch (this) {
            case MEAN -> d.mean();
            case MEDIAN -> d.median();
            case STD -> d.std();
            case MIN -> d.min();
            case MAX -> d.max();
        };
    }

    double of(Distribution d) {
        return switch (this) {
            case MEAN -> d.mean();
            case MEDIAN -> d.median();
            case STD -> d.std();
            case MIN -> d.count() == 0 ? Double.NaN : d.min();
            case MAX -> d.count() == 0 ? Double.NaN : d.max();
        };
    }
}
