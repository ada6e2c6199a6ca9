// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Why a device was not computing: every stretch without computation in the recording, cut at steps, by what held up the
 * computation that ends it. Until its launch call has ended the device had nothing to do; from then on it waited for what
 * binds it. The parts add up to the time without computation exactly.
 */
final class ComputeGaps {
    /**
     * Gaps of one cause.
     *
     * @param step index of the step, -1 outside of all
     * @param device the device, as the trace numbers it
     * @param cause what computation waited for
     * @param subject name of the activity that was waited for, or of the operator that launched late; empty when unknown
     */
    record Key(int step, String device, GapCause cause, String subject) implements Comparable<Key> {
        @Override
        public int compareTo(Key o) {
            int by = Integer.compare(step, o.step);
            by = by != 0 ? by : device.compareTo(o.device);
            by = by != 0 ? by : cause.compareTo(o.cause);
            return by != 0 ? by : subject.compareTo(o.subject);
        }
    }

    /** Gaps of one cause, and their time in ns. */
    record Row(Key key, long gaps, long time) {}

    private final DependencyGraph graph;
    private final RankGraph rank;
    private final Steps steps;
    private final Map<Key, long[]> sums = new TreeMap<>();

    private ComputeGaps(DependencyGraph graph, RankGraph rank, Steps steps) {
        this.graph = graph;
        this.rank = rank;
        this.steps = steps;
    }

    /**
     * All gaps of a rank.
     *
     * @param start begin of the recording in ns
     * @param end its end in ns
     */
    static List<Row> of(DependencyGraph graph, RankGraph rank, Steps steps, long start, long end) {
        ComputeGaps gaps = new ComputeGaps(graph, rank, steps);
        for (String device : rank.activity.devices()) {
            gaps.collect(device, start, end);
        }
        List<Row> rows = new ArrayList<>();
        gaps.sums.forEach((key, sum) -> rows.add(new Row(key, sum[0], sum[1])));
        return rows;
    }

    private void collect(String device, long start, long end) {
        long reached = start;
        for (int a = 0; a < rank.activity.size(); a++) {
            String on = rank.activity.streams().get(rank.activity.streamOf(a)).device();
            if (!rank.isComputation(a) || !on.equals(device)) {
                continue;
            }
            if (rank.start(a) > reached) {
                gap(device, reached, a);
            }
            reached = Math.max(reached, rank.end(a));
        }
        if (end > reached) {
            add(device, GapCause.LAUNCH_STARVED, "", reached, end);
        }
    }

    /** The gap that an activity ends. */
    private void gap(String device, long from, int a) {
        long to = rank.start(a);
        long launched = Math.min(Math.max(rank.launchEnd(a), from), to);
        int vertex = rank.startVertex(a);
        if (launched > from) {
            int operator = graph.operator[vertex];
            add(device, GapCause.LAUNCH_STARVED, operator < 0 ? "" : graph.names.get(operator), from, launched);
        }
        if (to > launched) {
            int edge = graph.binding(vertex);
            long explained = Math.max(launched, Math.min(to, explainedUntil(edge)));
            if (explained > launched) {
                add(device, cause(edge), subject(edge), launched, explained);
            }
            if (to > explained) {
                add(device, GapCause.UNRESOLVED, "", explained, to);
            }
        }
    }

    /** Until when an edge explains that nothing has started: the end of what it comes from, and as long as such edges take. */
    private long explainedUntil(int edge) {
        if (edge < 0) {
            return Long.MIN_VALUE;
        }
        return graph.time[graph.source[edge]] + Math.max(0, graph.counts(EdgeKind.of(graph.kind[edge])).longest);
    }

    private GapCause cause(int edge) {
        return switch (EdgeKind.of(graph.kind[edge])) {
            case STREAM, WAIT, INFERRED ->
                switch (PathClass.of(graph.pathClass[graph.source[edge]])) {
                    case COMMUNICATION -> GapCause.BLOCKED_BY_COMMUNICATION;
                    case COPY -> GapCause.BLOCKED_BY_COPY;
                    default ->
                        EdgeKind.of(graph.kind[edge]) == EdgeKind.STREAM
                                ? GapCause.KERNEL_GAP
                                : GapCause.BLOCKED_BY_KERNEL;
                };
            case LAUNCH -> GapCause.LAUNCH_LATENCY;
            default -> GapCause.UNRESOLVED;
        };
    }

    private String subject(int edge) {
        if (edge < 0 || EdgeKind.of(graph.kind[edge]) == EdgeKind.LAUNCH) {
            return "";
        }
        int label = graph.label[graph.source[edge]];
        return label < 0 ? "" : graph.names.get(label);
    }

    /** Cuts at the bounds of steps; a gap counts where it begins. */
    private void add(String device, GapCause cause, String subject, long from, long to) {
        long at = from;
        boolean first = true;
        while (at < to) {
            int step = steps.at(at);
            long until = Math.min(to, nextBound(at, step));
            long[] sum = sums.computeIfAbsent(new Key(step, device, cause, subject), k -> new long[2]);
            sum[0] += first ? 1 : 0;
            sum[1] += until - at;
            first = false;
            at = until;
        }
    }

    private long nextBound(long at, int step) {
        if (step >= 0) {
            return steps.steps().get(step).end();
        }
        for (Steps.Step later : steps.steps()) {
            if (later.start() > at) {
                return later.start();
            }
        }
        return Long.MAX_VALUE;
    }
}
