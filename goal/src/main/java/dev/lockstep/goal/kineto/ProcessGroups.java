// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The process groups of a run: what groups of a match have in common that name the same ranks. */
public final class ProcessGroups {
    /**
     * A process group.
     *
     * @param name of the group, else its members as the trace lists them
     * @param ranks the numbers of its members in the run, by their places in the group
     */
    public record Members(String name, List<Integer> ranks) {}

    private record Key(String name, String members) {}

    private final CollectiveMatch match;
    private final List<Members> all = new ArrayList<>();
    private final int[] ofGroup;

    /** @param notes are told where members are not on record, so that those who took part are taken for them */
    public ProcessGroups(CollectiveMatch match, RecordingNotes notes) {
        this.match = match;
        Map<Key, Integer> byKey = new HashMap<>();
        Map<Key, SortedSet<Integer>> users = users();
        ofGroup = new int[match.groups().size()];
        for (int g = 0; g < ofGroup.length; g++) {
            Key key = key(g);
            Integer known = byKey.get(key);
            if (known == null) {
                known = all.size();
                byKey.put(key, known);
                all.add(members(key, users.getOrDefault(key, new TreeSet<>()), notes));
            }
            ofGroup[g] = known;
        }
    }

    /** All groups, in the order of the match. */
    public List<Members> all() {
        return all;
    }

    /** The process group of a group of the match, as its place in {@link #all()}. */
    public int of(int group) {
        return ofGroup[group];
    }

    private Key key(int group) {
        Group g = match.groups().get(group);
        return new Key(g.name(), g.members());
    }

    /** The ranks that took part in anything of a group. */
    private Map<Key, SortedSet<Integer>> users() {
        Map<Key, SortedSet<Integer>> users = new HashMap<>();
        for (int i = 0; i < match.size(); i++) {
            SortedSet<Integer> members = users.computeIfAbsent(key(match.group(i)), k -> new TreeSet<>());
            for (int m = 0; m < match.members(i); m++) {
                members.add(match.ranks().get(match.rank(i, m)).rank());
            }
        }
        return users;
    }

    private static Members members(Key key, SortedSet<Integer> users, RecordingNotes notes) {
        String name = key.name.isEmpty() ? key.members.isEmpty() ? "all ranks" : key.members : key.name;
        long[] listed = RankNumbers.of(key.members);
        if (listed.length > 0 && !key.members.contains("...") && !key.members.contains("…")) {
            return new Members(
                    name, Arrays.stream(listed).mapToObj(rank -> (int) rank).toList());
        }
        notes.assumed(
                "members_assumed",
                "group " + name + ": its members are not on record; the " + users.size()
                        + " ranks that took part are taken for them");
        return new Members(name, List.copyOf(users));
    }
}
