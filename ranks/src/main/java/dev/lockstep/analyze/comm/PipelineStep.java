// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import java.util.List;

/**
 * Ranks that hold the parts of a model one after the other, and what they did in one step. Times are ns on the common clock.
 *
 * @param group name of its process group
 * @param step index of the step, -1 where none are marked
 * @param ranks of the run, by stage
 * @param chunks parts of the model on each stage
 * @param microBatches that went through
 * @param stages what each stage did
 */
public record PipelineStep(
        String group, int step, List<Integer> ranks, int chunks, int microBatches, List<Stage> stages) {
    /** Copies both lists. */
    public PipelineStep {
        ranks = List.copyOf(ranks);
        stages = List.copyOf(stages);
    }

    /** What a pass computes. */
    public enum Kind {
        FORWARD,
        BACKWARD,
        /** Gradients of weights that were put off. */
        WEIGHTS
    }

    /**
     * What a stage did.
     *
     * @param passes in order
     */
    public record Stage(List<Pass> passes) {
        /** Copies the list. */
        public Stage {
            passes = List.copyOf(passes);
        }

        /** From the first to the last moment of passes, all of them. */
        public long computing() {
            return passes.stream().mapToLong(Pass::duration).sum();
        }

        /** How many passes of a kind. */
        public long count(Kind kind) {
            return passes.stream().filter(pass -> pass.kind() == kind).count();
        }

        /** Sum of the passes of a kind. */
        public long computing(Kind kind) {
            return passes.stream()
                    .filter(pass -> pass.kind() == kind)
                    .mapToLong(Pass::duration)
                    .sum();
        }
    }

    /**
     * A pass of a micro-batch through a chunk of a stage, and the time before it in which the stage ran none.
     *
     * @param chunk part of the stage's model; -1 where it is not known, as of weights without numbers of their operators
     * @param microBatch from 0; -1 likewise
     * @param busy how long kernels ran
     * @param gap what the time since the pass before went into
     * @param transfer how long the message took that it waited for, 0 for none
     */
    public record Pass(Kind kind, int chunk, int microBatch, long start, long end, long busy, Gap gap, long transfer) {
        public long duration() {
            return end - start;
        }
    }

    /**
     * Time in which a stage ran no pass, by what it waited for.
     *
     * @param waiting for the stage that sends to have something
     * @param waitedFor that stage, -1 for none
     * @param transferring from when both sides had come
     * @param launching until the host had asked for the message, or launched the pass
     * @param unresolved nothing explains it
     */
    public record Gap(long waiting, int waitedFor, long transferring, long launching, long unresolved) {
        public long total() {
            return waiting + transferring + launching + unresolved;
        }
    }

    /** First moment of a pass of any stage. */
    public long start() {
        return stages.stream()
                .mapToLong(stage -> stage.passes().getFirst().start())
                .min()
                .orElse(0);
    }

    /** Last moment of a pass of any stage. */
    public long end() {
        return stages.stream()
                .flatMap(stage -> stage.passes().stream())
                .mapToLong(Pass::end)
                .max()
                .orElse(0);
    }

    public long span() {
        return end() - start();
    }

    /** Time that a stage computes on average. */
    public double meanComputing() {
        return stages.stream().mapToLong(Stage::computing).average().orElse(0);
    }

    /** Time in which a stage ran no pass, of the time that all stages took. */
    public long bubble(int stage) {
        return span() - stages.get(stage).computing();
    }

    /**
     * Share of the time in which equal stages without transfers stand still when a pipeline fills and drains. With v chunks on
     * each of p stages and m micro-batches (p - 1) / (v m + p - 1). Where gradients of weights W are put off behind those of
     * inputs B, with passes of mean lengths (p - 1) (F + B - W) / (m (F + B + W) + (p - 1) (F + B - W)): schedule ZB-H1 of
     * "Zero Bubble Pipeline Parallelism" (Qi et al., 2024), which holds no more micro-batches at a time than others.
     */
    public double expectedShare() {
        int p = stages.size();
        double weights = mean(Kind.WEIGHTS);
        if (weights == 0) {
            return (p - 1.0) / ((double) chunks * microBatches + p - 1);
        }
        double inputs = mean(Kind.FORWARD) + mean(Kind.BACKWARD);
        double idle = (p - 1) * Math.max(0, inputs - weights) / chunks;
        return idle / (microBatches * (inputs + weights) + idle);
    }

    /** Mean time that a micro-batch takes on a stage in passes of a kind. */
    private double mean(Kind kind) {
        double sum = 0;
        for (Stage stage : stages) {
            sum += stage.computing(kind);
        }
        return sum / stages.size() / microBatches;
    }
}
