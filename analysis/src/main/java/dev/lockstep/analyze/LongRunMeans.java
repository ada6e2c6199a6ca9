// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Means of values that follow one another in time, such as the steps of a run, and how far such means may differ by chance.
 * Neighbouring values resemble one another (a throttled clock, a slow hour of the network), so that many values tell less
 * than as many independent ones would. Every interval that the program prints comes from here.
 *
 * <p>The variance of a mean is estimated twice, and the wider interval counts. Once by the first cosines of the series
 * (equal weights, 0.4 n^(2/3) of them, and as many degrees of freedom of Student's t: E. Lazarus, D. Lewis, J. Stock,
 * M. Watson, <i>J. Business and Economic Statistics</i> 36, 2018), which sees slow courses; once by the correlation of
 * neighbours, as of a first-order autoregression with the bias of its estimate taken off (M. Kendall, <i>Biometrika</i> 41,
 * 1954), which is the surer one in long series. Series of one length are compared value by value, so that a course that all
 * of them share, as when clocks sink alike, cancels out. Immutable.
 */
public final class LongRunMeans {
    private static final double CHANCE = 0.05;
    private static final double MOST_ALIKE = 0.95;

    /** Of runs: with fewer degrees of freedom an interval says next to nothing. */
    private static final int LEAST_FREE = 2;

    /**
     * Variance of a series' values as far as it matters to their mean, by both estimates, with degrees of freedom.
     */
    private record Noise(double cosines, double cosinesFree, double neighbours, double neighboursFree) {}

    private final List<double[]> series;
    private final double[] means;
    private final boolean paired;
    private final List<Noise> own = new ArrayList<>();

    private LongRunMeans(List<double[]> series) {
        this.series = series;
        this.means = series.stream()
                .mapToDouble(values -> Arrays.stream(values).average().orElse(Double.NaN))
                .toArray();
        this.paired =
                series.stream().mapToInt(values -> values.length).distinct().count() == 1;
        series.forEach(values -> own.add(noise(List.of(centred(values)), 1)));
    }

    /**
     * {@return the means of values in the order of time}
     *
     * @param series what is NaN in one of several series of one length is left out of all of them
     */
    public static LongRunMeans of(List<double[]> series) {
        boolean alike =
                series.stream().mapToInt(values -> values.length).distinct().count() == 1;
        List<double[]> known = new ArrayList<>();
        for (double[] values : series) {
            known.add(IntStream.range(0, values.length)
                    .filter(t ->
                            alike ? series.stream().noneMatch(each -> Double.isNaN(each[t])) : !Double.isNaN(values[t]))
                    .mapToDouble(t -> values[t])
                    .toArray());
        }
        return new LongRunMeans(known);
    }

    /**
     * {@return the mean of one of the series, with its interval; without one for fewer than two values}
     *
     * @param which place of the series
     */
    public Confidence mean(int which) {
        int n = series.get(which).length;
        return interval(n, means[which], own.get(which), 1.0 / n, 1);
    }

    /**
     * {@return by how much the mean of a series is above that of another}
     *
     * @param of place of the one
     * @param from place of the other
     * @param comparisons how many differences are looked at together: with 95 % none of their intervals leaves out the truth
     */
    public Confidence difference(int of, int from, int comparisons) {
        double difference = means[of] - means[from];
        int n = Math.min(series.get(of).length, series.get(from).length);
        if (paired && n > 1) {
            Noise pair = paired(List.of(series.get(of), series.get(from)));
            if (series.size() == 2) {
                return interval(n, difference, pair, 2.0 / n, comparisons);
            }
            Noise all = paired(series);
            Noise wider = new Noise(
                    Math.max(pair.cosines, all.cosines),
                    all.cosinesFree,
                    Math.max(pair.neighbours, all.neighbours),
                    all.neighboursFree);
            return interval(n, difference, wider, 2.0 / n, comparisons);
        }
        return apart(of, from, difference, comparisons);
    }

    /** Of series of different lengths: Welch's interval with the degrees of freedom of Satterthwaite. */
    private Confidence apart(int of, int from, double difference, int comparisons) {
        int n = series.get(of).length;
        int m = series.get(from).length;
        if (Math.min(n, m) < 2) {
            return new Confidence(Math.min(n, m), difference, Double.NaN, Double.NaN, Double.NaN);
        }
        Noise a = own.get(of);
        Noise b = own.get(from);
        Noise sum = new Noise(
                a.cosines / n + b.cosines / m,
                degrees(a.cosines / n, a.cosinesFree, b.cosines / m, b.cosinesFree),
                a.neighbours / n + b.neighbours / m,
                degrees(a.neighbours / n, a.neighboursFree, b.neighbours / m, b.neighboursFree));
        return interval(Math.min(n, m), difference, sum, 1, comparisons);
    }

