// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.runs.Configuration;
import java.util.List;

/**
 * Which part of a sweep is wanted. An empty list means all that is there.
 *
 * @param threads thread counts
 * @param channels channel counts
 * @param ranks numbers of ranks
 */
public record Selection(List<Integer> threads, List<Integer> channels, List<Integer> ranks) {
    /** All that is there. */
    public static final Selection ALL = new Selection(List.of(), List.of(), List.of());

    public Selection {
        threads = threads.stream().distinct().toList();
        channels = channels.stream().distinct().toList();
        ranks = ranks.stream().distinct().toList();
    }

    boolean wants(Configuration configuration) {
        return wants(threads, configuration.settings().threads())
                && wants(channels, configuration.settings().channels());
    }

    boolean wantsRank(int rank) {
        return wants(ranks, rank);
    }

    private static boolean wants(List<Integer> list, int value) {
        return list.isEmpty() || list.contains(value);
    }
}
