// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

/** What is known of the edges of one kind. Of several ranks the sums, and the largest latencies. */
final class EdgeCounts {
    /** How many there are. */
    long edges;
    /** How many of them stand in no record, but were concluded from times. */
    long inferred;
    /** How many contradict the times and were left out. */
    long acausal;
    /** What such an edge takes at least, in ns. */
    long latency;
    /** What such an edge takes at most, in ns, unless something else held it up; -1 when none was seen. */
    long longest = -1;

    /** Adds what another rank has. */
    void add(EdgeCounts other) {
        edges += other.edges;
        inferred += other.inferred;
        acausal += other.acausal;
        latency = Math.max(latency, other.latency);
        longest = Math.max(longest, other.longest);
    }

    /** Whether a latency is longer than such edges take. */
    boolean isLong(long ns) {
        return longest >= 0 && ns > longest;
    }
}
