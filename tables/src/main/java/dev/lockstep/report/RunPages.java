// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import java.util.List;
import java.util.Map;

/**
 * The pages of a run or a sweep, seen from one of them: that of the whole, and those of its ranks; or the files from which they
 * could be made.
 *
 * @param run where the page of the whole lies, relative, with slashes; empty where this is it, or there is none
 * @param place where that page speaks of this one: {@code rank/3}, {@code config/256thread_28ch}
 * @param rank the rank that this page is about, -1 for none
 * @param ranks the pages of the ranks, by rank
 * @param traces the files of ranks that may have no page, by rank
 */
public record RunPages(String run, String place, int rank, List<RankPage> ranks, Map<Integer, String> traces) {
    /** A page that stands for itself. */
    public static final RunPages NONE = new RunPages("", "", -1, List.of());

    /** Copies the list and the map. */
    public RunPages {
        ranks = List.copyOf(ranks);
        traces = Map.copyOf(traces);
    }

    /**
     * The pages of a run, seen from one of them.
     *
     * @param run where the page of the whole lies, relative, with slashes; empty where this is it, or there is none
     * @param place where that page speaks of this one: {@code rank/3}, {@code config/256thread_28ch}
     * @param rank the rank that this page is about, -1 for none
     * @param ranks the pages of the ranks, by rank
     */
    public RunPages(String run, String place, int rank, List<RankPage> ranks) {
        this(run, place, rank, ranks, Map.of());
    }

    /**
     * {@return a run whose ranks have no pages}
     *
     * @param traces their files, by rank
     */
    public static RunPages of(Map<Integer, String> traces) {
        return new RunPages("", "", -1, List.of(), traces);
    }

    /**
     * The page of a rank.
     *
     * @param rank its number
     * @param target where it lies, relative, with slashes
     */
    public record RankPage(int rank, String target) {}
}