    /**
     * {@return by how much the mean of runs is above that of others} Each value is that of a start of its own, which nothing ties to
     * the others: Student's t with the scatter of both sides together.
     *
     * @param own values of runs, one at least
     * @param from those of the others, one at least; four in all, else there is no interval
     * @param comparisons as for {@link #difference}
     */
    public static Confidence ofRuns(double[] own, double[] from, int comparisons) {
        double difference = Arrays.stream(own).average().orElse(Double.NaN)
                - Arrays.stream(from).average().orElse(Double.NaN);
        int free = own.length + from.length - 2;
        if (free < LEAST_FREE || own.length == 0 || from.length == 0) {
            return new Confidence(own.length, difference, Double.NaN, Double.NaN, Double.NaN);
        }
        double squares = Stream.of(own, from)
                .mapToDouble(side ->
                        Arrays.stream(centred(side)).map(value -> value * value).sum())
                .sum();
        double error = Math.sqrt(squares / free * (1.0 / own.length + 1.0 / from.length));
        double half = StudentT.twoSided(1 - CHANCE / comparisons, free) * error;
        return new Confidence(own.length, difference, error, difference - half, difference + half);
    }

    private static double degrees(double a, double freeA, double b, double freeB) {
        return a + b == 0 ? 1 : Math.max(1, (a + b) * (a + b) / (a * a / freeA + b * b / freeB));
    }

    private static Confidence interval(int n, double mean, Noise noise, double share, int comparisons) {
        if (n < 2) {
            return new Confidence(n, mean, Double.NaN, Double.NaN, Double.NaN);
        }
        double within = 1 - CHANCE / comparisons;
        double byCosines = StudentT.twoSided(within, noise.cosinesFree) * Math.sqrt(noise.cosines * share);
        double byNeighbours = StudentT.twoSided(within, noise.neighboursFree) * Math.sqrt(noise.neighbours * share);
        double half = Math.max(byCosines, byNeighbours);
        double error = Math.sqrt(Math.max(noise.cosines, noise.neighbours) * share);
        return new Confidence(n, mean, error, mean - half, mean + half);
    }

    /** Of series of one length, less what they have in common at each moment. */
    private static Noise paired(List<double[]> series) {
        int n = series.getFirst().length;
        double[] common = new double[n];
        List<double[]> centred = series.stream().map(LongRunMeans::centred).toList();
        for (double[] values : centred) {
            for (int t = 0; t < n; t++) {
                common[t] += values[t] / centred.size();
            }
        }
        for (double[] values : centred) {
            for (int t = 0; t < n; t++) {
                values[t] -= common[t];
            }
        }
        return noise(centred, centred.size() - 1);
    }

    private static double[] centred(double[] values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        return Arrays.stream(values).map(value -> value - mean).toArray();
    }

    /** @param independent how many of the series are free to vary */
    private static Noise noise(List<double[]> centred, int independent) {
        int n = centred.getFirst().length;
        if (n < 2) {
            return new Noise(Double.NaN, 1, Double.NaN, 1);
        }
        int cosines = Math.max(1, (int) Math.round(0.4 * Math.cbrt((double) n * n)));
        double projected = 0;
        double squares = 0;
        double neighbours = 0;
        for (double[] values : centred) {
            for (int j = 1; j <= cosines; j++) {
                double sum = 0;
                for (int t = 0; t < n; t++) {
                    sum += values[t] * StrictMath.cos(Math.PI * j * (t + 0.5) / n);
                }
                projected += sum * sum * 2 / n;
            }
            for (int t = 0; t < n; t++) {
                squares += values[t] * values[t];
                neighbours += t == 0 ? 0 : values[t] * values[t - 1];
            }
        }
        double alike = squares > 0 ? neighbours / squares : 0;
        double corrected = Math.clamp(alike + (1 + 3 * alike) / n, 0, MOST_ALIKE);
        double stretch = (1 + corrected) / (1 - corrected);
        return new Noise(
                projected / cosines / independent,
                (double) cosines * independent,
                squares / (independent * Math.max(1, n - stretch)) * stretch,
                independent * Math.max(1, n / stretch - 1));
    }
}
