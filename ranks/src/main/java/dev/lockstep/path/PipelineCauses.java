// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.comm.PipelineStep;
import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.analyze.comm.PipelineStep.Pass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where the bubbles of a pipeline come from: its passes as a dependency graph, each after the one before on its stage and after the pass
 * that gives it its input, replayed with durations that are made equal less and less.
 */
public final class PipelineCauses {
    /** Why a pipeline takes longer than a stage computes, in the order in which causes are put on top of one another. */
    public enum Cause {
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
    private final ActivityGraph graph;
    /** By stage and place: the activity of the pass, and of the message before it, -1 for none. */
    private final int[][] passes;

    private final int[][] messages;
    /** Whether every pass gets its input some time. */
    private final boolean runs;

    private PipelineCauses(PipelineStep pipeline) {
        this.pipeline = pipeline;
        int stages = pipeline.stages().size();
        passes = new int[stages][];
        messages = new int[stages][];
        ActivityGraph.Builder builder = new ActivityGraph.Builder();
        Map<String, Integer> byName = new HashMap<>();
        for (int stage = 0; stage < stages; stage++) {
            List<Pass> own = pipeline.stages().get(stage).passes();
            passes[stage] = new int[own.size()];
            messages[stage] = new int[own.size()];
            for (int i = 0; i < own.size(); i++) {
                passes[stage][i] = builder.activity();
                byName.put(
                        name(
                                own.get(i).kind(),
                                own.get(i).chunk() * stages + stage,
                                own.get(i).microBatch()),
                        passes[stage][i]);
                if (i > 0) {
                    builder.after(passes[stage][i - 1], passes[stage][i]);
                }
            }
        }
        boolean complete = true;
        for (int stage = 0; stage < stages; stage++) {
            for (int i = 0; i < passes[stage].length; i++) {
                String input =
                        input(stage, pipeline.stages().get(stage).passes().get(i));
                Integer giver = byName.get(input);
                messages[stage][i] = -1;
                complete &= input.isEmpty() || giver != null;
                if (giver != null) {
                    messages[stage][i] = builder.activity();
                    builder.after(giver, messages[stage][i]);
                    builder.after(messages[stage][i], passes[stage][i]);
                }
            }
        }
        graph = builder.build();
        runs = complete && !graph.isCircular();
    }

    /**
     * What each cause adds to the mean computing time of a stage, ns; they sum up to the whole. Empty where the order of
     * passes is none that messages allow, and where it is not known which gradients of weights belong to which micro-batch.
     *
     * @param alike the pipelines of the same step that do the same with other data or other parts of each layer
     */
    public static Map<Cause, Long> causes(PipelineStep pipeline, List<PipelineStep> alike) {
        List<PipelineStep.Stage> stages = pipeline.stages();
        long weights = stages.getFirst().count(Kind.WEIGHTS);
        for (PipelineStep.Stage stage : stages) {
            if (stage.count(Kind.WEIGHTS) != weights
                    || stage.passes().stream().anyMatch(pass -> pass.microBatch() < 0)) {
                return Map.of();
            }
        }
        PipelineCauses passes = new PipelineCauses(pipeline);
        long computing = (long) pipeline.meanComputing();
        Map<String, Long> equal = means(alike, false);
        Map<String, Long> ofRole = means(alike, true);
        Map<String, Long> own = means(List.of(pipeline), true);
        long[] spans = {
            computing,
            passes.span((stage, pass) -> get(equal, -1, pass), false),
            passes.span((stage, pass) -> get(ofRole, stage, pass), false),
            passes.span((stage, pass) -> get(own, stage, pass), false),
            passes.span((stage, pass) -> pass.duration(), false),
            passes.span((stage, pass) -> pass.duration(), true),
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

    /** How long all takes, -1 if passes wait for each other in a circle, or for one that is not there. */
    private long span(Length lengths, boolean transfers) {
        if (!runs) {
            return -1;
        }
        for (int stage = 0; stage < passes.length; stage++) {
            for (int i = 0; i < passes[stage].length; i++) {
                Pass pass = pipeline.stages().get(stage).passes().get(i);
                graph.work(passes[stage][i], lengths.of(stage, pass));
                if (messages[stage][i] >= 0) {
                    graph.work(messages[stage][i], transfers ? pass.transfer() : 0);
                }
            }
        }
        graph.replay();
        long end = 0;
        for (int[] ofStage : passes) {
            for (int pass : ofStage) {
                end = Math.max(end, graph.end(pass));
            }
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
    public static List<PipelineStep> alike(PipelineStep pipeline, List<PipelineStep> all) {
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
