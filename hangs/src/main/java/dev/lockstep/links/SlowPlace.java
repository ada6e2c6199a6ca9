// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import dev.lockstep.links.LinkComparison.Compared;
import dev.lockstep.links.LinkComparison.Loss;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where bandwidth is lost: the place whose paths are all slow, and that explains the most of them. A path is a communicator, or two
 * processes that send to each other; those within a node and those across are asked for themselves.
 *
 * @param kind what is slow
 * @param speakers numbers of the processes there; several of a node or of a communicator
 * @param losses what shows it, the largest first
 */
record SlowPlace(Kind kind, List<Integer> speakers, List<Loss> losses) {
    /** What is slow. */
    enum Kind {
        /** All processes of a node, towards other nodes. */
        SLOW_NODE,
        /** One process, in all that it does with others: its network adapter. */
        SLOW_NIC,
        /** Two processes, with each other only. */
        SLOW_LINK,
        /** A communicator; at which of its links is not known. */
        SLOW_GROUP,
        /** All that is alike at one time. */
        SLOW_NETWORK;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Path(boolean across, Set<Integer> members, boolean message) {}

    private record Candidate(Kind kind, Set<Integer> speakers, Set<Path> covers) {
        void add(int speaker, Path path) {
            speakers.add(speaker);
            covers.add(path);
        }
    }

    /** All places, those that lose the most first. */
    static List<SlowPlace> of(Traffic traffic, LinkComparison comparison) {
        Map<Path, List<Loss>> left = new LinkedHashMap<>();
        List<Loss> everywhere = new ArrayList<>();
        for (Loss one : comparison.losses()) {
            if (one.all()) {
                everywhere.add(one);
            } else {
                left.computeIfAbsent(path(traffic, one.course()), p -> new ArrayList<>())
                        .add(one);
            }
        }
        Map<Path, List<Compared>> tested = new LinkedHashMap<>();
        if (!left.isEmpty()) {
            comparison
                    .compared()
                    .forEach(one -> tested.computeIfAbsent(path(traffic, one.course()), p -> new ArrayList<>())
                            .add(one));
        }
        List<SlowPlace> found = new ArrayList<>();
        while (!left.isEmpty()) {
            Path first = Collections.max(left.entrySet(), Comparator.comparingDouble(e -> most(e.getValue())))
                    .getKey();
            Loss shown = Collections.max(left.getOrDefault(first, List.of()), Comparator.comparingDouble(Loss::share));
            Candidate best = best(candidates(traffic, tested, first), tested, shown);
            Kind kind = best != null ? best.kind : first.message ? Kind.SLOW_LINK : Kind.SLOW_GROUP;
            Set<Path> covers = best != null ? best.covers : Set.of(first);
            List<Loss> losses = new ArrayList<>();
            covers.forEach(path -> losses.addAll(left.getOrDefault(path, List.of())));
            found.add(place(kind, best != null ? best.speakers : first.members, losses));
            left.keySet().removeAll(covers);
        }
        if (!everywhere.isEmpty()) {
            found.add(place(Kind.SLOW_NETWORK, Set.of(), everywhere));
        }
        found.sort(Comparator.comparingDouble(
                (SlowPlace place) -> -place.losses.getFirst().share()));
        return found;
    }

    private static double most(List<Loss> losses) {
        return losses.stream().mapToDouble(Loss::share).max().orElse(0);
    }

    private static SlowPlace place(Kind kind, Set<Integer> speakers, List<Loss> losses) {
        List<Loss> sorted = new ArrayList<>(losses);
        sorted.sort(Comparator.comparingDouble(Loss::share).reversed());
        return new SlowPlace(kind, List.copyOf(new TreeSet<>(speakers)), sorted);
    }

    private static Path path(Traffic traffic, Course course) {
        int[] speakers = course.communicator.speakers;
        TreeSet<Integer> members = new TreeSet<>();
        if (course.isMessage()) {
            members.addAll(List.of(speakers[course.from], speakers[course.to]));
        } else {
            Arrays.stream(speakers).forEach(members::add);
        }
        return new Path(LinkComparison.isAcross(traffic, course), members, course.isMessage());
    }

    /** The processes of a path and their nodes, each with all of its paths across nodes. */
    private static List<Candidate> candidates(Traffic traffic, Map<Path, List<Compared>> tested, Path slow) {
        Map<Kind, Map<Object, Candidate>> all = new EnumMap<>(Kind.class);
        for (Path path : tested.keySet()) {
            for (int speaker : path.members) {
                if (slow.across && path.across && speaker >= 0) {
                    String host = traffic.speaker(speaker).host;
                    if (slow.members.contains(speaker)) {
                        candidate(all, Kind.SLOW_NIC, speaker).add(speaker, path);
                    }
                    candidate(all, Kind.SLOW_NODE, host).add(speaker, path);
                }
            }
        }
        List<Candidate> found =
                new ArrayList<>(all.getOrDefault(Kind.SLOW_NIC, Map.of()).values());
        all.getOrDefault(Kind.SLOW_NODE, Map.of()).values().stream()
                .filter(node -> node.covers.contains(slow))
                .forEach(found::add);
        return found;
    }

    private static Candidate candidate(Map<Kind, Map<Object, Candidate>> all, Kind kind, Object key) {
        return all.computeIfAbsent(kind, k -> new LinkedHashMap<>())
                .computeIfAbsent(key, k -> new Candidate(kind, new TreeSet<>(), new LinkedHashSet<>()));
    }

    /**
     * The candidate all of whose paths lose at least half as much at the same time, two paths at least, and that has the most of
     * them; null where none is, or several are.
     */
    private static @Nullable Candidate best(List<Candidate> candidates, Map<Path, List<Compared>> tested, Loss shown) {
        Candidate best = null;
        boolean alone = true;
        for (Candidate one : candidates) {
            boolean fits = one.covers.size() > 1
                    && one.covers.stream()
                            .allMatch(path -> lost(tested.getOrDefault(path, List.of()), shown) >= shown.share() / 2);
            if (fits && (best == null || one.covers.size() > best.covers.size())) {
                best = one;
                alone = true;
            } else if (fits && best != null && one.covers.size() == best.covers.size()) {
                alone &= best.covers.equals(one.covers)
                        && one.speakers.containsAll(best.speakers); // a node of one process
            }
        }
        return alone ? best : null;
    }

    private static double lost(List<Compared> courses, Loss shown) {
        return courses.stream()
                .mapToDouble(one -> one.lost(shown.fromUs(), shown.toUs()))
                .filter(share -> !Double.isNaN(share))
                .average()
                .orElse(0);
    }
}
