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
 * among those of the rank. What a rank takes in the first step that it recorded counts from the mark of that step, in others from the end of
 * the step before: so where most ranks recorded the step before, one that did not is not compared, and the other way round. Nor is a step
 * behind one whose mark is missing: it would hold both. Confined to one thread.
 */
public final class StepsByRank {
    /**
     * A step of a rank that has activity.
     *
     * @param number as its annotation counts, negative for none
     * @param index place among the rank's steps, those without activity included
     * @param period how long it lasts, in ns
     * @param own the period without exposed communication, in ns
     * @param computation time with any computation, in ns
     * @param copies time with copies and neither computation nor communication, in ns
     * @param host what the host took in each stage; null where that is not known
     */
    public record Step(
            long number,
            int index,
            long period,
            long own,
            long computation,
            long copies,
            @Nullable HostTimes host) implements Serializable {
        /** A step of which it is not known what the host took in each stage. */
        public Step(long number, int index, long period, long own, long computation, long copies) {
            this(number, index, period, own, computation, copies, null);
        }
    }

    /**
     * What the host of a rank took in each stage of a step, without waiting for other ranks or for the device, in ns.
     *
     * @param data before the forward pass
     * @param forward in the forward pass
     * @param backward in the backward pass
     * @param optimizer behind the backward pass
     */
    public record HostTimes(long data, long forward, long backward, long optimizer) implements Serializable {
        /** A stage of a step. */
        public enum Stage {
            /** Before the forward pass. */
            DATA("before the forward pass, where data are loaded"),
            /** In the forward pass. */
            FORWARD("in the forward pass"),
            /** In the backward pass. */
            BACKWARD("in the backward pass"),
            /** Behind the backward pass. */
            OPTIMIZER("after the backward pass, where the optimizer works");

            private final String words;

            Stage(String words) {
                this.words = words;
            }

            /** Where time is lost, for a sentence. */
            public String words() {
                return words;
            }
        }

        /** {@return what a stage took} */
        public long of(Stage stage) {
            return switch (stage) {
                case DATA -> data;
                case FORWARD -> forward;
                case BACKWARD -> backward;
                case OPTIMIZER -> optimizer;
            };
        }
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
        int[] begins = new int[numbers.length];
        for (Row row : rows) {
            for (int i = 0; i < row.at.length; i++) {
                has[row.at[i]]++;
                begins[row.at[i]] += i == 0 ? 1 : 0;
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
                boolean first = 2 * begins[s] >= has[s];
                if (i == 0 ? first : !first && row.follows(i)) {
                    Step own = row.steps.get(i);
                    cells[0][r][s] = own.period;
                    cells[1][r][s] = own.own;
                    cells[2][r][s] = own.computation;
                    cells[3][r][s] = own.copies;
                }
            }
        }
        return new FleetSteps(ranks(), kinds, numbers, cells[0], cells[1], cells[2], cells[3]);
    }

    /**
     * The steps of a rank.
     *
     * @param at the places of these among all steps
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Row(List<Step> steps, int[] at) {
        /** @param numbers of all steps; null where places count */
        static Row of(List<Step> steps, long @Nullable [] numbers) {
            return new Row(
                    steps,
                    steps.stream()
                            .mapToInt(step ->
                                    numbers == null ? step.index() : Arrays.binarySearch(numbers, step.number()))
                            .toArray());
        }

        /** Whether the rank's step before it is the one before among all, or those between have no activity on the rank. */
        boolean follows(int i) {
            return at[i] - at[i - 1] == steps.get(i).index() - steps.get(i - 1).index();
        }
    }
}
