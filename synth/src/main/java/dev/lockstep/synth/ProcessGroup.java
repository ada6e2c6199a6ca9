// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of ranks that communicate.
 *
 * @param lane the stream of its collectives
 * @param name unique in the job, as the framework numbers groups
 * @param description what it is for
 * @param ranks members, ascending
 */
record ProcessGroup(Lane lane, String name, String description, List<Integer> ranks) {
    /** The profiler shortens longer member lists. */
    private static final int LISTED_RANKS = 30;

    ProcessGroup {
        ranks = List.copyOf(ranks);
    }

    /** All groups of a job, every rank being in at most one group of a lane. */
    static List<ProcessGroup> of(TraceRecipe.Cluster cluster) {
        return cluster.parallelism().spreads() ? ofSpread(cluster) : ofSharded(cluster);
    }

    /** Tensor groups of consecutive ranks, data groups across them, pipelines across those. */
    private static List<ProcessGroup> ofSpread(TraceRecipe.Cluster cluster) {
        List<ProcessGroup> groups = new ArrayList<>();
        int ranks = cluster.ranks();
        int tensor = cluster.parallelism().tensor();
        int stages = cluster.parallelism().pipeline();
        int data = cluster.parallelism().dataRanks(ranks);
        add(groups, Lane.WORLD, "default_pg", every(1, 0, ranks));
        for (int first = 0; tensor > 1 && first < ranks; first += tensor) {
            add(groups, Lane.TENSOR, "mesh_tp", every(1, first, tensor));
        }
        for (int first = 0; data > 1 && first < ranks; first++) {
            if (first / tensor % data == 0) {
                add(groups, Lane.SHARD, "mesh_dp", every(tensor, first, data));
            }
        }
        for (int first = 0; stages > 1 && first < ranks / stages; first++) {
            add(groups, Lane.FORWARD_SEND, "mesh_pp", every(ranks / stages, first, stages));
            // between two ranks that send each other both, messages of one group would meet in the wrong order
            if (stages == 2 && cluster.parallelism().chunks() > 1) {
                add(groups, Lane.BACKWARD_SEND, "mesh_pp", every(ranks / stages, first, stages));
            }
        }
        add(groups, Lane.NORM, "grad_norm", every(1, 0, ranks));
        return List.copyOf(groups);
    }

    private static List<ProcessGroup> ofSharded(TraceRecipe.Cluster cluster) {
        List<ProcessGroup> groups = new ArrayList<>();
        int ranks = cluster.ranks();
        int shard = cluster.shardRanks();
        add(groups, Lane.WORLD, "default_pg", every(1, 0, ranks));
        for (int i = 0; i < ranks / shard; i++) {
            add(groups, Lane.SHARD, "mesh_dp_shard", every(1, i * shard, shard));
        }
        for (int i = 0; i < shard && shard < ranks; i++) {
            add(groups, Lane.REPLICATE, "mesh_dp_replicate", every(shard, i, ranks / shard));
        }
        add(groups, Lane.NORM, "grad_norm", every(1, 0, ranks));
        return List.copyOf(groups);
    }

    private static void add(List<ProcessGroup> groups, Lane lane, String description, List<Integer> members) {
        groups.add(new ProcessGroup(lane, Integer.toString(groups.size()), description, members));
    }

    /** So many ranks, each this far behind the one before. */
    private static List<Integer> every(int stride, int first, int size) {
        return IntStream.range(0, size).mapToObj(i -> first + i * stride).toList();
    }

    static boolean spansNodes(List<Integer> ranks, int gpusPerNode) {
        return ranks.getFirst() / gpusPerNode != ranks.getLast() / gpusPerNode;
    }

    /** What the recording says that it is for. */
    String described(TraceRecipe.Recording recording) {
        return recording.omits(Omission.GROUP_DESCRIPTIONS) ? "undefined" : description;
    }

    int size() {
        return ranks.size();
    }

    int stride() {
        return size() > 1 ? ranks.get(1) - ranks.get(0) : 0;
    }

    /** The member list as the profiler writes it: in full, or with its middle left out. */
    String listed() {
        if (size() <= LISTED_RANKS) {
            return ranks.toString();
        }
        String head =
                ranks.subList(0, LISTED_RANKS - 1).stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "[" + head + ", ..., " + ranks.get(size() - 1) + "]";
    }
}
