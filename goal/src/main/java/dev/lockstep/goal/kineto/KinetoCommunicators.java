// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The communicators behind process groups. */
final class KinetoCommunicators {
    private record Key(String name, String members) {}

    private final CollectiveMatch match;
    private final String[] nodes;
    private final KinetoRules rules;
    private final RecordingNotes notes;
    private final Map<Integer, Integer> placeOfRank = new HashMap<>();
    private final Map<Key, Integer> byKey = new HashMap<>();
    private final List<Communicator> communicators = new ArrayList<>();
    private final List<Boolean> oneNode = new ArrayList<>();
    private final int[] ofGroup;

    /** @param nodes for each rank of the match its node */
    KinetoCommunicators(CollectiveMatch match, String[] nodes, KinetoRules rules, RecordingNotes notes) {
        this.match = match;
        this.nodes = nodes;
        this.rules = rules;
        this.notes = notes;
        for (int place = 0; place < match.ranks().size(); place++) {
            placeOfRank.put(match.ranks().get(place).rank(), place);
        }
        Map<Key, SortedSet<Integer>> users = users();
        ofGroup = new int[match.groups().size()];
        for (int g = 0; g < ofGroup.length; g++) {
            Key key = key(g);
            Integer known = byKey.get(key);
            if (known == null) {
                known = communicators.size();
                byKey.put(key, known);
                add(key, users.getOrDefault(key, new TreeSet<>()));
            }
            ofGroup[g] = known;
        }
    }

    List<Communicator> all() {
        return communicators;
    }

    /** The communicator of a group of the match, as its place in {@link #all()}. */
    int of(int group) {
        return ofGroup[group];
    }

    /** Whether all members of a communicator share a node. */
    boolean oneNode(int communicator) {
        return oneNode.get(communicator);
    }

    private Key key(int group) {
        Group g = match.groups().get(group);
        return new Key(g.name(), g.members());
    }

    /** Who took part in anything of a group, as places of ranks. */
    private Map<Key, SortedSet<Integer>> users() {
        Map<Key, SortedSet<Integer>> users = new HashMap<>();
        for (int i = 0; i < match.size(); i++) {
            SortedSet<Integer> members = users.computeIfAbsent(key(match.group(i)), k -> new TreeSet<>());
            for (int m = 0; m < match.members(i); m++) {
                members.add(match.rank(i, m));
            }
        }
        return users;
    }

    private void add(Key key, SortedSet<Integer> users) {
        String name = key.name.isEmpty() ? key.members.isEmpty() ? "all ranks" : key.members : key.name;
        long[] listed = RankNumbers.of(key.members);
        boolean whole = listed.length > 0 && !key.members.contains("...") && !key.members.contains("…");
        int[] places;
        if (whole) {
            places = new int[listed.length];
            for (int i = 0; i < places.length; i++) {
                places[i] = placeOfRank.getOrDefault((int) listed[i], Communicator.NONE);
            }
        } else {
            places = users.stream().mapToInt(Integer::intValue).toArray();
            notes.assumed(
                    "members_assumed",
                    "group " + name + ": its members are not on record; the " + places.length
                            + " ranks that took part are taken for them");
        }
        connect(name, places);
    }

    private void connect(String name, int[] places) {
        String[] nodeOf = new String[places.length];
        for (int i = 0; i < places.length; i++) {
            nodeOf[i] = places[i] == Communicator.NONE ? "?" : nodes[places[i]];
        }
        DefaultTopology layout = new DefaultTopology(nodeOf);
        List<Ring> rings =
                rules.connections() == null ? List.of() : rules.connections().rings(places.length);
        List<Tree> trees =
                rules.connections() == null ? List.of() : rules.connections().trees(places.length);
        if (rings.isEmpty() && places.length > 1) {
            notes.assumed(
                    "topology_assumed",
                    "group " + name + ": rings go through its nodes in the order of ranks, trees branch between nodes");
        }
        communicators.add(new Communicator(
                name,
                Arrays.copyOf(places, places.length),
                rings.isEmpty() ? layout.rings() : rings,
                trees.isEmpty() ? layout.trees() : trees));
        oneNode.add(layout.oneNode());
    }
}
