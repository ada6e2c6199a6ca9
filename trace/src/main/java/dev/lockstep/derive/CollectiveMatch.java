// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same collective on all ranks: one instance with one kernel per member; what is said of kernels holds for collectives of the
 * host alike. Takes time linear in the number of kernels.
 *
 * <p>Within a process group (its name and its members) collectives are matched by the sequence number that newer
 * profilers record; without it by their order on each rank. A send is matched with the receive of its peer, by order
 * between the two. Members of an instance must agree in kind, element type and size; where they do not, an instance is
 * split by what its members say, and the split is counted. Traces that record no group are matched by kind and order,
 * which {@link Basis} says.
 */
public final class CollectiveMatch {
    /** What an instance was matched by, most trusted first. */
    public enum Basis {
        SEQUENCE,
        GROUP_AND_ORDER,
        KIND_AND_ORDER
    }

    /**
     * Ranks that communicate; their kernels with and without numbers apart. Where no group is recorded, all kernels of a
     * kind are one group.
     *
     * @param basis what its instances are matched by
     * @param name name of the process group, empty when not recorded
     * @param members their ranks as the trace lists them, empty when not recorded
     * @param from place in the group of the side that sends, -1 unless two ranks exchange messages
     * @param to place of the side that receives, likewise
     * @param kind what its kernels have in common where name and members do not tell them from others: what they do, where no group
     *     is recorded, and the library of the host that carries them out; else null
     */
    public record Group(
            Basis basis,
            String name,
            String members,
            long from,
            long to,
            @Nullable String kind) implements Serializable {
        /** The order of groups in results. */
        public static final Comparator<Group> ORDER = Comparator.comparing((Group g) -> padded(g.name))
                .thenComparing(Group::name)
                .thenComparing(g -> padded(g.members))
                .thenComparing(Group::members)
                .thenComparing(Group::basis)
                .thenComparingLong(Group::from)
                .thenComparingLong(Group::to)
                .thenComparing(g -> Objects.requireNonNullElse(g.kind, ""));

        /** The same in every process, which those of constants are not: executors of a cluster bring equal groups together by it. */
        @Override
        public int hashCode() {
            int hash = 31 * basis.ordinal() + name.hashCode();
            hash = 31 * hash + members.hashCode();
            hash = 31 * hash + Long.hashCode(from);
            hash = 31 * hash + Long.hashCode(to);
            return 31 * hash + Objects.hashCode(kind);
        }

        /** Numbers by value. */
        private static String padded(String text) {
            return text.length() <= 18 && text.matches("\\d+") ? "0".repeat(18 - text.length()) + text : text;
        }

        /** Whether two ranks exchange messages. */
        public boolean isPair() {
            return from >= 0;
        }
    }

    private final List<RankCollectives> ranks;
    private final List<Group> groups = new ArrayList<>();
    private int[] groupOf = new int[0];
    private long[] numberOf = new long[0];
    private int[] first = new int[0];
    private int[] memberRank = new int[0];
    private int[] memberRow = new int[0];
    private final BitSet coalesced = new BitSet();
    private long disagreements;

    private CollectiveMatch(List<RankCollectives> ranks) {
        this.ranks = List.copyOf(ranks);
    }

    /** Matches the collectives of these ranks. */
    public static CollectiveMatch of(List<RankCollectives> ranks) {
        CollectiveMatch match = new CollectiveMatch(ranks);
        new Matching(match).run();
        return match;
    }

    public List<RankCollectives> ranks() {
        return ranks;
    }

    /** Number of instances: by group, then number. */
    public int size() {
        return groupOf.length;
    }

    /** All groups, in order. */
    public List<Group> groups() {
        return groups;
    }

    /** The group of an instance: place in {@link #groups}. */
    public int group(int instance) {
        return groupOf[instance];
    }

    /** Sequence number of an instance, or its place in order. */
    public long number(int instance) {
        return numberOf[instance];
    }

    /** Number of members of an instance. */
    public int members(int instance) {
        return first[instance + 1] - first[instance];
    }

    /** Place among {@link #ranks} of a member; members are in order of ranks. */
    public int rank(int instance, int member) {
        return memberRank[first[instance] + member];
    }

    /** Place of a member among those of all instances, one instance after the other. */
    public int place(int instance, int member) {
        return first[instance] + member;
    }

    /** Row of a member among the kernels of its rank. */
    public int row(int instance, int member) {
        return memberRow[first[instance] + member];
    }

    /** Whether it is one of several that a rank called by one number, and which may run as one. */
    public boolean isCoalesced(int instance) {
        return coalesced.get(instance);
    }

    /**
     * Whether an instance contradicts itself: it has more members than its group is said to have, or a rank twice. It is no collective,
     * and its members are not compared.
     */
    public boolean isContradictory(int instance) {
        return isContradictory(
                groups.get(group(instance)), call(instance), members(instance), member -> rank(instance, member));
    }

    /**
     * As {@link #isContradictory(int)}, of what was matched elsewhere.
     *
     * @param call what its first member recorded
     * @param members how many there are
     * @param rankOf the rank of each; equal ones stand side by side
     */
    public static boolean isContradictory(Group group, CollectiveCall call, int members, IntUnaryOperator rankOf) {
        long size = group.isPair() ? 2 : call.groupSize();
        if (size > 0 && members > size) {
            return true;
        }
        for (int m = 1; m < members; m++) {
            if (rankOf.applyAsInt(m) == rankOf.applyAsInt(m - 1)) {
                return true;
            }
        }
        return false;
    }

