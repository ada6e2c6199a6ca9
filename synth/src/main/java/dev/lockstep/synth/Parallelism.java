// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a model is spread over ranks besides data parallelism: blocks over the stages of a pipeline, each block over the ranks
 * of a tensor-parallel group. Ranks are numbered tensor first, then data, then pipeline.
 *
 * @param pipeline stages, 1 for none
 * @param tensor ranks that share each block, 1 for none
 * @param microBatches parts of a rank's batch that go through the pipeline one after the other
 * @param chunks parts of the model that each stage holds (virtual stages)
 * @param schedule in which order a stage works
 * @param stageLayers blocks of each virtual stage in the order of the model; empty for equally many
 */
public record Parallelism(
        int pipeline, int tensor, int microBatches, int chunks, Schedule schedule, List<Integer> stageLayers) {

    /** In which order a stage runs forward and backward passes. */
    public enum Schedule {
        /** One forward, one backward, once the pipeline is full. */
        ONE_F_ONE_B("1f1b"),
        /** The same with several chunks of the model on each stage. */
        INTERLEAVED("interleaved"),
        /** Gradients of weights are computed when there is nothing else to do. */
        ZERO_BUBBLE("zero-bubble");

        private final String spelling;

        Schedule(String spelling) {
            this.spelling = spelling;
        }

        /** As options and the truth spell it. */
        public String spelling() {
            return spelling;
        }

        /**
         * The schedule of this name.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Schedule of(String name) {
            return Arrays.stream(values())
                    .filter(schedule -> schedule.spelling.equals(name.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "unknown schedule: " + name + "; known: 1f1b, interleaved, zero-bubble"));
        }
    }

    public Parallelism {
        stageLayers = List.copyOf(stageLayers);
        require(pipeline >= 1 && pipeline <= 256, "pipeline stages must lie in 1..256");
        require(tensor >= 1 && tensor <= 64, "tensor-parallel ranks must lie in 1..64");
        require(microBatches >= 1 && microBatches <= 4096, "micro-batches must lie in 1..4096");
        require(chunks >= 1 && chunks <= 16, "chunks must lie in 1..16");
        boolean interleaved = schedule == Schedule.INTERLEAVED;
        require(interleaved || chunks == 1, "only the interleaved schedule has several chunks");
        require(!interleaved || chunks > 1 && pipeline > 1, "the interleaved schedule wants stages and chunks");
        require(
                !interleaved || microBatches % Math.max(1, microBatches / pipeline) == 0,
                "interleaved micro-batches must fall into equal rounds, as many as are of at least " + pipeline
                        + ": one for each stage");
        require(
                stageLayers.isEmpty() || stageLayers.size() == pipeline * chunks,
                "stage layers must be given for each of the " + pipeline * chunks + " virtual stages");
        require(stageLayers.stream().allMatch(layers -> layers >= 1), "every stage wants a layer");
    }

    /** Every rank runs the whole model. */
    public static Parallelism none() {
        return new Parallelism(1, 1, 1, 1, Schedule.ONE_F_ONE_B, List.of());
    }

    /** Whether the model is spread at all. */
    public boolean spreads() {
        return pipeline > 1 || tensor > 1;
    }

    /** Micro-batches that go through a chunk before the next chunk: as few as there are stages, or a little more. */
    int round() {
        return chunks == 1 ? microBatches : microBatches / Math.max(1, microBatches / pipeline);
    }

    int virtualStages() {
        return pipeline * chunks;
    }

    /** Ranks that hold the same part of the model. */
    int dataRanks(int ranks) {
        return ranks / (pipeline * tensor);
    }

    int stageOf(int rank, int ranks) {
        return rank / (ranks / pipeline);
    }

    int dataOf(int rank, int ranks) {
        return rank / tensor % dataRanks(ranks);
    }

    /** Blocks of a virtual stage, of so many in all. */
    int layersOf(int virtualStage, int layers) {
        return stageLayers.isEmpty() ? layers / virtualStages() : stageLayers.get(virtualStage);
    }

    void check(int ranks, int layers) {
        require(ranks % (pipeline * tensor) == 0, "pipeline stages times tensor-parallel ranks must divide ranks");
        if (spreads()) {
            int sum = stageLayers.stream().mapToInt(Integer::intValue).sum();
            require(
                    stageLayers.isEmpty() ? layers % virtualStages() == 0 : sum == layers,
                    "layers must be spread evenly over " + virtualStages()
                            + " virtual stages, or as the stage layers add up to " + layers);
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
