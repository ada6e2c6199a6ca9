// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.goal.nccl.BinaryTrees;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rings and trees as the library makes them where it knows no better: a ring goes through one node after the other and
 * begins in each with another GPU on every channel; a tree is a chain within each node, and between the first GPUs of the
 * nodes it is a binary tree, every second channel the other one of the two that {@link BinaryTrees} knows.
 */
final class DefaultTopology {
    private static final int MOST_VARIANTS = 8;

    private final List<int[]> nodes = new ArrayList<>();
    private final int ranks;

    /** @param nodeOf for each rank of the communicator, its node */
    DefaultTopology(String[] nodeOf) {
        ranks = nodeOf.length;
        Map<String, List<Integer>> members = new LinkedHashMap<>();
        for (int rank = 0; rank < ranks; rank++) {
            members.computeIfAbsent(nodeOf[rank], node -> new ArrayList<>()).add(rank);
        }
        members.values()
                .forEach(list ->
                        nodes.add(list.stream().mapToInt(Integer::intValue).toArray()));
    }

    /** Whether all ranks share a node. */
    boolean oneNode() {
        return nodes.size() == 1;
    }

    List<Ring> rings() {
        List<Ring> rings = new ArrayList<>();
        for (int variant = 0; variant < variants(); variant++) {
            int[] order = new int[ranks];
            int at = 0;
            for (int[] node : nodes) {
                for (int i = 0; i < node.length; i++) {
                    order[at++] = node[(i + variant) % node.length];
                }
            }
            rings.add(Connections.ringOf(order));
        }
        return rings;
    }

    List<Tree> trees() {
        List<Tree> trees = new ArrayList<>();
        int variants = Math.max(2, variants() / 2 * 2);
        for (int variant = 0; variant < variants; variant++) {
            trees.add(Tree.of(parents(variant)));
        }
        return trees;
    }

    private int[] parents(int variant) {
        int[] parents = new int[ranks];
        int[] above = BinaryTrees.parents(nodes.size(), variant % 2 != 0);
        for (int i = 0; i < nodes.size(); i++) {
            int[] node = nodes.get(i);
            for (int j = 1; j < node.length; j++) {
                parents[node[(j + variant) % node.length]] = node[(j - 1 + variant) % node.length];
            }
            int[] up = above[i] == Communicator.NONE ? new int[0] : nodes.get(above[i]);
            parents[node[variant % node.length]] = up.length == 0 ? Communicator.NONE : up[variant % up.length];
        }
        return parents;
    }

    private int variants() {
        int largest = 1;
        for (int[] node : nodes) {
            largest = Math.max(largest, node.length);
        }
        return Math.min(MOST_VARIANTS, largest);
    }
}
