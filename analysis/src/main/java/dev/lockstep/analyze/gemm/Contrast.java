// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums from which the effect of communication follows: the logarithm of a duration, and whether communication ran, each less
 * the mean of their neighbours in time, so that clocks that sink and other slow courses cancel out. The effect is the slope of
 * the one on the other by least squares.
 *
 * <p>Kernels that run at about the same time, on whatever rank, are not independent: they meet the same collective and the
 * same clock. So the sums are kept by place in the run, ranks together, and how far the slope may be chance is told by the
 * scatter of these places ({@link LongRunMeans}). A few numbers, however many kernels; sums of different ranks and
 * configurations may be added. Confined to one thread while it is added to.
 */
public final class Contrast {
    /** Into so many places a run is cut. */
    static final int PLACES = 64;

    /** Fewer on either side are no group. */
    private static final int FEWEST = 3;

    /** Fewer places do not tell a scatter. */
    private static final int FEWEST_PLACES = 4;

    /** Scatter below this is that of floating point. */
    private static final double ROUNDING = 1e-9;

    /** What is less, in percent, is worth no word. */
    private static final double LEAST = 1;

    private final double[] products = new double[PLACES];
    private final double[] squares = new double[PLACES];
    private long with;
    private long without;

    /** Counts a kernel. */
    void count(boolean overlapped) {
        with += overlapped ? 1 : 0;
        without += overlapped ? 0 : 1;
    }

    /**
     * Adds a kernel beside its neighbours.
     *
     * @param place in the run
     * @param overlapped 1 or 0, less the mean of its neighbours
     * @param logarithm of its duration, less the mean of its neighbours
     */
    void add(int place, double overlapped, double logarithm) {
        products[place] += overlapped * logarithm;
        squares[place] += overlapped * overlapped;
    }

    /** Adds the sums of another. */
    public void add(Contrast other) {
        with += other.with;
        without += other.without;
        for (int place = 0; place < PLACES; place++) {
            products[place] += other.products[place];
            squares[place] += other.squares[place];
        }
    }

    /** How much there is to compare. */
    double information() {
        return sum(squares);
    }

    /** In how many places of the run there is something to compare. */
    int places() {
        int places = 0;
        for (double square : squares) {
            places += square > 0 ? 1 : 0;
        }
        return places;
    }

    /** What follows. */
    public Slowdown slowdown() {
        double slope = information() > 0 ? sum(products) / information() : Double.NaN;
        Slowdown.Verdict obstacle = obstacle();
        if (obstacle != null) {
            return new Slowdown(with, without, percent(slope), Double.NaN, Double.NaN, obstacle);
        }
        double reach = reach(slope);
        if (reach < ROUNDING) {
            return new Slowdown(with, without, percent(slope), Double.NaN, Double.NaN, Slowdown.Verdict.REPEATS);
        }
        double low = percent(slope - reach);
        double high = percent(slope + reach);
        return new Slowdown(with, without, percent(slope), low, high, verdict(percent(slope), low, high));
    }

    private static Slowdown.Verdict verdict(double percent, double low, double high) {
        if (low <= 0 && high >= 0) {
            return Slowdown.Verdict.NO_DIFFERENCE;
        }
        if (Math.abs(percent) < LEAST) {
            return Slowdown.Verdict.SLIGHT;
        }
        return low > 0 ? Slowdown.Verdict.SLOWER : Slowdown.Verdict.FASTER;
    }

    /** How far the confidence interval of the slope reaches on either side; each place is judged by the slope of the others. */
    private double reach(double slope) {
        double information = information();
        double[] scores = new double[places()];
        int n = 0;
        for (int place = 0; place < PLACES; place++) {
            if (squares[place] > 0) {
                double rest = 1 - squares[place] / information;
                scores[n++] = (products[place] - slope * squares[place]) / Math.max(rest, 1e-9);
            }
        }
        Confidence mean = LongRunMeans.of(List.of(scores)).mean(0);
        return mean.reach() * n / information;
    }

    private Slowdown.@Nullable Verdict obstacle() {
        if (with == 0) {
            return Slowdown.Verdict.NEVER_OVERLAPPED;
        }
        if (without == 0) {
            return Slowdown.Verdict.NO_CONTROL;
        }
        boolean few = with < FEWEST || without < FEWEST || places() < FEWEST_PLACES;
        return few ? Slowdown.Verdict.TOO_FEW : null;
    }

    private static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static double percent(double difference) {
        return StrictMath.expm1(difference) * 100;
    }
}
