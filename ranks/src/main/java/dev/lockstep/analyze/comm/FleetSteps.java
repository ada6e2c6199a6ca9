// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.table.Quantiles;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * What each rank took in each step, in ns. Arrays are by rank, then step, and pass to the record; NaN stands for a step that a
 * rank does not have.
 *
 * @param ranks numbers of the ranks, ascending
 * @param kinds ranks that do the same work are of one kind, and compared ({@link RankKinds})
 * @param steps numbers of the steps
 * @param period from the end of the rank's step before to the end of its own last activity
 * @param own the period without exposed communication: what the others wait for
 * @param computation time with any computation
 * @param copies time with copies and no computation or communication
 */
@SuppressWarnings("ArrayRecordComponent")
public record FleetSteps(
        int[] ranks,
        int[] kinds,
        long[] steps,
        double[][] period,
        double[][] own,
        double[][] computation,
        double[][] copies)
        implements Serializable {
    /** {@return the place of a rank's step among all: by its number where steps are numbered, else by its place; -1 where it has none} */
    public int step(StepsByRank.Step of) {
        for (int s = 1; s < steps.length; s++) {
            if (steps[s] <= steps[s - 1]) {
                return of.index() < steps.length ? of.index() : -1;
            }
        }
        int found = Arrays.binarySearch(steps, of.number());
        return found < 0 ? of.index() < steps.length ? of.index() : -1 : found;
    }

    /** Number of kinds of ranks. */
    public int kindCount() {
        return Arrays.stream(kinds).max().orElse(-1) + 1;
    }

    /** Places of the ranks of a kind. */
    int[] places(int kind) {
        int[] places = new int[ranks.length];
        int n = 0;
        for (int r = 0; r < ranks.length; r++) {
            if (kinds[r] == kind) {
                places[n++] = r;
            }
        }
        return Arrays.copyOf(places, n);
    }

    /**
     * Each value less the median of the ranks of its kind in that step; NaN too where fewer than two of these have the step, or fewer
     * than half, unless the kind has one rank.
     */
    public double[][] aboveMedian(double[][] values) {
        double[][] above = new double[ranks.length][steps.length];
        for (int kind = 0; kind < kindCount(); kind++) {
            int[] places = places(kind);
            int fewest = fewest(places.length);
            for (int s = 0; s < steps.length; s++) {
                int step = s;
                double[] there = known(Arrays.stream(places).mapToDouble(r -> values[r][step]));
                double middle = there.length < fewest ? Double.NaN : Quantiles.lowerMedian(there, Double.NaN);
                for (int r : places) {
                    above[r][s] = values[r][s] - middle;
                }
            }
        }
        return above;
    }

    /** Number of steps in which ranks can be compared. */
    public int compared() {
        BitSet compared = new BitSet(steps.length);
        for (int kind = 0; kind < kindCount(); kind++) {
            int[] places = places(kind);
            for (int s = 0; s < steps.length; s++) {
                int step = s;
                long there = Arrays.stream(places)
                        .filter(r -> !Double.isNaN(own[r][step]))
                        .count();
                if (there >= fewest(places.length)) {
                    compared.set(s);
                }
            }
        }
        return compared.cardinality();
    }

    /** So many ranks of a kind must have a step to be compared in it: half of them and two at least, or the only one. */
    private static int fewest(int ofKind) {
        return ofKind < 2 ? 1 : Math.max(2, (ofKind + 1) / 2);
    }

    /** The ranks that have a step which fewer than half have, or lack one that half have, ascending. */
    public List<Integer> withOtherSteps() {
        boolean[] usual = usual();
        List<Integer> others = new ArrayList<>();
        for (int r = 0; r < ranks.length; r++) {
            int s = 0;
            while (s < usual.length && usual[s] != Double.isNaN(own[r][s])) {
                s++;
            }
            if (s < usual.length) {
                others.add(ranks[r]);
            }
        }
        return others;
    }

    /** The ranks that lack the first step that half the ranks have: what they recorded first is not what the others did. */
    public Set<Integer> withOtherBeginning() {
        boolean[] usual = usual();
        int first = 0;
        while (first < usual.length && !usual[first]) {
            first++;
        }
        Set<Integer> others = new HashSet<>();
        for (int r = 0; r < ranks.length && first < usual.length; r++) {
            if (Double.isNaN(own[r][first])) {
                others.add(ranks[r]);
            }
        }
        return others;
    }

    /** By step, whether half the ranks have it. */
    private boolean[] usual() {
        boolean[] usual = new boolean[steps.length];
        for (int s = 0; s < steps.length; s++) {
            int step = s;
            usual[s] = 2 * known(Arrays.stream(own).mapToDouble(of -> of[step])).length >= ranks.length;
        }
        return usual;
    }

    /** The median of those that are numbers, the lower of two; NaN of none. */
    public static double median(DoubleStream values) {
        return Quantiles.lowerMedian(known(values), Double.NaN);
    }

    /** Those that are numbers, ascending. */
    static double[] known(DoubleStream values) {
        return values.filter(value -> !Double.isNaN(value)).sorted().toArray();
    }
}
