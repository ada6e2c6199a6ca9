// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What uneven work costs a job. The arrays pass to the record; those by step run in parallel.
 *
 * @param job its shape
 * @param second units of time in a second
 * @param steps the steps, ascending
 * @param recorded from the first start to the last end of each step
 * @param replayed the same of the replay with recorded durations and no delays
 * @param ideal the same of the replay with typical durations
 * @param replayedSteps the replay with recorded durations until the last optimizer has ended
 * @param idealSteps the ideal one until then
 * @param slowdown S: what typical durations would gain, as a quotient of times
 * @param unexplained the quotient of the recording and its replay: what the model leaves out
 * @param kept slowdowns of groups that keep their own durations; null when there is too little to take apart
 * @param delayed what groups cost by starting later than they could; null when there is too little
 * @param workers what every worker costs, by data-parallel rank and stage
 * @param worst the share that the slowest workers have; null without {@code kept}
 * @param lastStage the share that the last stage has
 * @param findings what was found that the model does not allow
 * @param spansAbove whether {@code slowdown} and its steps are quotients of a span and a step, as another tool has it
 */
@SuppressWarnings("ArrayRecordComponent")
public record StragglerFigures(
        Job job,
        double second,
        long[] steps,
        double[] recorded,
        double[] replayed,
        double[] ideal,
        double[] replayedSteps,
        double[] idealSteps,
        double slowdown,
        double unexplained,
        @Nullable Groups kept,
        @Nullable Groups delayed,
        @Nullable Workers workers,
        @Nullable Share worst,
        Share lastStage,
        Odd findings,
        boolean spansAbove) {

    /** By step: what stands above the ideal step in {@code slowdown}. */
    public double[] above() {
        return spansAbove ? replayed : replayedSteps;
    }

    /**
     * The shape of a job.
     *
     * @param source the table
     * @param dataParallel number of data-parallel ranks
     * @param stages of the pipeline
     * @param chunks model chunks of a stage
     * @param microBatches of a step
     * @param idealOf whose operations are typical
     */
    public record Job(
            String source, int dataParallel, int stages, int chunks, int microBatches, StragglerRules.Ideal idealOf) {}

    /**
     * Slowdowns, largest first.
     *
     * @param types by type of operation
     * @param dataParallelRanks by data-parallel rank
     * @param stages by stage
     */
    public record Groups(
            List<GroupSlowdown> types, List<GroupSlowdown> dataParallelRanks, List<GroupSlowdown> stages) {}

    /**
     * What each worker costs. The arrays pass to the record, by {@code data-parallel rank · stages + stage}.
     *
     * @param ranks numbers of the workers in the job
     * @param scores slowdowns
     * @param replays the replays in which one worker keeps its durations; empty where scores are the lesser of those of stage
     *     and data-parallel rank
     * @param chosen the worst of them
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Workers(int[] ranks, double[] scores, List<GroupSlowdown> replays, int[] chosen) {
        /** Whether every worker was replayed by itself. */
        public boolean exact() {
            return !replays.isEmpty();
        }
    }

    /**
     * How much of the slowdown some operations explain; means over steps.
     *
     * @param removed span of the recorded durations with these made typical
     * @param added span of the typical durations with these as recorded
     * @param original span of the recorded durations
     * @param ideal span of the typical durations
     */
    public record Share(double removed, double added, double original, double ideal) {
        /** {@return the share of the slowdown that is gone when these are typical} */
        public double gone() {
            return (original - removed) / (original - ideal);
        }

        /** {@return the share of the slowdown that is there when these alone are as recorded} */
        public double there() {
            return (added - ideal) / (original - ideal);
        }
    }

    /**
     * What a model of the job does not allow.
     *
     * @param unmodelled rows of collectives that are no part of the graph
     * @param backwards communications that end before the last of their group has begun
     * @param worst by how much at most, in units of time
     * @param reordered ranks that do operations in another order than the first, with the number of steps in which they do
     * @param left steps that were left out, and why
     * @param workVaries how forward and backward passes of a micro-batch go together, -1 to 1; NaN where nothing can be said
     */
    public record Odd(
            long unmodelled,
            long backwards,
            double worst,
            Map<Integer, Integer> reordered,
            Map<Long, String> left,
            double workVaries) {}
}
