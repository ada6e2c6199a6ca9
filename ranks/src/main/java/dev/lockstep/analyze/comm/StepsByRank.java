// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts the steps of ranks side by side: by their numbers where each rank numbers all its steps and counts up, else by their places
 * among those of the rank. A step lasts until the next begins, but what is the last step of half the ranks, or has its successor's
 * mark missing there, counts to its own end on all of them. Confined to one thread.
 */
public final class StepsByRank {
    /**
     * A step of a rank, as in table {@code steps} of a dataset.
     *
     * @param number as its annotation counts, negative for none
     * @param index place among the rank's steps
     * @param activities what was launched in it; of steps without any nothing else counts
     * @param values {@link #START} and so on, in ns
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Step(long number, int index, long activities, long[] values) implements Serializable {
        /** Place of the first start. */
        public static final int START = 0;

        /** Place of the time from there to the last end. */
        public static final int TOTAL = 1;

        /** Place of the time with any computation. */
        public static final int COMPUTATION = 2;

        /** Place of the time with communication and no computation. */
        public static final int COMMUNICATION = 3;

        /** Place of the time with copies and neither of both. */
        public static final int COPIES = 4;
    }

    private final SortedMap<Integer, List<Step>> stepsOf = new TreeMap<>();

    /** Takes a step of a rank. */
    public void add(int rank, Step step) {
        stepsOf.computeIfAbsent(rank, r -> new ArrayList<>()).add(step);
    }

    /**
     * {@return the repetitions of a run whose ranks mark no steps}
     *
     * <p>Where the same collectives come again and again, a step of a rank lasts from when the last member came to the last collective of
     * the repetition before to when the last member comes to that of this one; what the rank itself takes ends with its own arrival there.
     * Where collectives do not repeat, each counts as one. The first step begins with the first arrival of any rank.
     *
     * @param kinds of the ranks, by number
     */
    public static FleetSteps ofRepetitions(Collectives collectives, Map<Integer, Integer> kinds) {
        return new Repetitions(collectives).steps(kinds);
    }

    /** {@return the ranks that have steps, ascending} */
    public int[] ranks() {
        return stepsOf.keySet().stream().mapToInt(rank -> rank).toArray();
    }

    /** {@return the numbers of all steps, in their order; -1 for one without} */
    public long[] numbers() {
        return numbers(areCounted());
    }

    private long[] numbers(boolean counted) {
        if (counted) {
            return stepsOf.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(Step::number)
                    .sorted()
                    .distinct()
                    .toArray();
        }
        int last = stepsOf.values().stream()
                .flatMap(List::stream)
                .mapToInt(Step::index)
                .max()
                .orElse(-1);
        long[] numbers = new long[last + 1];
        Arrays.fill(numbers, -1);
        for (List<Step> own : stepsOf.values()) {
            for (Step step : own) {
                long before = numbers[step.index()];
                boolean first = before < 0 || step.number() >= 0 && step.number() < before;
                numbers[step.index()] = first ? Math.max(-1, step.number()) : before;
            }
        }
        return numbers;
    }

    /** Whether each rank numbers all its steps, and counts up. */
    private boolean areCounted() {
        stepsOf.values().forEach(steps -> steps.sort(Comparator.comparingInt(Step::index)));
        for (List<Step> own : stepsOf.values()) {
            long before = -1;
            for (Step step : own) {
                if (step.number() <= before) {
                    return false;
                }
                before = step.number();
            }
        }
        return true;
    }

    /**
     * {@return the steps side by side}
     *
     * @param kinds of the ranks, in their order
     */
    public FleetSteps sideBySide(int[] kinds) {
        boolean counted = areCounted();
        long[] numbers = numbers(counted);
        List<Row> rows = stepsOf.values().stream()
                .map(steps -> Row.of(steps, counted ? numbers : null))
                .toList();
        int[] has = new int[numbers.length];
        int[] ends = new int[numbers.length];
        for (Row row : rows) {
            for (int i = 0; i < row.at.length; i++) {
                has[row.at[i]]++;
                ends[row.at[i]] += row.isFollowed(i) ? 0 : 1;
            }
        }
        double[][][] cells = new double[4][rows.size()][numbers.length];
        for (int r = 0; r < rows.size(); r++) {
            for (double[][] values : cells) {
                Arrays.fill(values[r], Double.NaN);
            }
            Row row = rows.get(r);
            for (int i = 0; i < row.at.length; i++) {
                int s = row.at[i];
                long[] own = row.steps.get(i).values();
                boolean lasting = row.isFollowed(i) && 2 * ends[s] < has[s];
                double period = lasting ? row.steps.get(i + 1).values()[Step.START] - own[Step.START] : own[Step.TOTAL];
                cells[0][r][s] = period;
                cells[1][r][s] = FleetSteps.own(period, own[Step.TOTAL], own[Step.COMMUNICATION]);
                cells[2][r][s] = own[Step.COMPUTATION];
                cells[3][r][s] = own[Step.COPIES];
            }
        }
        return new FleetSteps(ranks(), kinds, numbers, cells[0], cells[1], cells[2], cells[3]);
    }

    /**
     * The steps of a rank that have activities.
     *
     * @param at the places of these among all steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Row(List<Step> steps, int[] at) {
        /** @param numbers of all steps; null where places count */
        static Row of(List<Step> steps, long @Nullable [] numbers) {
            List<Step> active =
                    steps.stream().filter(step -> step.activities() > 0).toList();
            return new Row(
                    active,
                    active.stream()
                            .mapToInt(step ->
                                    numbers == null ? step.index() : Arrays.binarySearch(numbers, step.number()))
                            .toArray());
        }

        /** Whether the rank has a step behind it, and its marks none that other ranks have between them. */
        boolean isFollowed(int i) {
            return i + 1 < at.length
                    && at[i + 1] - at[i]
                            == steps.get(i + 1).index() - steps.get(i).index();
        }
    }
}
