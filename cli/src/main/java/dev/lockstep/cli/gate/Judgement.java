// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.compare.Change;
import dev.lockstep.publish.metrics.MetricFigure;
import dev.lockstep.publish.metrics.MetricFigure.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What is said of one figure.
 *
 * @param figure name, meaning and unit
 * @param limit by how many percent of the baseline it may be worse
 * @param change of its mean over runs, in base units
 * @param basis what the interval rests on, in words
 */
record Judgement(MetricFigure figure, double limit, Change change, String basis) {
    /** What it comes to. */
    enum Outcome {
        /** It is worse by more than the limit, and not by chance. */
        REGRESSION,
        /** With 95 %, it is not worse by more than the limit. */
        PASS,
        /** The scatter allows both. */
        INCONCLUSIVE;

        /** As users read it. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Compares a figure of runs.
     *
     * @param baseline by run, one at least
     * @param candidate by run, one at least
     * @param limit percent of the baseline
     * @param comparisons how many figures are looked at together: one of twenty gates is wrong where nothing changed, not one of
     *     twenty figures
     */
    static Judgement of(List<MetricFigure> baseline, List<MetricFigure> candidate, double limit, int comparisons) {
        MetricFigure first = candidate.getFirst();
        double[] from = means(baseline);
        double[] own = means(candidate);
        double before = Arrays.stream(from).average().orElse(Double.NaN);
        double after = Arrays.stream(own).average().orElse(Double.NaN);
        Confidence interval = LongRunMeans.ofRuns(own, from, comparisons);
        String basis = "scatter of " + (from.length + own.length) + " runs";
        if (!interval.isKnown() && first.kind() == Kind.STEPS) {
            interval =
                    LongRunMeans.of(List.of(steps(baseline), steps(candidate))).difference(1, 0, comparisons);
            basis = "scatter of steps; other starts may differ by more";
        }
        return new Judgement(
                first,
                limit,
                new Change(before, after, interval, first.moreIsBetter()),
                interval.isKnown() ? basis : "too few runs to know their scatter");
    }

    private static double[] means(List<MetricFigure> runs) {
        return runs.stream().mapToDouble(MetricFigure::mean).toArray();
    }

    private static double[] steps(List<MetricFigure> runs) {
        return runs.stream()
                .flatMap(run -> run.values().stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** By how much it is worse, in percent of the baseline; below 0 where it is better. */
    double worse() {
        return signed(change.percent());
    }

    /** The least that it may be worse; NaN where that is not known. */
    double least() {
        return change.moreIsBetter() ? -change.highPercent() : change.lowPercent();
    }

    /** The most that it may be worse; NaN where that is not known. */
    double most() {
        return change.moreIsBetter() ? -change.lowPercent() : change.highPercent();
    }

    private double signed(double percent) {
        return change.moreIsBetter() ? -percent : percent;
    }

    Outcome outcome() {
        if (worse() > limit && least() > 0) {
            return Outcome.REGRESSION;
        }
        boolean unchanged = change.difference() == 0 || !change.interval().isKnown() && worse() <= 0;
        return most() <= limit || unchanged ? Outcome.PASS : Outcome.INCONCLUSIVE;
    }
}
