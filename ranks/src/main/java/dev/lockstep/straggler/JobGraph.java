// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.path.ActivityGraph;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a step on all data-parallel ranks as a dependency graph, replayed step by step: every operation starts when those
 * before it have ended, a computation takes its time, and a communication takes its transfer from the moment when the last of its group has
 * started. Confined to one thread.
 */
final class JobGraph {
    private final Recording recording;
    private final double ticks;
    private final ActivityGraph graph;
    /** By cell of a step: its activity. */
    private final int[] activities;

    private final int[] optimizers;

    /** @param ticks how many units of the graph's whole times make one of the recording's */
    JobGraph(Recording recording, double ticks) {
        this.recording = recording;
        this.ticks = ticks;
        Template template = recording.template;
        int size = template.size();
        activities = new int[recording.dpRanks * size];
        ActivityGraph.Builder builder = new ActivityGraph.Builder();
        for (int g = 0; g + 1 < template.firstMember.length; g++) {
            int together = template.acrossRanks[g] ? recording.dpRanks : 1;
            for (int d = 0; d < recording.dpRanks; d += together) {
                add(builder, template, g, d, together);
            }
        }
        for (int at = 0; at < activities.length; at++) {
            int v = at % size;
            for (int e = template.firstBefore[v]; e < template.firstBefore[v + 1]; e++) {
                builder.after(activities[at - v + template.before[e]], activities[at]);
            }
        }
        graph = builder.build();
        optimizers = IntStream.range(0, activities.length)
                .filter(at -> template.names.get(at % size).type() == OperationType.OPTIMIZER)
                .map(at -> activities[at])
                .toArray();
    }

    /** Adds the members of a group on some data-parallel ranks. */
    private void add(ActivityGraph.Builder builder, Template template, int group, int firstRank, int ranks) {
        int from = template.firstMember[group];
        int to = template.firstMember[group + 1];
        boolean computes = template.isComputation(template.member[from]);
        int next = computes ? -1 : builder.together(ranks * (to - from));
        for (int d = firstRank; d < firstRank + ranks; d++) {
            for (int m = from; m < to; m++) {
                activities[d * template.size() + template.member[m]] = computes ? builder.activity() : next++;
            }
        }
    }

    /**
     * How long every step takes. The arrays pass to the record.
     *
     * @param steps until the last optimizer has ended
     * @param spans from the first start to the last end
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Times(double[] steps, double[] spans) {
        double step() {
            return mean(steps);
        }

        double span() {
            return mean(spans);
        }

        static double mean(double[] values) {
            return Arrays.stream(values).sum() / values.length;
        }
    }

    /**
     * Replays all steps.
     *
     * @param work what each operation takes
     * @param delay by how much each starts later; null for not at all
     */
    Times of(double[] work, double @Nullable [] delay) {
        int steps = recording.steps.length;
        Times times = new Times(new double[steps], new double[steps]);
        for (int s = 0; s < steps; s++) {
            int base = s * activities.length;
            for (int at = 0; at < activities.length; at++) {
                graph.work(activities[at], Math.round(work[base + at] * ticks));
                graph.delay(activities[at], delay == null ? 0 : Math.round(delay[base + at] * ticks));
            }
            graph.replay();
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (int activity = 0; activity < graph.size(); activity++) {
                first = Math.min(first, graph.start(activity));
                last = Math.max(last, graph.end(activity));
            }
            long until = Long.MIN_VALUE;
            for (int optimizer : optimizers) {
                until = Math.max(until, graph.end(optimizer));
            }
            times.spans[s] = (last - first) / ticks;
            times.steps[s] = until / ticks;
        }
        return times;
    }
}
