// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.fleet.FleetRun.Group;
import dev.lockstep.session.FileRanks;
import dev.lockstep.table.Quantiles;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Process groups with a slow link: which they are, and the sentence that says so, for every report across ranks. */
public final class SlowLinks {
    /** So many groups that are alike can be compared with one another. */
    public static final int FEWEST_GROUPS = 4;

    /** Transfers of a group with a slow link take at least so many times as long as those of the median group. */
    public static final double LEAST_RATIO = 1.3;

    /** And so many median absolute deviations of all groups longer. */
    public static final double DEVIATIONS = 6 * Quantiles.OF_MEDIAN_DEVIATION;

    private static final int MOST_LISTED = 64;

    private SlowLinks() {}

    /** Collectives of one kind and size, in groups of one size that stay within a node, or do not. */
    private record Like(String kind, long bytes, long size, Span span) {}

    /**
     * {@return process groups whose collectives take at least 1.3 times as long, without waiting, and six scaled deviations longer, than
     * those of at least three other groups of the same size with the same messages; what costs most first}
     */
    public static List<Group> of(Collectives collectives) {
        Map<Like, Map<Integer, List<Collective>>> likes = new LinkedHashMap<>();
        for (Collective one : collectives.all()) {
            if (one.waits() && one.present() > 1) {
                likes.computeIfAbsent(
                                new Like(one.call().kind().word(), one.bytes(), one.expected(), one.span()),
                                like -> new LinkedHashMap<>())
                        .computeIfAbsent(one.groupIndex(), group -> new ArrayList<>())
                        .add(one);
            }
        }
        List<Group> slow = new ArrayList<>();
        likes.forEach((like, groups) -> {
            double[] medians =
                    groups.values().stream().mapToDouble(SlowLinks::median).toArray();
            double middle = Quantiles.medianOf(medians, Double.NaN);
            double[] apart =
                    Arrays.stream(medians).map(v -> Math.abs(v - middle)).toArray();
            double reach = DEVIATIONS * Quantiles.medianOf(apart, Double.NaN);
            groups.values().forEach(members -> {
                double own = median(members);
                if (groups.size() >= FEWEST_GROUPS
                        && middle > 0
                        && own > LEAST_RATIO * middle
                        && own - middle > reach) {
                    Collective first = members.getFirst();
                    slow.add(new Group(
                            first.group().name(),
                            like.kind,
                            like.bytes,
                            ranks(collectives, members),
                            own / middle,
                            groups.size() - 1,
                            (own - middle) * members.size()));
                }
            });
        });
        slow.sort(Comparator.comparingDouble(Group::excessNs)
                .reversed()
                .thenComparing(Group::group)
                .thenComparing(Group::kind));
        return slow;
    }

    private static double median(List<Collective> members) {
        return Quantiles.medianOf(
                members.stream().mapToDouble(Collective::latency).toArray(), Double.NaN);
    }

    private static List<Integer> ranks(Collectives collectives, List<Collective> members) {
        TreeSet<Integer> ranks = new TreeSet<>();
        for (Collective one : members) {
            IntStream.range(0, one.present())
                    .map(member -> collectives.match().rank(one.instance(), member))
                    .forEach(place -> ranks.add(collectives.rank(place).rank()));
        }
        return List.copyOf(ranks);
    }

    /** {@return the places of those that one process group has in a list, by group in order of its first} */
    public static List<List<Integer>> byGroup(List<Group> found) {
        Map<String, List<Integer>> places = new LinkedHashMap<>();
        for (int place = 0; place < found.size(); place++) {
            Group one = found.get(place);
            places.computeIfAbsent(one.group() + " " + one.ranks(), group -> new ArrayList<>())
                    .add(place);
        }
        return List.copyOf(places.values());
    }

    /**
     * {@return what is said of a process group}
     *
     * @param shown the group, with each kind and size of its collectives that shows it
     */
    public static String words(List<Group> shown) {
        Group first = shown.getFirst();
        String kinds = shown.stream()
                .map(one -> String.format(Locale.ROOT, "%s %.1f times", one.kind(), one.ratio()))
                .distinct()
                .collect(Collectors.joining(", "));
        List<Integer> ranks = first.ranks().stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "Process group %s has a slow link, at one of its %s. Its transfers take longer than in %s: %s, %s in"
                        + " total.",
                first.group(),
                ranks.size() <= MOST_LISTED ? "ranks " + FileRanks.ranges(ranks) : ranks.size() + " ranks",
                Words.count(first.others(), "like group", "like groups"),
                kinds,
                FleetReport.ms(shown.stream().mapToDouble(Group::excessNs).sum()));
    }
}
