// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who shares a node in a communicator. GPUs of different nodes that stand at the same place in theirs form a rail.
 *
 * @param members for each node its ranks in ascending order; nodes in the order of their first ranks
 * @param nodeOf for each rank the number of its node
 */
@SuppressWarnings("ArrayRecordComponent")
public record NodeGroups(int[][] members, int[] nodeOf) {
    /** Ranks with equal names of nodes share one. */
    public static NodeGroups of(List<String> nodeOfRank) {
        Map<String, List<Integer>> byName = new LinkedHashMap<>();
        int[] nodeOf = new int[nodeOfRank.size()];
        List<List<Integer>> nodes = new ArrayList<>();
        for (int rank = 0; rank < nodeOf.length; rank++) {
            List<Integer> node = byName.computeIfAbsent(nodeOfRank.get(rank), name -> {
                nodes.add(new ArrayList<>());
                return nodes.getLast();
            });
            node.add(rank);
            nodeOf[rank] = nodes.indexOf(node);
        }
        return new NodeGroups(
                nodes.stream()
                        .map(node -> node.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new),
                nodeOf);
    }

    /** How many nodes there are. */
    public int count() {
        return members.length;
    }

    /** The ranks of a rank's node. */
    public int[] around(int rank) {
        return members[nodeOf[rank]];
    }

    /** Who acts for a node on a rail: the GPU at that place, and where there are fewer, they take turns. */
    public int on(int rail, int node) {
        return members[node][rail % members[node].length];
    }

    /** Ranks of the smallest node. */
    public int smallest() {
        int least = Integer.MAX_VALUE;
        for (int[] node : members) {
            least = Math.min(least, node.length);
        }
        return least;
    }

    /** Ranks of the largest node. */
    public int largest() {
        int most = 0;
        for (int[] node : members) {
            most = Math.max(most, node.length);
        }
        return most;
    }
}
