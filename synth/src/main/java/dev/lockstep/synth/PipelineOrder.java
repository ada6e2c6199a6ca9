// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What each stage of a pipeline does after what. */
final class PipelineOrder {
    /** The kinds of passes. */
    enum Pass {
        FORWARD,
        /** Gradients of inputs and weights, or of inputs alone where those of weights are put off. */
        BACKWARD,
        /** Gradients of weights that were put off. */
        WEIGHTS;

        String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A pass of one micro-batch through one chunk of a stage.
     *
     * @param chunk which part of the stage's model
     * @param microBatch from 0
     */
    record Work(Pass pass, int chunk, int microBatch) {}

    private PipelineOrder() {}

    /** The passes of a stage, in order. */
    static List<Work> of(Parallelism parallelism, int stage) {
        return switch (parallelism.schedule()) {
            case ONE_F_ONE_B, INTERLEAVED -> oneForwardOneBackward(parallelism, stage);
            case ZERO_BUBBLE -> zeroBubble(parallelism).get(stage);
        };
    }

    /** Forward passes until the pipeline is full, then one forward and one backward, then the remaining backward ones. */
    private static List<Work> oneForwardOneBackward(Parallelism p, int stage) {
        int all = p.microBatches() * p.chunks();
        int behind = p.pipeline() - 1 - stage;
        int warmUp = p.chunks() == 1 ? behind : 2 * behind + (p.chunks() - 1) * p.round();
        if (p.chunks() > 1 && p.microBatches() == p.pipeline()) {
            warmUp = all;
        }
        warmUp = Math.min(warmUp, all);
        List<Work> order = new ArrayList<>();
        for (int i = 0; i < warmUp; i++) {
            order.add(nth(p, i, Pass.FORWARD));
        }
        for (int i = warmUp; i < all; i++) {
            order.add(nth(p, i, Pass.FORWARD));
            order.add(nth(p, i - warmUp, Pass.BACKWARD));
        }
        for (int i = all - warmUp; i < all; i++) {
            order.add(nth(p, i, Pass.BACKWARD));
        }
        return List.copyOf(order);
    }

    /** Micro-batches go through a chunk in rounds, backward through the last chunk first. */
    private static Work nth(Parallelism p, int i, Pass pass) {
        int round = p.round() * p.chunks();
        int chunk = i % round / p.round();
        int microBatch = i / round * p.round() + i % p.round();
        return new Work(pass, pass == Pass.FORWARD ? chunk : p.chunks() - 1 - chunk, microBatch);
    }

    /**
     * Passes of equal length, at every moment the most urgent that can run: gradients of inputs before forward passes before
     * gradients of weights. No stage holds more micro-batches than it would otherwise.
     */
    private static List<List<Work>> zeroBubble(Parallelism p) {
        int stages = p.pipeline();
        int m = p.microBatches();
        int[][] done = new int[Pass.values().length][stages];
        List<List<Work>> order = new ArrayList<>();
        for (int stage = 0; stage < stages; stage++) {
            order.add(new ArrayList<>());
        }
        while (Arrays.stream(done[Pass.WEIGHTS.ordinal()]).sum() < stages * m) {
            int[] forward = done[0].clone();
            int[] backward = done[1].clone();
            for (int stage = 0; stage < stages; stage++) {
                boolean last = stage == stages - 1;
                Pass next;
                if (backward[stage] < (last ? forward[stage] : backward[stage + 1])) {
                    next = Pass.BACKWARD;
                } else if (forward[stage] < (stage == 0 ? m : forward[stage - 1])
                        && forward[stage] - backward[stage] < stages - stage) {
                    next = Pass.FORWARD;
                } else if (done[2][stage] < backward[stage]) {
                    next = Pass.WEIGHTS;
                } else {
                    continue;
                }
                order.get(stage).add(new Work(next, 0, done[next.ordinal()][stage]++));
            }
        }
        return order;
    }
}
