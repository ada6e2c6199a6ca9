// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run gains without ranks that are slower than their like, by a replay of its dependency graph: what such a rank takes on its
 * device and its host becomes what the median rank of its role takes.
 *
 * @param ofNs length of the run, in ns
 * @param togetherNs what the run gains without all of its slow ranks, in ns
 * @param confidence share of the critical path that rests on recorded dependencies, 0 to 1
 * @param slow numbers of the slow ranks
 * @param rows the ranks that were priced, slow or not
 */
public record RankGains(long ofNs, long togetherNs, double confidence, List<Integer> slow, List<Row> rows)
        implements Serializable {
    /** No rank was priced. */
    public static final RankGains NONE = new RankGains(0, 0, Double.NaN, List.of(), List.of());

    /**
     * A rank that was priced.
     *
     * @param rank its number
     * @param aloneNs what the run gains without it, in ns
     * @param remainingNs what it costs where all other slow ranks keep pace, in ns
     */
    public record Row(int rank, long aloneNs, long remainingNs) implements Serializable {}

    /** Copies the lists. */
    public RankGains {
        slow = List.copyOf(slow);
        rows = List.copyOf(rows);
    }

    /** {@return what is known of a rank, null where it was not priced} */
    public @Nullable Row of(int rank) {
        return rows.stream().filter(row -> row.rank == rank).findFirst().orElse(null);
    }
}
