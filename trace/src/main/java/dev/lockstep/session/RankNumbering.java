// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.error.UserException;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.session.RankSet.Loaded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who is who in a run: here alone ranks get their numbers. A rank has the number that its trace states, else the one in its path,
 * else its place among those that have neither. If the stated numbers are not distinct but those in the paths are, the paths are
 * believed.
 *
 * <p>A trace that cannot be read keeps its number and its place, so that no other rank gets them. How many ranks such a file
 * held is not known, nor is it of a damaged file that shows fewer than others: it counts for as many as each whole file holds,
 * and for what it shows, but for one at least, where these differ.
 */
final class RankNumbering {
    /** No run has more ranks: a trace that says so, or has a higher number itself, is not believed. */
    static final int MOST_RANKS = 1 << 17;

    /**
     * A rank in a file.
     *
     * @param inside its place in the file
     */
    record Place(Path file, int inside) {
        static Place of(Loaded<?> one) {
            return new Place(one.file(), one.inside());
        }
    }

    /** Every rank of every file that was read has one number, one of a file that was not read as many as it counts for. */
    private final Map<Place, List<Rank>> numbers = new HashMap<>();

    /** Ranks of damaged files of which nothing was left to read. */
    private final Map<Path, List<Rank>> lost = new HashMap<>();

    private final Map<Path, String> remarks = new HashMap<>();
    private final Map<Path, Integer> counts = new HashMap<>();
    private final Set<Path> damaged = new HashSet<>();
    private final Set<Integer> taken = new HashSet<>();
    private final int each;

    /** All numbers below this are taken. */
    private int untaken;

    private RankNumbering(List<? extends Loaded<?>> loaded) {
        List<Loaded<?>> traces = new ArrayList<>();
        for (Loaded<?> one : loaded) {
            if (one.isTrace()) {
                traces.add(one);
            }
        }
        for (Loaded<?> one : traces) {
            if (one.unread() == null) {
                counts.merge(one.file(), 1, Integer::sum);
                if (one.loss()) {
                    damaged.add(one.file());
                }
            }
        }
        each = ranksOfEach();
        List<Loaded<?>> without = own(traces);
        List<Loaded<?>> unread =
                without.stream().filter(one -> one.unread() != null).toList();
        if (taken.isEmpty() || unread.size() < without.size()) {
            byPlace(without);
        } else if (!unread.isEmpty()) {
            byWhatIsLeft(unread, traces);
        }
    }

    /**
     * The numbers of a run.
     *
     * @param loaded its files in their order, merged timelines {@linkplain #withoutMerges left out}
     * @throws UserException when several files claim one rank
     */
    static RankNumbering of(List<? extends Loaded<?>> loaded) {
        return new RankNumbering(loaded);
    }

    /** The rank of what was read; null for a file that is no trace, and for one that was not read. */
    @Nullable
    Rank of(Loaded<?> one) {
        List<Rank> all = all(one);
        return one.unread() != null || all.isEmpty() ? null : all.getFirst();
    }

    /** The ranks that a file or a part of it stands for; none where they are not known, and for what is no trace. */
    List<Rank> all(Loaded<?> one) {
        return numbers.getOrDefault(Place.of(one), List.of());
    }

    /** The ranks that a damaged file held besides those that were read of it, as far as others of the run tell. */
    List<Rank> lost(Path file) {
        return lost.getOrDefault(file, List.of());
    }

    /** What is to be said of how a file was numbered that could not be read, or not whole; empty for nothing. */
    String remark(Path file) {
        return remarks.getOrDefault(file, "");
    }

    /** Whether a file could not be read of which it is not known which rank it is, so that it may be any that has no file. */
    boolean hasUnplaced() {
        return numbers.values().stream().anyMatch(List::isEmpty);
    }

    /** Numbers those that have one of their own; returns the others. */
    private List<Loaded<?>> own(List<Loaded<?>> traces) {
        ToIntFunction<Loaded<?>> byTrace = one -> stated(one) >= 0 ? stated(one) : named(one);
        ToIntFunction<Loaded<?>> byPath = one -> named(one) >= 0 ? named(one) : stated(one);
        boolean believe = areDistinct(traces, byTrace);
        if (!believe && !areDistinct(traces, byPath)) {
            throw RankFiles.several(claims(traces, byTrace));
        }
        List<Loaded<?>> others = new ArrayList<>();
        for (Loaded<?> one : traces) {
            int number = (believe ? byTrace : byPath).applyAsInt(one);
            if (number < 0) {
                others.add(one);
                continue;
            }
            boolean byTheTrace = believe ? stated(one) >= 0 : named(one) < 0;
            numbers.put(Place.of(one), List.of(new Rank(number, byTheTrace ? Rank.Origin.TRACE : Rank.Origin.PATH)));
            taken.add(number);
        }
        return others;
    }

