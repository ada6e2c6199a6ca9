// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.table.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The stage and the data-parallel rank of each rank. How many stages there are follows from the ranks that sum the gradients of
 * the embedding, which are the first and the last of each pipeline, else from who receives and sends nothing, or from who
 * begins when; which stage a rank is, from how many forward passes it does before its first backward pass, else from when it
 * first computes. Immutable.
 */
final class RankPlaces {
    /** Clocks are that far apart at most, in seconds. */
    private static final double CLOCKS = 1e-3;

    private static final double MOST_VIOLATIONS = 0.01;

    final RankOperations operations;
    final int stages;
    final int dataParallel;
    /** By rank. */
    final int[] stage;

    final int[] dpRank;
    final List<String> evidence = new ArrayList<>();
    private final double margin;
    private final int[] warmUp;
    private final double[] firstForward;

    private RankPlaces(RankOperations operations, double second) throws TraceFormatException {
        this.operations = operations;
        margin = CLOCKS * second;
        int ranks = operations.ranks.length;
        warmUp = new int[ranks];
        firstForward = new double[ranks];
        for (int r = 0; r < ranks; r++) {
            warmUp[r] = warmUp(r);
            firstForward[r] = firstForward(r);
        }
        stages = stages();
        dataParallel = ranks / stages;
        stage = new int[ranks];
        dpRank = new int[ranks];
        order();
        pair();
    }

    static RankPlaces of(RankOperations operations, double second) throws TraceFormatException {
        return new RankPlaces(operations, second);
    }

    /** The rank at a place of the pipelines. */
    int rank(int ofStage, int ofDpRank) {
        for (int r = 0; r < stage.length; r++) {
            if (stage[r] == ofStage && dpRank[r] == ofDpRank) {
                return r;
            }
        }
        throw new IllegalArgumentException(ofStage + ", " + ofDpRank);
    }

    /** Forward passes before the first backward pass, in most steps. */
    private int warmUp(int rank) {
        TreeMap<Integer, Integer> seen = new TreeMap<>();
        for (long step : operations.steps()) {
            int[] backwards = operations.of(rank, step, OperationType.BACKWARD_COMPUTE);
            int count = 0;
            for (int row : operations.of(rank, step, OperationType.FORWARD_COMPUTE)) {
                count += backwards.length == 0 || operations.start(row) < operations.start(backwards[0]) ? 1 : 0;
            }
            seen.merge(count, 1, Integer::sum);
        }
        return seen.entrySet().stream()
                .max(Comparator.comparingInt(e -> e.getValue()))
                .orElseThrow()
                .getKey();
    }

    /** When it first computes, in the median step. */
    private double firstForward(int rank) throws TraceFormatException {
        long[] steps = operations.steps();
        double[] starts = new double[steps.length];
        for (int s = 0; s < steps.length; s++) {
            int[] forwards = operations.of(rank, steps[s], OperationType.FORWARD_COMPUTE);
            if (forwards.length == 0) {
                throw operations.unclear("rank " + operations.ranks[rank] + " computes nothing in step " + steps[s]);
            }
            starts[s] = operations.start(forwards[0]);
        }
        Arrays.sort(starts);
        return Quantiles.upperMedian(starts, Double.NaN);
    }

    private int stages() throws TraceFormatException {
        int ranks = operations.ranks.length;
        int ends = 0;
        boolean transfers = false;
        for (int r = 0; r < ranks; r++) {
            ends += operations.has(r, OperationType.EMBEDDING_GRADS_ALL_REDUCE) ? 1 : 0;
            transfers |= operations.has(r, OperationType.FORWARD_SEND) || operations.has(r, OperationType.FORWARD_RECV);
        }
        long kinds = Arrays.stream(warmUp).distinct().count();
        if (!transfers) {
            evidence.add("Nothing is sent from rank to rank: one stage, " + ranks + " data-parallel ranks.");
            return 1;
        }
        if (ends > 0 && ends < ranks && ends % 2 == 0 && ranks % (ends / 2) == 0) {
            evidence.add(ends + " of " + ranks + " ranks sum the gradients of the embedding: " + ends / 2
                    + " pipelines of " + 2 * ranks / ends + " stages.");
            return 2 * ranks / ends;
        }
        if (ends == ranks) {
            boolean two = ranks % 2 == 0 && (kinds == 2 || halvesFollow());
            evidence.add("All ranks sum the gradients of the embedding"
                    + (two ? ", and one half computes after the other: two stages." : ": one stage."));
            return two ? 2 : 1;
        }
        int first = without(OperationType.FORWARD_RECV);
        if (first > 0 && first == without(OperationType.FORWARD_SEND) && ranks % first == 0) {
            evidence.add(first + " of " + ranks + " ranks receive nothing forward, as many send nothing: " + first
                    + " pipelines of " + ranks / first + " stages.");
            return ranks / first;
        }
        if (kinds > 1 && isEven((int) kinds)) {
            evidence.add("Equally many ranks do each of " + kinds + " numbers of forward passes before their first"
                    + " backward pass: as many stages.");
            return (int) kinds;
        }
        int waves = waves();
        if (waves > 0) {
            evidence.add(
                    waves == 1
                            ? "All ranks compute before any has ended its first pass: one stage."
                            : "Ranks begin to compute in " + waves + " equal groups, each when some of the one before"
                                    + " have ended their first pass: as many stages.");
            return waves;
        }
        throw operations.unclear(
                "no rank sums the gradients of the embedding, and the ranks do not differ in how they begin");
    }

