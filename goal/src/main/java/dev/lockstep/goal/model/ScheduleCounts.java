// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import java.util.List;

/**
 * What a schedule holds.
 *
 * @param ranks in order of rank
 * @param pairs those between which messages go, by source and destination
 */
public record ScheduleCounts(List<OfRank> ranks, List<OfPair> pairs) {
    /** Copies the lists. */
    public ScheduleCounts {
        ranks = List.copyOf(ranks);
        pairs = List.copyOf(pairs);
    }

    /**
     * What one rank does.
     *
     * @param rank its number
     * @param calcs how many calculations there are
     * @param empty calculations that take no time
     * @param calcNs sum of all calculations in nanoseconds; they may run side by side
     * @param sends how many messages it sends
     * @param receives how many messages it receives
     * @param bytesSent sizes of all that it sends
     * @param bytesReceived sizes of all that it receives
     * @param requires how many dependencies are on an end
     * @param irequires how many dependencies are on a start
     * @param cpus the largest number of a processor, plus one
     * @param nics the largest number of a network card, plus one
     */
    public record OfRank(
            int rank,
            long calcs,
            long empty,
            long calcNs,
            long sends,
            long receives,
            long bytesSent,
            long bytesReceived,
            long requires,
            long irequires,
            int cpus,
            int nics) {
        /**
         * How many operations there are.
         *
         * @return calculations, sends and receives
         */
        public long operations() {
            return calcs + sends + receives;
        }
    }

    /**
     * What one rank sends to another.
     *
     * @param from the rank that sends
     * @param to the rank that receives
     * @param messages how many
     * @param bytes sizes of all of them
     */
    public record OfPair(int from, int to, long messages, long bytes) {}

    /**
     * How many operations there are.
     *
     * @return calculations, sends and receives of all ranks
     */
    public long operations() {
        return ranks.stream().mapToLong(OfRank::operations).sum();
    }

    /**
     * How many dependencies there are.
     *
     * @return those of all ranks, on ends and on starts
     */
    public long dependencies() {
        return ranks.stream()
                .mapToLong(rank -> rank.requires() + rank.irequires())
                .sum();
    }

    /**
     * How many messages are sent.
     *
     * @return sends of all ranks
     */
    public long messages() {
        return ranks.stream().mapToLong(OfRank::sends).sum();
    }

    /**
     * How many bytes are sent.
     *
     * @return sizes of all sends
     */
    public long bytes() {
        return ranks.stream().mapToLong(OfRank::bytesSent).sum();
    }
}
