// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.List;

/**
 * What ranks cost that take longer than others: the graph over all ranks replayed with their own durations, with typical ones,
 * and with those of one group of activities after another among typical ones. All times are ns; those by step run in parallel.
 * The arrays pass to the record.
 *
 * @param ranks numbers of the ranks
 * @param kinds by rank: ranks that run the same kernels are of one kind, and typical is what is usual among them
 * @param steps numbers of the steps; one, -1, where not every rank marks steps
 * @param leftOut how many more steps only some ranks have, or begin a recording while others are under way; they count for nothing
 * @param recorded length of each step as recorded: from the end of the step before to its own, of the last rank
 * @param replayed the same when nothing starts later than it has to
 * @param ideal the same with typical durations
 * @param types by type of activity, as recorded among typical ones, the costliest first
 * @param byRank likewise by rank, in the order of {@code ranks}
 * @param excess likewise, by how much what the rank did itself took longer in each step than typical, on the host and on its device
 * @param worst the costliest few ranks, places in {@code ranks}
 * @param removed mean step when the worst are typical and all others as recorded
 */
@SuppressWarnings("ArrayRecordComponent")
public record StragglerCosts(
        int[] ranks,
        int[] kinds,
        long[] steps,
        int leftOut,
        long[] recorded,
        long[] replayed,
        long[] ideal,
        List<Cost> types,
        List<Cost> byRank,
        List<double[]> excess,
        int[] worst,
        double removed) {
    /**
     * A group of activities. The array passes to the record.
     *
     * @param label what it is
     * @param steps length of each step with the group as recorded and all else typical
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Cost(String label, long[] steps) {
        /** {@return mean length of a step} */
        public double mean() {
            return StragglerCosts.mean(steps);
        }
    }

    /** {@return the mean} */
    public static double mean(long[] values) {
        double sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
