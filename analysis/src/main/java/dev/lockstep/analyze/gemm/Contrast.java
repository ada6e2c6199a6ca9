// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.StudentT;
import org.jspecify.annotations.Nullable;

/**
 * Sums from which the effect of communication follows: durations with communication at the same time against those
 * without, compared only within strata whose members are alike. A few numbers, however many strata; sums of different
 * ranks and configurations may be added.
 *
 * <p>In each stratum the difference of the mean logarithms counts with weight {@code n m / (n + m)}, which is the weight of
 * least squares with an own level for each stratum. The variance of the weighted mean follows from the variances of the
 * two sides, each pooled over the strata, and its degrees of freedom from Satterthwaite's formula. With one stratum this
 * is Welch's test on logarithms. Where a side has too few degrees of freedom to tell its variance, both sides are taken to
 * scatter alike, as in Student's test. Confined to one thread while it is added to.
 */
public final class Contrast {
    /** Fewer on either side are no group. */
    private static final int FEWEST = 3;

    /** Fewer degrees of freedom do not tell a variance. */
    private static final int FEWEST_FREE = 5;

    private static final double CONFIDENCE = 0.95;

    private long with;
    private long without;
    private double weight;
    private double weighted;
    private double scatterWith;
    private double scatterWithout;
    private double squaresWith;
    private double squaresWithout;
    private long freeWith;
    private long freeWithout;

    /** Adds a stratum. */
    void add(LogMoments overlapped, LogMoments alone) {
        int n = overlapped.count();
        int m = alone.count();
        with += n;
        without += m;
        squaresWith += overlapped.squares();
        squaresWithout += alone.squares();
        freeWith += Math.max(0, n - 1);
        freeWithout += Math.max(0, m - 1);
        if (n > 0 && m > 0) {
            double w = (double) n * m / (n + m);
            weight += w;
            weighted += w * (overlapped.mean() - alone.mean());
            scatterWith += w * w / n;
            scatterWithout += w * w / m;
        }
    }

    /** Adds the strata of another. */
    public void add(Contrast other) {
        with += other.with;
        without += other.without;
        weight += other.weight;
        weighted += other.weighted;
        scatterWith += other.scatterWith;
        scatterWithout += other.scatterWithout;
        squaresWith += other.squaresWith;
        squaresWithout += other.squaresWithout;
        freeWith += other.freeWith;
        freeWithout += other.freeWithout;
    }

    /** How much there is to compare: the sum of the weights of the strata. */
    double information() {
        return weight;
    }

    /** The smaller number of degrees of freedom of both sides. */
    long freedom() {
        return Math.min(freeWith, freeWithout);
    }

    /** What follows. */
    public Slowdown slowdown() {
        Slowdown.Verdict obstacle = obstacle();
        double difference = weight > 0 ? weighted / weight : Double.NaN;
        if (obstacle != null) {
            return new Slowdown(with, without, percent(difference), Double.NaN, Double.NaN, obstacle);
        }
        double reach = reach();
        double low = percent(difference - reach);
        double high = percent(difference + reach);
        return new Slowdown(
                with,
                without,
                percent(difference),
                low,
                high,
                low > 0
                        ? Slowdown.Verdict.SLOWER
                        : high < 0 ? Slowdown.Verdict.FASTER : Slowdown.Verdict.NO_DIFFERENCE);
    }

    /** How far the confidence interval of the mean difference reaches on either side. */
    private double reach() {
        double a;
        double b;
        double degrees;
        if (freedom() >= FEWEST_FREE) {
            a = squaresWith / freeWith * scatterWith;
            b = squaresWithout / freeWithout * scatterWithout;
            degrees = (a + b) * (a + b) / (a * a / freeWith + b * b / freeWithout);
        } else {
            degrees = freeWith + freeWithout;
            double variance = (squaresWith + squaresWithout) / degrees;
            a = variance * scatterWith;
            b = variance * scatterWithout;
        }
        return a + b > 0 ? StudentT.twoSided(CONFIDENCE, degrees) * Math.sqrt(a + b) / weight : 0;
    }

    private Slowdown.@Nullable Verdict obstacle() {
        if (with == 0) {
            return Slowdown.Verdict.NEVER_OVERLAPPED;
        }
        if (without == 0) {
            return Slowdown.Verdict.NO_CONTROL;
        }
        boolean few = with < FEWEST || without < FEWEST || weight == 0 || freeWith + freeWithout < FEWEST_FREE;
        return few ? Slowdown.Verdict.TOO_FEW : null;
    }

    private static double percent(double difference) {
        return StrictMath.expm1(difference) * 100;
    }
}
