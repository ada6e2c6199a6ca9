// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;

/**
 * The pages of a run or a sweep, seen from one of them: that of the whole, and those of its ranks.
 *
 * @param run where the page of the whole lies, relative, with slashes; empty where this is it, or there is none
 * @param place where that page speaks of this one: {@code rank/3}, {@code config/256thread_28ch}
 * @param rank the rank that this page is about, -1 for none
 * @param ranks the pages of the ranks, by rank
 */
public record RunPages(String run, String place, int rank, List<RankPage> ranks) {
    /** A page that stands for itself. */
    public static final RunPages NONE = new RunPages("", "", -1, List.of());

    /** Copies the list. */
    public RunPages {
        ranks = List.copyOf(ranks);
    }

    /**
     * The page of a rank.
     *
     * @param rank its number
     * @param target where it lies, relative, with slashes
     */
    public record RankPage(int rank, String target) {}
}