    /** How many ranks never do something. */
    private int without(OperationType type) {
        int count = 0;
        for (int r = 0; r < operations.ranks.length; r++) {
            count += operations.has(r, type) ? 0 : 1;
        }
        return count;
    }

    /**
     * How many groups of equally many ranks begin one after the other in most steps, those of one before any of them has ended
     * its first pass; -1 if they do not.
     */
    private int waves() {
        TreeMap<Integer, Integer> seen = new TreeMap<>();
        for (long step : operations.steps()) {
            seen.merge(waves(step), 1, Integer::sum);
        }
        int most = seen.entrySet().stream()
                .max(Comparator.comparingInt(e -> e.getValue()))
                .orElseThrow()
                .getKey();
        return 2 * seen.getOrDefault(most, 0) > operations.steps().length ? most : -1;
    }

    private int waves(long step) {
        int[] first = IntStream.range(0, operations.ranks.length)
                .map(r -> operations.of(r, step, OperationType.FORWARD_COMPUTE)[0])
                .boxed()
                .sorted(Comparator.comparingDouble(operations::start))
                .mapToInt(row -> row)
                .toArray();
        TreeMap<Integer, Integer> sizes = new TreeMap<>();
        int waves = 0;
        for (int i = 0; i < first.length; ) {
            double end = Double.POSITIVE_INFINITY;
            int from = i;
            for (; i < first.length && operations.start(first[i]) < end - margin; i++) {
                end = Math.min(end, operations.end(first[i]));
            }
            i = Math.max(i, from + 1);
            sizes.merge(i - from, 1, Integer::sum);
            waves++;
        }
        return sizes.size() == 1 ? waves : -1;
    }

    /** Whether the ranks that compute late do so after those that compute early have ended their first pass. */
    private boolean halvesFollow() {
        Integer[] sorted = byFirstForward();
        int half = sorted.length / 2;
        long follows = 0;
        for (long step : operations.steps()) {
            double earliestEnd = Double.POSITIVE_INFINITY;
            for (int i = 0; i < half; i++) {
                earliestEnd = Math.min(
                        earliestEnd, operations.end(operations.of(sorted[i], step, OperationType.FORWARD_COMPUTE)[0]));
            }
            boolean all = true;
            for (int i = half; i < sorted.length; i++) {
                all &= operations.start(operations.of(sorted[i], step, OperationType.FORWARD_COMPUTE)[0])
                        >= earliestEnd - margin;
            }
            follows += all ? 1 : 0;
        }
        return follows >= operations.steps().length * (1 - MOST_VIOLATIONS);
    }