    /** What a member of an instance recorded. */
    public CollectiveCall call(int instance, int member) {
        return ranks.get(rank(instance, member)).call(row(instance, member));
    }

    /** What an instance's first member recorded. */
    public CollectiveCall call(int instance) {
        return call(instance, 0);
    }

    /** How many times members of one place did not agree and were taken apart. */
    public long disagreements() {
        return disagreements;
    }

    /** The work of matching, which is dropped afterwards. */
    private static final class Matching {
        private final CollectiveMatch match;
        private final Map<Group, Integer> groups = new HashMap<>();
        private final Map<String, Integer> agreements = new HashMap<>();
        private final IntTuples places = new IntTuples();
        private final LongIntMap instances = new LongIntMap(1 << 12);
        private final LongIntMap placeSeen = new LongIntMap(1 << 12);
        private final IntList group = new IntList(1024);
        private final IntList agreement = new IntList(1024);
        private final LongList number = new LongList(1024);
        private final IntList instance = new IntList(1024);
        private final IntList rank = new IntList(1024);
        private final IntList row = new IntList(1024);
        private final BitSet together = new BitSet();

        Matching(CollectiveMatch match) {
            this.match = match;
        }

        void run() {
            for (int r = 0; r < match.ranks.size(); r++) {
                collect(r, match.ranks.get(r));
            }
            arrange();
        }

        private void collect(int place, RankCollectives kernels) {
            CollectivePlaces own = CollectivePlaces.of(kernels);
            int calls = kernels.calls().size();
            int[] numbered = new int[calls];
            int[] ordered = new int[calls];
            int[] agreed = new int[calls];
            for (int c = 0; c < calls; c++) {
                numbered[c] = id(groups, own.group(c, true));
                ordered[c] = id(groups, own.group(c, false));
                agreed[c] = id(agreements, own.agreement(c));
            }
            for (int i = 0; i < kernels.size(); i++) {
                int call = kernels.callIndex(i);
                int g = own.isNumbered(i) ? numbered[call] : ordered[call];
                long n = own.number(i);
                int at = places.then(places.then(places.then(IntTuples.ROOT, g), (int) (n >>> 32)), (int) n);
                at = places.then(at, own.repetition(i));
                int found = instance(at, agreed[call], g, n);
                instance.add(found);
                if (own.isCoalesced(i)) {
                    together.set(found);
                }
                rank.add(place);
                row.add(i);
            }
        }

        /** The instance at a place on whose description its members agree; made when new. */
        private int instance(int at, int agreed, int g, long n) {
            long key = (long) at << 32 | agreed;
            int found = instances.get(key);
            if (found < 0) {
                found = group.size();
                instances.put(key, found);
                group.add(g);
                agreement.add(agreed);
                number.add(n);
                int others = placeSeen.get(at);
                if (others == 0) {
                    match.disagreements++;
                }
                placeSeen.put(at, others + 1);
            }
            return found;
        }

        /** Brings instances into an order that depends on their content alone, and members side by side. */
        private void arrange() {
            List<Group> known = new ArrayList<>(groups.keySet());
            known.sort(Group.ORDER);
            int[] used = new int[groups.size()];
            Arrays.fill(used, -1);
            for (int i = 0; i < group.size(); i++) {
                used[group.get(i)] = 0;
            }
            int[] rankOfGroup = new int[groups.size()];
            for (Group g : known) {
                int id = groups.getOrDefault(g, 0);
                if (used[id] == 0) {
                    rankOfGroup[id] = match.groups.size();
                    match.groups.add(g);
                }
            }
            String[] agreed = new String[agreements.size()];
            agreements.forEach((text, id) -> agreed[id] = text);
            int n = group.size();
            int[] order = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.comparingInt((Integer i) -> rankOfGroup[group.get(i)])
                            .thenComparingLong(i -> number.get(i))
                            .thenComparing(i -> agreed[agreement.get(i)]))
                    .mapToInt(i -> i)
                    .toArray();
            int[] newPlace = new int[n];
            match.groupOf = new int[n];
            match.numberOf = new long[n];
            for (int i = 0; i < n; i++) {
                newPlace[order[i]] = i;
                match.groupOf[i] = rankOfGroup[group.get(order[i])];
                match.numberOf[i] = number.get(order[i]);
            }
            together.stream().forEach(i -> match.coalesced.set(newPlace[i]));
            placeMembers(n, newPlace);
        }

        private void placeMembers(int n, int[] newPlace) {
            match.first = new int[n + 1];
            for (int i = 0; i < instance.size(); i++) {
                match.first[newPlace[instance.get(i)] + 1]++;
            }
            for (int i = 0; i < n; i++) {
                match.first[i + 1] += match.first[i];
            }
            int[] next = match.first.clone();
            match.memberRank = new int[instance.size()];
            match.memberRow = new int[instance.size()];
            for (int i = 0; i < instance.size(); i++) {
                int to = next[newPlace[instance.get(i)]]++;
                match.memberRank[to] = rank.get(i);
                match.memberRow[to] = row.get(i);
            }
        }

        private static <K> int id(Map<K, Integer> known, K key) {
            Integer id = known.get(key);
            if (id == null) {
                id = known.size();
                known.put(key, id);
            }
            return id;
        }
    }
}
