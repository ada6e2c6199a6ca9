// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells ranks that stall again and again from those that single long steps meet by chance.
 *
 * <p>A stall is a step in which a rank takes longer than its peers by {@value #DEVIATIONS} times what the peers scatter, and by half of
 * what its own stalls take on average; where these tell nothing, shorter ones count, too. By chance, stalls fall on any rank in any step alike. So the chance that one rank has as many of
 * them as were seen follows from counting: a hypergeometric distribution, times the number of ranks that might have been the one. Where most
 * steps have a stall, only the rank that it meets is left to chance, which is a binomial distribution. Where
 * the stalls come at one distance through the whole run, as a checkpoint in every fourth step does, that counts too: the chance is
 * multiplied by the share of choices of as many steps that are as regular, twice where other ranks stall, too. And where no other rank has such a stall, by the chance that
 * stalls of any length are as alike.
 */
final class Recurring {
    /** What takes longer by so many scaled median absolute deviations of the peers is no scatter. */
    static final double DEVIATIONS = 10;

    private static final double CHANCE = 0.05;

    private final double[][] excess;
    private final double[][] own;
    private final int ranks;
    private final int steps;

    /** @param own by rank, what it takes in each step; NaN for steps that it does not have */
    Recurring(double[][] own) {
        this.own = own;
        ranks = own.length;
        steps = ranks == 0 ? 0 : own[0].length;
        excess = new double[ranks][steps];
        for (int s = 0; s < steps; s++) {
            int step = s;
            double[] sorted = FleetSteps.known(Arrays.stream(own).mapToDouble(of -> of[step]));
            for (int r = 0; r < ranks; r++) {
                excess[r][s] = own[r][s] - medianWithout(sorted, own[r][s]);
            }
        }
    }

    /** {@return the steps in which a rank stalls; null where it does not stall more often than chance has it} */
    int @Nullable [] stalls(int r) {
        double scatter = DEVIATIONS * scatter(r);
        double[] far = Arrays.stream(excess[r]).filter(v -> v > scatter).toArray();
        if (ranks < 2 || far.length == 0) {
            return null;
        }
        double half = Math.max(scatter, DoubleStream.of(far).sum() / far.length / 2);
        int[] in = above(r, half);
        if (chance(r, in, half) <= CHANCE) {
            return in;
        }
        in = above(r, scatter);
        return chance(r, in, scatter) <= CHANCE / 2 ? in : null;
    }

    private int[] above(int r, double least) {
        return IntStream.range(0, steps).filter(s -> excess[r][s] > least).toArray();
    }

    /** The chance that any rank has as many stalls in as regular steps. */
    private double chance(int r, int[] in, double least) {
        int cells = 0;
        int stalls = 0;
        for (double[] of : excess) {
            for (double value : of) {
                cells += Double.isNaN(value) ? 0 : 1;
                stalls += value > least ? 1 : 0;
            }
        }
        double each = ranks == 2 || 2 * stepsWith(least) > steps
                ? binomial(in.length, stalls)
                : hypergeometric(in.length, cells, stalls, known(r));
        double regular = regular(in);
        double asRegular = stalls == in.length ? regular * alike(r, in) : 2 * regular;
        return ranks * each * (regular > 0 ? Math.min(1, asRegular) : 1);
    }

    /** In how many steps any rank stalls. */
    private int stepsWith(double least) {
        return (int) IntStream.range(0, steps)
                .filter(s -> Arrays.stream(excess).anyMatch(of -> of[s] > least))
                .count();
    }

    /** Of so many stalls, each of which meets one of the ranks, so many or more meet one of them. */
    private double binomial(int successes, int trials) {
        double sum = 0;
        for (int k = successes; k <= trials; k++) {
            sum += Math.exp(logChoose(trials, k) + (trials - k) * Math.log(ranks - 1) - trials * Math.log(ranks));
        }
        return sum;
    }

    /** Of so many stalls in so many cells, so many or more lie in these of one rank. */
    private static double hypergeometric(int successes, int cells, int stalls, int ofRank) {
        double sum = 0;
        for (int k = successes; k <= Math.min(stalls, ofRank); k++) {
            if (stalls - k <= cells - ofRank) {
                sum += Math.exp(
                        logChoose(ofRank, k) + logChoose(cells - ofRank, stalls - k) - logChoose(cells, stalls));
            }
        }
        return sum;
    }

    /** Of all choices of as many steps, the share that comes at one distance through the whole run; 0 where these do not. */
    private double regular(int[] in) {
        int n = in.length;
        if (n < 2 || !isRegular(in[0], in[1] - in[0], in)) {
            return 0;
        }
        int alike = 0;
        for (int distance = 2; distance < steps; distance++) {
            for (int first = 0; first < distance; first++) {
                alike += first < steps && (steps - 1 - first) / distance + 1 == n ? 1 : 0;
            }
        }
        return alike / Math.exp(logChoose(steps, n));
    }

    /** The chance that stalls of any length are as alike as those in these steps. */
    private double alike(int r, int[] in) {
        double least = Arrays.stream(in).mapToDouble(s -> excess[r][s]).min().orElse(0);
        double most = Arrays.stream(in).mapToDouble(s -> excess[r][s]).max().orElse(0);
        return Math.min(1, in.length * Math.pow(1 - least / most, in.length - 1));
    }

    /** Whether these are all steps of the run at this distance from the first, with others between. */
    private boolean isRegular(int first, int distance, int[] in) {
        boolean whole = distance > 1 && first < distance && in[in.length - 1] + distance >= steps;
        for (int i = 1; i < in.length && whole; i++) {
            whole = in[i] - in[i - 1] == distance;
        }
        return whole;
    }

    private static double logChoose(int n, int k) {
        double sum = 0;
        for (int i = 1; i <= k; i++) {
            sum += Math.log((n - k + i) / (double) i);
        }
        return sum;
    }

    private int known(int r) {
        return FleetSteps.known(Arrays.stream(excess[r])).length;
    }

    /** What peers scatter around what the others take in a step; of one peer, the difference to it around the median difference. */
    private double scatter(int r) {
        DoubleStream deviations;
        if (ranks == 2) {
            double middle = median(FleetSteps.known(Arrays.stream(excess[r])));
            deviations = Arrays.stream(excess[r]).map(v -> Math.abs(v - middle));
        } else {
            deviations = IntStream.range(0, steps).boxed().flatMapToDouble(s -> {
                double[] others = FleetSteps.known(others(r).mapToDouble(o -> own[o][s]));
                double middle = median(others);
                return Arrays.stream(others).map(v -> Math.abs(v - middle));
            });
        }
        double usual =
                median(FleetSteps.known(others(r).mapToDouble(o -> median(FleetSteps.known(Arrays.stream(own[o]))))));
        return Math.max(
                Quantiles.OF_MEDIAN_DEVIATION * median(FleetSteps.known(deviations)), SlowRanks.LEAST_SCATTER * usual);
    }

    private IntStream others(int r) {
        return IntStream.range(0, ranks).filter(o -> o != r);
    }

    /** The median of sorted values without one of them, which is NaN where it is none of them. */
    private static double medianWithout(double[] sorted, double one) {
        int place = Double.isNaN(one) ? sorted.length : Arrays.binarySearch(sorted, one);
        int n = Double.isNaN(one) ? sorted.length : sorted.length - 1;
        if (n == 0) {
            return Double.NaN;
        }
        int low = (n - 1) / 2;
        int high = n / 2;
        return (sorted[low < place ? low : low + 1] + sorted[high < place ? high : high + 1]) / 2;
    }

    /** The median of sorted values, of two in the middle their mean; NaN of none. */
    private static double median(double[] sorted) {
        return Quantiles.medianOf(sorted, Double.NaN);
    }
}
