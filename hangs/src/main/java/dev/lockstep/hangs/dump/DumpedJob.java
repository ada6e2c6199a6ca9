// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import dev.lockstep.hangs.dump.RankDump.LocalGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** The dumps of a job, by rank, and its process groups. */
public final class DumpedJob {
    private final List<RankDump> dumps;
    private final List<Group> groups;
    private final int[][] groupOf;
    private final List<Integer> missing;
    private final List<String> notes;

    private DumpedJob(
            List<RankDump> dumps, List<Group> groups, int[][] groupOf, List<Integer> missing, List<String> notes) {
        this.dumps = dumps;
        this.groups = groups;
        this.groupOf = groupOf;
        this.missing = missing;
        this.notes = notes;
    }

    /**
     * Puts dumps side by side. Of several dumps of a rank the one with the latest time counts.
     *
     * @param read in the order of their files
     */
    public static DumpedJob of(List<RankDump> read) {
        List<String> notes = new ArrayList<>();
        List<RankDump> dumps = byRank(read, notes);
        TreeSet<Integer> world = new TreeSet<>();
        for (RankDump dump : dumps) {
            world.add(dump.rank());
            dump.groups().forEach(group -> world.addAll(group.ranks()));
        }
        Members members = new Members(dumps, List.copyOf(world));
        List<Group> groups = new ArrayList<>();
        Map<String, Integer> numbers = new HashMap<>();
        Map<String, List<Integer>> ofName = new HashMap<>();
        int[][] groupOf = new int[dumps.size()][];
        for (boolean used : new boolean[] {true, false}) {
            for (int d = 0; d < groupOf.length; d++) {
                RankDump dump = dumps.get(d);
                groupOf[d] = used ? new int[dump.groups().size()] : groupOf[d];
                for (int local = 0; local < groupOf[d].length; local++) {
                    LocalGroup own = dump.groups().get(local);
                    if (own.isUsed() != used) {
                        continue;
                    }
                    List<Integer> order = members.of(own, dump.rank());
                    String key = own.name() + '\0' + members.key(order);
                    List<Integer> alike = ofName.computeIfAbsent(key, k -> new ArrayList<>());
                    if (used || alike.isEmpty()) {
                        String backend = used ? own.backend() : "";
                        int number = numbers.computeIfAbsent(backend + '\0' + key, k -> {
                            groups.add(new Group(
                                    own.name(),
                                    own.desc(),
                                    backend,
                                    order.stream().mapToInt(Integer::intValue).toArray()));
                            alike.add(groups.size() - 1);
                            return groups.size() - 1;
                        });
                        groups.get(number).known(dump.rank(), local);
                        groupOf[d][local] = number;
                    } else {
                        for (int number : alike) {
                            groups.get(number).known(dump.rank(), local);
                        }
                        groupOf[d][local] = alike.getFirst();
                    }
                }
            }
        }
        Map<Integer, Integer> places = new HashMap<>();
        dumps.forEach(dump -> places.put(dump.rank(), places.size()));
        groups.forEach(group -> group.dumped(places));
        List<Integer> missing = new ArrayList<>(world);
        dumps.forEach(dump -> missing.remove(Integer.valueOf(dump.rank())));
        return new DumpedJob(dumps, List.copyOf(groups), groupOf, missing, notes);
    }

    /** Which ranks a group has, also where the dump itself does not say. Lists are shared between dumps. */
    private static final class Members {
        private final List<Integer> all;
        private final Map<String, List<List<Integer>>> stated = new HashMap<>();
        private final Map<String, TreeSet<Integer>> users = new HashMap<>();
        private final IdentityHashMap<List<Integer>, String> keys = new IdentityHashMap<>();

        Members(List<RankDump> dumps, List<Integer> all) {
            this.all = all;
            for (RankDump dump : dumps) {
                for (LocalGroup group : dump.groups()) {
                    if (group.ranks().isEmpty()) {
                        users.computeIfAbsent(group.name(), n -> new TreeSet<>())
                                .add(dump.rank());
                    } else {
                        List<List<Integer>> known = stated.computeIfAbsent(group.name(), n -> new ArrayList<>());
                        if (known.isEmpty() || !known.getLast().equals(group.ranks())) {
                            known.add(group.ranks());
                        }
                    }
                }
            }
        }

        List<Integer> of(LocalGroup group, int rank) {
            if (!group.ranks().isEmpty()) {
                return group.ranks();
            }
            if (group.all()) {
                return all;
            }
            return stated.getOrDefault(group.name(), List.of()).stream()
                    .filter(ranks -> ranks.contains(rank))
                    .findFirst()
                    .orElseGet(() -> List.copyOf(users.getOrDefault(group.name(), new TreeSet<>(List.of(rank)))));
        }

        String key(List<Integer> ranks) {
            return keys.computeIfAbsent(
                    ranks, list -> list.stream().sorted().toList().toString());
        }
    }

    private static List<RankDump> byRank(List<RankDump> read, List<String> notes) {
        TreeMap<Integer, RankDump> byRank = new TreeMap<>();
        List<RankDump> unnamed = new ArrayList<>();
        Comparator<RankDump> later = Comparator.comparingLong(
                        (RankDump d) -> d.source().latestNs())
                .thenComparing(d -> d.source().file(), Comparator.reverseOrder());
        for (RankDump dump : read) {
            if (dump.rank() < 0) {
                unnamed.add(dump);
                continue;
            }
            RankDump other = byRank.get(dump.rank());
            if (other != null) {
                RankDump newer = later.compare(dump, other) > 0 ? dump : other;
                RankDump older = newer == dump ? other : dump;
                notes.add("Rank " + dump.rank() + " has two dumps: "
                        + newer.source().file() + " is newer, " + older.source().file() + " is left out.");
                byRank.put(dump.rank(), newer);
            } else {
                byRank.put(dump.rank(), dump);
            }
        }
        int free = 0;
        for (RankDump dump : unnamed) {
            while (byRank.containsKey(free)) {
                free++;
            }
            byRank.put(free, dump.of(free));
            notes.add(dump.source().file() + " names no rank: " + free + " is assumed.");
        }
        return List.copyOf(byRank.values());
    }

    /** By rank. */
    public List<RankDump> dumps() {
        return dumps;
    }

    /** When a rank made its last call, in ns since 1970; -1 where that is not known. */
    public long lastCall(int rank) {
        return dumps.stream()
                .filter(dump -> dump.rank() == rank && dump.size() > 0)
                .mapToLong(dump -> dump.created(dump.size() - 1))
                .findFirst()
                .orElse(-1);
    }

    public List<Group> groups() {
        return groups;
    }

    /** The group of the job that a dump knows by a number of its own. */
    public int groupOf(int dump, int local) {
        return groupOf[dump][local];
    }

    /** Ranks that groups name and that left no dump, sorted. */
    public List<Integer> missing() {
        return missing;
    }

    /** What was assumed about files; sentences. */
    public List<String> notes() {
        return notes;
    }
}