    private Integer[] byFirstForward() {
        return IntStream.range(0, stage == null ? warmUp.length : stage.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer r) -> firstForward[r])
                        .thenComparing(r -> r))
                .toArray(Integer[]::new);
    }

    /** Whether equally many ranks do each number of forward passes before their first backward pass. */
    private boolean isEven(int kinds) {
        return Arrays.stream(warmUp)
                .distinct()
                .allMatch(kind -> Arrays.stream(warmUp).filter(w -> w == kind).count() * kinds == warmUp.length);
    }

    private void order() throws TraceFormatException {
        Integer[] sorted = byFirstForward();
        long kinds = Arrays.stream(warmUp).distinct().count();
        boolean even = kinds == stages && isEven(stages);
        if (even) {
            Arrays.sort(
                    sorted, Comparator.comparingInt((Integer r) -> -warmUp[r]).thenComparing(r -> r));
        }
        if (stages > 1) {
            evidence.add(
                    even
                            ? "Stages by the forward passes before the first backward pass, which get fewer from stage"
                                    + " to stage."
                            : "Stages by when ranks first compute: later from stage to stage.");
        }
        for (int i = 0; i < sorted.length; i++) {
            stage[sorted[i]] = i / dataParallel;
        }
        for (int r = 0; r < stage.length; r++) {
            boolean end = stage[r] == 0 || stage[r] == stages - 1;
            if (!end && operations.has(r, OperationType.EMBEDDING_GRADS_ALL_REDUCE)) {
                throw operations.unclear("rank " + operations.ranks[r]
                        + " sums the gradients of the embedding, but seems to be stage " + stage[r] + " of " + stages);
            }
        }
    }

    /** Ranks of neighbouring stages belong together in the order of their numbers, unless what they do says otherwise. */
    private void pair() throws TraceFormatException {
        int[][] members = new int[stages][];
        for (int s = 0; s < stages; s++) {
            int one = s;
            members[s] = IntStream.range(0, stage.length)
                    .filter(r -> stage[r] == one)
                    .toArray();
            for (int d = 0; d < dataParallel; d++) {
                dpRank[members[s][d]] = d;
            }
        }
        if (stages == 1 || dataParallel == 1) {
            return;
        }
        boolean swapped = false;
        for (int s = 1; s < stages; s++) {
            if (!follows(members[s - 1], members[s])) {
                members[s] = matched(members[s - 1], members[s]);
                for (int d = 0; d < dataParallel; d++) {
                    dpRank[members[s][d]] = d;
                }
                swapped = true;
                if (!follows(members[s - 1], members[s])) {
                    throw operations.unclear("what stage " + s + " computes does not follow what stage " + (s - 1)
                            + " computes, whichever ranks belong together");
                }
            }
        }
        evidence.add(
                swapped
                        ? "Pipelines by which transfers end together; the order of the data-parallel ranks is that of"
                                + " the numbers of their first stages."
                        : "Pipelines in the order of the ranks' numbers: every first pass follows that of the stage"
                                + " before.");
    }

    private boolean follows(int[] before, int[] after) {
        long all = 0;
        long wrong = 0;
        for (long step : operations.steps()) {
            for (int d = 0; d < before.length; d++) {
                int[] first = operations.of(before[d], step, OperationType.FORWARD_COMPUTE);
                int[] second = operations.of(after[d], step, OperationType.FORWARD_COMPUTE);
                for (int k = 0; k < Math.min(1, Math.min(first.length, second.length)); k++) {
                    all++;
                    wrong += operations.start(second[k]) < operations.end(first[k]) - margin ? 1 : 0;
                }
            }
        }
        return wrong <= all * MOST_VIOLATIONS;
    }

    /** By rank of the stage before: the rank whose receives end most nearly when its sends do. */
    private int[] matched(int[] before, int[] after) {
        int[] found = new int[before.length];
        boolean[] taken = new boolean[after.length];
        for (int i = 0; i < before.length; i++) {
            int best = -1;
            double least = Double.POSITIVE_INFINITY;
            for (int j = 0; j < after.length; j++) {
                double distance = taken[j] ? Double.POSITIVE_INFINITY : distance(before[i], after[j]);
                if (distance < least) {
                    least = distance;
                    best = j;
                }
            }
            int chosen = best < 0 ? firstFree(taken) : best;
            taken[chosen] = true;
            found[i] = after[chosen];
        }
        return found;
    }

    private static int firstFree(boolean[] taken) {
        int free = 0;
        while (taken[free]) {
            free++;
        }
        return free;
    }

    private double distance(int before, int after) {
        double sum = 0;
        int count = 0;
        for (long step : operations.steps()) {
            int[] sends = operations.of(before, step, OperationType.FORWARD_SEND);
            int[] receives = operations.of(after, step, OperationType.FORWARD_RECV);
            for (int k = 0; k < Math.min(sends.length, receives.length); k++) {
                sum += Math.abs(operations.end(sends[k]) - operations.end(receives[k]));
                count++;
            }
        }
        return count == 0 ? Double.POSITIVE_INFINITY : sum / count;
    }
}