    /** Each gets the first number that is free, in the order of files. */
    private void byPlace(List<Loaded<?>> without) {
        Map<Path, Integer> left = new HashMap<>(counts);
        for (Loaded<?> one : without) {
            Path file = one.file();
            if (one.unread() != null) {
                numbers.put(Place.of(one), free(Math.max(1, each)));
                if (each != 1) {
                    remarks.put(file, count(1));
                }
                continue;
            }
            numbers.put(Place.of(one), free(1));
            if (left.merge(file, -1, Integer::sum) == 0 && damaged.contains(file)) {
                behind(file);
            }
        }
    }

    /** Leaves places for the ranks of a damaged file that are not among those that were read of it. */
    private void behind(Path file) {
        int count = Objects.requireNonNull(counts.get(file));
        if (count < each) {
            lost.put(file, free(each - count));
        }
        if (count < each || each == 0) {
            remarks.put(file, count(count));
        }
    }

    private String count(int shown) {
        return each > 1
                ? "how many ranks it held is not known: it counts for " + each + ", as many as each other file holds"
                : "how many ranks it held is not known: it counts for " + (shown == 1 ? "one" : shown)
                        + ", and the ranks of files behind it may have other numbers in truth";
    }

    /** Where all that were read have numbers of their own, what was not read has some of those that are left. */
    private void byWhatIsLeft(List<Loaded<?>> lost, List<Loaded<?>> traces) {
        int said = traces.stream()
                .map(Loaded::info)
                .filter(Objects::nonNull)
                .mapToInt(TraceInfo::worldSize)
                .filter(size -> size <= MOST_RANKS)
                .max()
                .orElse(-1);
        int highest = taken.stream().mapToInt(rank -> rank + 1).max().orElse(0);
        int world = Math.max(said, highest);
        List<Integer> left = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            if (!taken.contains(rank)) {
                left.add(rank);
            }
        }
        int needed = lost.size() * Math.max(1, each);
        if (left.size() == needed || said < 0 && left.size() < needed) {
            byPlace(lost);
            return;
        }
        String which = left.isEmpty()
                ? "all " + world + " that the run has, as far as known, are there"
                : "those without a file are " + FileRanks.ranges(left);
        for (Loaded<?> one : lost) {
            numbers.put(Place.of(one), List.of());
            remarks.put(one.file(), "which rank it is, is not known: " + which);
        }
    }

    private List<Rank> free(int count) {
        List<Rank> free = new ArrayList<>();
        while (free.size() < count) {
            if (taken.add(untaken)) {
                free.add(new Rank(untaken, Rank.Origin.ORDER));
            }
            untaken++;
        }
        return free;
    }

    /**
     * How many ranks each whole file holds, or each that was read where none is whole; 0 where they hold differently many, 1 where
     * none was read.
     */
    private int ranksOfEach() {
        Map<Path, Integer> whole = new HashMap<>(counts);
        whole.keySet().removeAll(damaged);
        Set<Integer> distinct = new HashSet<>((whole.isEmpty() ? counts : whole).values());
        return distinct.isEmpty()
                ? 1
                : distinct.size() > 1 ? 0 : distinct.iterator().next();
    }

    private static boolean areDistinct(List<Loaded<?>> loaded, ToIntFunction<Loaded<?>> rankOf) {
        Set<Integer> seen = new HashSet<>();
        for (Loaded<?> one : loaded) {
            int rank = rankOf.applyAsInt(one);
            if (rank >= 0 && !seen.add(rank)) {
                return false;
            }
        }
        return true;
    }

    private static Map<Integer, List<Path>> claims(List<Loaded<?>> loaded, ToIntFunction<Loaded<?>> rankOf) {
        Map<Integer, List<Path>> claims = new TreeMap<>();
        for (Loaded<?> one : loaded) {
            claims.computeIfAbsent(rankOf.applyAsInt(one), r -> new ArrayList<>())
                    .add(one.file());
        }
        return claims;
    }

    /** The rank that a trace states; -1 for none, and for one that is not believed. */
    static int stated(Loaded<?> one) {
        UnreadFile unread = one.unread();
        if (unread != null) {
            return unread.stated();
        }
        TraceInfo info = one.info();
        return info != null && info.rank().origin() == Rank.Origin.TRACE
                ? believed(info.rank().index())
                : -1;
    }

    /** The rank that a path names, which says nothing of a rank that its reader counted: the file holds several. */
    private int named(Loaded<?> one) {
        return one.unread() != null && each > 1 ? -1 : namedAlone(one);
    }

    static int namedAlone(Loaded<?> one) {
        TraceInfo info = one.info();
        return info != null && info.rank().origin() == Rank.Origin.ORDER ? -1 : named(one.file());
    }

    /** The rank that a path names; -1 for none, and for one that is not believed. */
    static int named(Path file) {
        return believed(RankNames.rankOf(file).orElse(-1));
    }

    /** The rank, or -1 where a run has no such rank. */
    static int believed(int rank) {
        return rank < MOST_RANKS ? rank : -1;
    }

    /** Merged files beside the ranks that they were made of count as nothing. */
    static <T> List<Loaded<T>> withoutMerges(List<Loaded<T>> all) {
        Map<Path, List<Loaded<T>>> byFile = new LinkedHashMap<>();
        all.forEach(one ->
                byFile.computeIfAbsent(one.file(), file -> new ArrayList<>()).add(one));
        List<Loaded<T>> others = all.stream().filter(one -> !one.merged()).toList();
        if (others.isEmpty() || others.size() == all.size()) {
            return all;
        }
        Set<Integer> ranks = of(others).taken;
        List<Loaded<T>> rest = new ArrayList<>();
        byFile.forEach((file, inside) -> {
            if (MergedTraces.areOf(inside, ranks)) {
                rest.add(Loaded.not(file, UnreadFile.noTrace(MergedTraces.leftOut())));
            } else {
                rest.addAll(inside);
            }
        });
        return rest;
    }

    /**
     * The numbers that ranks certainly have before all files of their run were read, for those who take them one after the
     * other. Is told the files one by one, in the order of {@link RankFiles#inOrder}. Confined to one thread at a time.
     */
    static final class Ahead {
        private final Map<Path, Integer> planned;
        private final boolean clear;

        /** Numbers that some file has, whether or not it was read already. */
        private final Set<Integer> known = new HashSet<>();

        /** Numbers of files that were told. */
        private final Set<Integer> told = new HashSet<>();

        /** Whether a number is certain that says nothing but a place. */
        private boolean places = true;

        /** Whether no number was uncertain so far. */
        private boolean open = true;

        /** All numbers below this are known. */
        private int unknown;

        /** @param planned the rank that the beginning of each file states or its path names, -1 for none */
        Ahead(Map<Path, Integer> planned) {
            this.planned = planned;
            boolean distinct = true;
            for (int rank : planned.values()) {
                distinct &= rank < 0 || known.add(rank);
            }
            clear = distinct;
        }

        /**
         * The ranks of the next file; none for one that was not read, or was merged of others.
         *
         * @return null when what is read later may change them, and then for every file behind it
         */
        @Nullable
        List<Rank> next(List<? extends Loaded<?>> file) {
            List<Rank> ranks = open ? sure(file) : null;
            open = ranks != null;
            return ranks;
        }

        private @Nullable List<Rank> sure(List<? extends Loaded<?>> inside) {
            Loaded<?> first = inside.getFirst();
            int plan = planned.getOrDefault(first.file(), -1);
            UnreadFile unread = first.unread();
            if (unread != null) {
                places &= plan >= 0 || !unread.isTrace();
                told.add(plan);
                return List.of();
            }
            if (planned.size() > 1 && MergedTraces.areMerged(inside)) {
                return MergedTraces.areOf(inside, told) ? List.of() : null;
            }
            List<Rank> ranks = new ArrayList<>();
            boolean mayLack = false;
            for (Loaded<?> one : inside) {
                Rank rank = sure(one, plan);
                if (rank == null) {
                    return null;
                }
                known.add(rank.index());
                told.add(rank.index());
                ranks.add(rank);
                mayLack |= one.loss() && rank.origin() == Rank.Origin.ORDER;
            }
            places &= !mayLack;
            return ranks;
        }

        private @Nullable Rank sure(Loaded<?> one, int plan) {
            int stated = stated(one);
            int named = namedAlone(one);
            int number = stated >= 0 ? stated : named;
            if (number < 0) {
                return places && plan < 0 ? place() : null;
            }
            boolean free = plan < 0 ? !known.contains(number) : number == plan;
            boolean agreed = clear || named < 0 || named == number;
            return free && agreed ? new Rank(number, stated >= 0 ? Rank.Origin.TRACE : Rank.Origin.PATH) : null;
        }

        private Rank place() {
            while (known.contains(unknown)) {
                unknown++;
            }
            return new Rank(unknown, Rank.Origin.ORDER);
        }
    }
}
