// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.List;

/** What the ranks of a made job call in a step: tensor, pipeline and data parallel, with messages between stages. */
final class HangProgram {
    /** A process group; ranks in the order of their numbers. */
    @SuppressWarnings("ArrayRecordComponent")
    record Members(String name, String desc, int[] ranks) {}

    final int tensor;
    final int stages;
    final int replicas;
    final boolean batched;
    private final int layers;
    private final int microbatches;
    private final int buckets;
    private final boolean gathers;
    private final List<Members> groups = new ArrayList<>();
    private final int[][] groupsOf;

    HangProgram(int ranks, boolean withStages, SplitMix random) {
        int largest = 1;
        while (largest < 8 && ranks % (2 * largest) == 0) {
            largest *= 2;
        }
        int pipes = withStages || random.uniform() < 0.6 ? 2 + (ranks % 4 == 0 && random.uniform() < 0.4 ? 2 : 0) : 1;
        stages = ranks % pipes == 0 ? pipes : ranks % 2 == 0 ? 2 : 1;
        int rest = ranks / stages;
        int wide = 1;
        while (2 * wide <= largest && rest % (2 * wide) == 0 && rest / (2 * wide) >= 1 && random.uniform() < 0.75) {
            wide *= 2;
        }
        tensor = wide;
        replicas = rest / tensor;
        batched = random.uniform() < 0.4;
        layers = 2 + (int) (random.uniform() * 3);
        microbatches = 2 + (int) (random.uniform() * 2);
        buckets = 2 + (int) (random.uniform() * 3);
        gathers = random.uniform() < 0.5;
        groupsOf = new int[ranks][4];
        int[] all = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            all[rank] = rank;
        }
        groups.add(new Members("0", "default_pg", all));
        build(ranks);
    }

    private void build(int ranks) {
        int[][] shapes = {{1, tensor}, {tensor, replicas}, {tensor * replicas, stages}};
        String[] descs = {"tensor_model_parallel", "data_parallel", "pipeline_model_parallel"};
        for (int kind = 0; kind < shapes.length; kind++) {
            int stride = shapes[kind][0];
            int size = shapes[kind][1];
            for (int rank = 0; rank < ranks; rank++) {
                if (rank / stride % size == 0) {
                    int[] members = new int[size];
                    for (int i = 0; i < size; i++) {
                        members[i] = rank + i * stride;
                        groupsOf[members[i]][kind + 1] = groups.size();
                    }
                    groups.add(new Members(Integer.toString(groups.size()), descs[kind], members));
                }
            }
        }
    }

    List<Members> groups() {
        return groups;
    }

    /** The groups of a rank: all, tensor, data, pipeline. */
    int[] groupsOf(int rank) {
        return groupsOf[rank];
    }

    /** What a rank calls in a step. */
    List<HangCall> step(int rank) {
        List<HangCall> calls = new ArrayList<>();
        int stage = rank / (tensor * replicas);
        for (int batch = 0; batch < microbatches; batch++) {
            message(calls, rank, stage > 0, "recv", stage - 1, 211);
            layers(calls, rank, 120);
            message(calls, rank, stage < stages - 1, "send", stage + 1, 214);
        }
        for (int batch = 0; batch < microbatches; batch++) {
            message(calls, rank, stage < stages - 1, "recv", stage + 1, 231);
            layers(calls, rank, 140);
            message(calls, rank, stage > 0, "send", stage - 1, 234);
        }
        if (replicas > 1) {
            for (int bucket = 0; bucket < buckets; bucket++) {
                calls.add(new HangCall(
                        groupsOf[rank][2],
                        "_reduce_scatter_base",
                        replicas * (4096L << bucket),
                        "Float",
                        -1,
                        true,
                        310));
            }
            for (int bucket = 0; bucket < buckets; bucket++) {
                calls.add(new HangCall(
                        groupsOf[rank][2], "_all_gather_base", 4096L << bucket, "BFloat16", -1, false, 320));
            }
        }
        calls.add(new HangCall(0, "all_reduce", 1, "Float", -1, false, 330));
        calls.add(new HangCall(0, "all_reduce", 2, "Double", -1, false, 335));
        return calls;
    }

    private void layers(List<HangCall> calls, int rank, int line) {
        for (int layer = 0; tensor > 1 && layer < layers; layer++) {
            if (gathers) {
                calls.add(new HangCall(groupsOf[rank][1], "_all_gather_base", 65536, "BFloat16", -1, false, line));
                calls.add(new HangCall(
                        groupsOf[rank][1], "_reduce_scatter_base", 65536L * tensor, "BFloat16", -1, false, line + 4));
            } else {
                calls.add(new HangCall(groupsOf[rank][1], "all_reduce", 131072, "BFloat16", -1, false, line));
            }
        }
    }

    private void message(List<HangCall> calls, int rank, boolean there, String kind, int peer, int line) {
        if (there) {
            calls.add(new HangCall(groupsOf[rank][3], kind, 32768, "BFloat16", peer, false, line));
        }
    }
}
