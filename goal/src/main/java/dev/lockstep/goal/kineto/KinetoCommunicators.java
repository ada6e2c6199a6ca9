// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The communicators behind process groups. */
final class KinetoCommunicators {
    private final String[] nodes;
    private final KinetoRules rules;
    private final RecordingNotes notes;
    private final ProcessGroups groups;
    private final List<Communicator> communicators = new ArrayList<>();
    private final List<Boolean> oneNode = new ArrayList<>();

    /** @param nodes for each rank of the match its node */
    KinetoCommunicators(CollectiveMatch match, String[] nodes, KinetoRules rules, RecordingNotes notes) {
        this.nodes = nodes;
        this.rules = rules;
        this.notes = notes;
        Map<Integer, Integer> placeOfRank = new HashMap<>();
        for (int place = 0; place < match.ranks().size(); place++) {
            placeOfRank.put(match.ranks().get(place).rank(), place);
        }
        groups = new ProcessGroups(match, notes);
        for (ProcessGroups.Members group : groups.all()) {
            connect(
                    group.name(),
                    group.ranks().stream()
                            .mapToInt(rank -> placeOfRank.getOrDefault(rank, Communicator.NONE))
                            .toArray());
        }
    }

    List<Communicator> all() {
        return communicators;
    }

    /** The communicator of a group of the match, as its place in {@link #all()}. */
    int of(int group) {
        return groups.of(group);
    }

    /** Whether all members of a communicator share a node. */
    boolean oneNode(int communicator) {
        return oneNode.get(communicator);
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
