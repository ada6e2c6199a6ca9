// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the time of the ranks of a run went.
 *
 * @param byRank the ranks that have a timeline
 * @param stepsByRank the steps that each rank recorded, in order; ranks without marks of steps are not in it
 */
public record RunBreakdown(
        SortedMap<Integer, RankBreakdown> byRank, SortedMap<Integer, List<RankBreakdown>> stepsByRank) {
    /** No rank has a timeline. */
    public static final RunBreakdown NONE = new RunBreakdown(new TreeMap<>(), new TreeMap<>());

    public RunBreakdown {
        TreeMap<Integer, RankBreakdown> known = new TreeMap<>(byRank);
        known.values().removeIf(RankBreakdown::isUnknown);
        byRank = Collections.unmodifiableSortedMap(known);
        TreeMap<Integer, List<RankBreakdown>> steps = new TreeMap<>();
        stepsByRank.forEach((rank, own) -> steps.put(rank, List.copyOf(own)));
        stepsByRank = Collections.unmodifiableSortedMap(steps);
    }

    /** The same without other ranks than these. */
    public RunBreakdown only(Collection<Integer> wanted) {
        TreeMap<Integer, RankBreakdown> kept = new TreeMap<>(byRank);
        kept.keySet().retainAll(wanted);
        return new RunBreakdown(kept, stepsByRank);
    }

    /** Whether no rank has a timeline. */
    public boolean isEmpty() {
        return byRank.isEmpty();
    }

    /** Ranks that have a timeline. */
    public SortedSet<Integer> ranks() {
        return new TreeSet<>(byRank.keySet());
    }

    /** The parts that the timeline of any rank lists, in the order in which they come up. */
    public Set<String> parts() {
        Set<String> parts = new LinkedHashSet<>();
        byRank.values().forEach(rank -> parts.addAll(rank.listed().keySet()));
        return parts;
    }

    /** Time of a part on a rank in ms; NaN when the rank has no timeline. */
    public double of(String part, int rank) {
        RankBreakdown own = byRank.get(rank);
        return own == null ? Double.NaN : own.of(part).ms();
    }

    /** Time of a part on these ranks in ms, in their order; NaN for ranks without a timeline. */
    public double[] of(String part, Collection<Integer> ranks) {
        return ranks.stream().mapToDouble(rank -> of(part, rank)).toArray();
    }

    /** Time of a part on all ranks that have a timeline, in ms. */
    public double[] of(String part) {
        return of(part, byRank.keySet());
    }

    /** Steps that every rank recorded, -1 when they differ or are not known. */
    public int steps() {
        List<Integer> counts = stepCounts(byRank.keySet());
        return counts.size() == 1 && counts.getFirst() > 0 ? counts.getFirst() : -1;
    }

    /** How many steps these ranks recorded, each number once. */
    public List<Integer> stepCounts(Collection<Integer> ranks) {
        return ranks.stream()
                .map(rank -> stepsByRank.getOrDefault(rank, List.of()).size())
                .distinct()
                .toList();
    }

    /**
     * A part by step, the mean over these ranks in ms: ranks wait for one another, so that steps are what scatters. Empty
     * where ranks recorded different numbers of steps, or none, or where the steps do not tell a part that the whole lists, or
     * only some steps of a rank do.
     */
    public double[] bySteps(String part, Collection<Integer> ranks) {
        List<List<RankBreakdown>> own = ranks.stream()
                .map(rank -> stepsByRank.getOrDefault(rank, List.of()))
                .toList();
        int steps = own.isEmpty() ? 0 : own.getFirst().size();
        boolean alike = own.stream().allMatch(rank -> rank.size() == steps);
        boolean known = own.stream().flatMap(List::stream).anyMatch(step -> lists(step, part));
        boolean throughout = own.stream()
                .allMatch(rank ->
                        rank.stream().map(step -> lists(step, part)).distinct().count() <= 1);
        boolean absent =
                ranks.stream().noneMatch(rank -> lists(byRank.getOrDefault(rank, RankBreakdown.UNKNOWN), part));
        double[] means = new double[alike && throughout && (known || absent) ? steps : 0];
        for (int step = 0; step < means.length; step++) {
            for (List<RankBreakdown> rank : own) {
                means[step] += rank.get(step).of(part).ms() / own.size();
            }
        }
        return means;
    }

    private static boolean lists(RankBreakdown times, String part) {
        return times.listed().containsKey(part);
    }

    /** The parts that these list: known ones in the order given, then others by name. */
    public static List<String> parts(Collection<RunBreakdown> runs, List<String> order) {
        SortedSet<String> found = new TreeSet<>();
        runs.forEach(run -> found.addAll(run.parts()));
        List<String> parts = new ArrayList<>(order);
        parts.retainAll(found);
        found.removeAll(order);
        parts.addAll(found);
        return parts;
    }

    /** Whether runs must be compared by step: all say how many they recorded, and not all the same number. */
    public static boolean differInSteps(Collection<RunBreakdown> runs) {
        List<Integer> steps = runs.stream()
                .filter(run -> !run.isEmpty())
                .map(RunBreakdown::steps)
                .distinct()
                .toList();
        return steps.size() > 1 && !steps.contains(-1);
    }
}
