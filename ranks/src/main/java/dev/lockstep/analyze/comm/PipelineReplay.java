// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.analyze.comm.PipelineStep.Pass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where the bubbles of a pipeline come from: its passes replayed in their order, each after the one before on its stage and
 * after the pass that gives it its input, with durations that are made equal less and less.
 */
final class PipelineReplay {
    /** Why a pipeline takes longer than a stage computes, in the order in which causes are put on top of one another. */
    enum Cause {
        WARM_UP_AND_DRAIN,
        IMBALANCE,
        STRAGGLER,
        VARIATION,
        TRANSFER,
        HOST_AND_REST;

        String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private interface Length {
        long of(int stage, Pass pass);
    }

    private final PipelineStep pipeline;

    private PipelineReplay(PipelineStep pipeline) {
        this.pipeline = pipeline;
    }

    /**
     * What each cause adds to the mean computing time of a stage, ns; they sum up to the whole. Empty where the order of
     * passes is none that messages allow, and where it is not known which gradients of weights belong to which micro-batch.
     *
     * @param alike the pipelines of the same step that do the same with other data or other parts of each layer
     */
    static Map<Cause, Long> causes(PipelineStep pipeline, List<PipelineStep> alike) {
        List<PipelineStep.Stage> stages = pipeline.stages();
        long weights = stages.getFirst().count(Kind.WEIGHTS);
        for (PipelineStep.Stage stage : stages) {
            if (stage.count(Kind.WEIGHTS) != weights
                    || stage.passes().stream().anyMatch(pass -> pass.microBatch() < 0)) {
                return Map.of();
            }
        }
        PipelineReplay replay = new PipelineReplay(pipeline);
        long computing = (long) pipeline.meanComputing();
        Map<String, Long> equal = means(alike, false);
        Map<String, Long> ofRole = means(alike, true);
        Map<String, Long> own = means(List.of(pipeline), true);
        long[] spans = {
            computing,
            replay.span((stage, pass) -> get(equal, -1, pass), false),
            replay.span((stage, pass) -> get(ofRole, stage, pass), false),
            replay.span((stage, pass) -> get(own, stage, pass), false),
            replay.span((stage, pass) -> pass.duration(), false),
            replay.span((stage, pass) -> pass.duration(), true),
            pipeline.span()
        };
        Map<Cause, Long> causes = new EnumMap<>(Cause.class);
        for (Cause cause : Cause.values()) {
            long before = spans[cause.ordinal()];
            long after = spans[cause.ordinal() + 1];
            if (after < 0) {
                return Map.of();
            }
            causes.put(cause, after - before);
        }
        return causes;
    }

    private static String key(int stage, Pass pass) {
        return stage + "/" + pass.kind() + '/' + pass.chunk();
    }

    private static long get(Map<String, Long> means, int stage, Pass pass) {
        return means.getOrDefault(key(stage, pass), pass.duration());
    }

    /** Mean durations of passes of a kind and chunk, of each stage or over all. */
    private static Map<String, Long> means(List<PipelineStep> pipelines, boolean byStage) {
        Map<String, long[]> sums = new HashMap<>();
        for (PipelineStep one : pipelines) {
            for (int stage = 0; stage < one.stages().size(); stage++) {
                for (Pass pass : one.stages().get(stage).passes()) {
                    long[] sum = sums.computeIfAbsent(key(byStage ? stage : -1, pass), k -> new long[2]);
                    sum[0] += pass.duration();
                    sum[1]++;
                }
            }
        }
        Map<String, Long> means = new HashMap<>();
        sums.forEach((key, sum) -> means.put(key, (sum[0] + sum[1] / 2) / sum[1]));
        return means;
    }

    /** How long all takes, -1 if passes wait for each other in a circle. */
    private long span(Length lengths, boolean transfers) {
        int stages = pipeline.stages().size();
        Map<String, Long> ends = new HashMap<>();
        int[] next = new int[stages];
        long[] free = new long[stages];
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int stage = 0; stage < stages; stage++) {
                List<Pass> passes = pipeline.stages().get(stage).passes();
                while (next[stage] < passes.size()) {
                    Pass pass = passes.get(next[stage]);
                    String input = input(stage, pass);
                    if (!input.isEmpty() && !ends.containsKey(input)) {
                        break;
                    }
                    long ready = input.isEmpty() ? 0 : ends.getOrDefault(input, 0L) + (transfers ? pass.transfer() : 0);
                    free[stage] = Math.max(free[stage], ready) + lengths.of(stage, pass);
                    ends.put(name(pass.kind(), pass.chunk() * stages + stage, pass.microBatch()), free[stage]);
                    next[stage]++;
                    moved = true;
                }
            }
        }
        long end = 0;
        for (int stage = 0; stage < stages; stage++) {
            if (next[stage] < pipeline.stages().get(stage).passes().size()) {
                return -1;
            }
            end = Math.max(end, free[stage]);
        }
        return end;
    }

    private static String name(Kind kind, int virtualStage, int microBatch) {
        return kind + "/" + virtualStage + '/' + microBatch;
    }

    /** The pass whose result this one takes, empty for none. */
    private String input(int stage, Pass pass) {
        int stages = pipeline.stages().size();
        int virtual = pass.chunk() * stages + stage;
        int last = stages * pipeline.chunks() - 1;
        return switch (pass.kind()) {
            case FORWARD -> virtual == 0 ? "" : name(Kind.FORWARD, virtual - 1, pass.microBatch());
            case BACKWARD ->
                virtual == last
                        ? name(Kind.FORWARD, virtual, pass.microBatch())
                        : name(Kind.BACKWARD, virtual + 1, pass.microBatch());
            case WEIGHTS -> name(Kind.BACKWARD, virtual, pass.microBatch());
        };
    }

    /** The pipelines of the same step that have as many stages, micro-batches and chunks. */
    static List<PipelineStep> alike(PipelineStep pipeline, List<PipelineStep> all) {
        List<PipelineStep> alike = new ArrayList<>();
        for (PipelineStep other : all) {
            if (other.step() == pipeline.step()
                    && other.stages().size() == pipeline.stages().size()
                    && other.microBatches() == pipeline.microBatches()
                    && other.chunks() == pipeline.chunks()) {
                alike.add(other);
            }
        }
        return alike;
    }
}
