// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.Steps.Step;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
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

    /** Gaps of one cause, their time in ns, where the longest lies, and what ran meanwhile that computation waited for. */
    record Row(Key key, long gaps, long time, long longest, long at, Held held) {}

    /**
     * Time in which computation was held up, in ns: directly, or because what it waited for had to wait itself.
     *
     * @param communication while a collective ran
     * @param copies while a copy or fill ran
     */
    record Held(long communication, long copies) {}

    private final DependencyGraph graph;
    private final RankGraph rank;
    private final List<Step> steps;
    private final Map<Key, long[]> sums = new TreeMap<>();

    /** What ran in the gap that is looked at and held its end up: from when, until when, what; the latest first. */
    private final LongList heldFrom = new LongList(16);

    private final LongList heldTo = new LongList(16);
    private final List<PathClass> heldBy = new ArrayList<>();

    /** One device while its activities are gone through in order. */
    private static final class Device {
        final String name;

        /** Until when all is told. */
        long reached;

        /** The first step that may not have ended by then. */
        int step;

        Device(String name, long start) {
            this.name = name;
            reached = start;
        }
    }

    private ComputeGaps(DependencyGraph graph, RankGraph rank, List<Step> steps) {
        this.graph = graph;
        this.rank = rank;
        this.steps = steps;
    }

    /**
     * All gaps of a rank, in one pass over its activities and steps, those that took longest first.
     *
     * @param steps in order of time; they do not overlap
     * @param start begin of the recording in ns
     * @param end its end in ns
     */
    static List<Row> of(DependencyGraph graph, RankGraph rank, List<Step> steps, long start, long end) {
        ComputeGaps gaps = new ComputeGaps(graph, rank, steps);
        gaps.collect(start, end);
        List<Row> rows = new ArrayList<>();
        gaps.sums.forEach(
                (key, sum) -> rows.add(new Row(key, sum[0], sum[1], sum[2], sum[3], new Held(sum[4], sum[5]))));
        rows.sort(Comparator.comparingLong((Row row) -> -row.time).thenComparing(Row::key));
        return rows;
    }

    private void collect(long start, long end) {
        Map<String, Device> devices = new LinkedHashMap<>();
        rank.activity.devices().forEach(name -> devices.put(name, new Device(name, start)));
        Device[] ofStream = rank.activity.streams().stream()
                .map(stream -> devices.get(stream.device()))
                .toArray(Device[]::new);
        for (int a = 0; a < rank.activity.size(); a++) {
            if (rank.isComputation(a)) {
                Device device = ofStream[rank.activity.streamOf(a)];
                if (rank.start(a) > device.reached) {
                    gap(device, device.reached, a);
                }
                device.reached = Math.max(device.reached, rank.end(a));
            }
        }
        for (Device device : devices.values()) {
            if (end > device.reached) {
                add(device, GapCause.LAUNCH_STARVED, "", device.reached, end);
            }
        }
    }

    /** The gap that an activity ends. */
    private void gap(Device device, long from, int a) {
        long to = rank.start(a);
        long launched = Math.min(Math.max(rank.launchEnd(a), from), to);
        int vertex = rank.startVertex(a);
        if (launched > from) {
            int operator = graph.operator(vertex);
            add(device, GapCause.LAUNCH_STARVED, operator < 0 ? "" : graph.names.get(operator), from, launched);
        }
        if (to > launched) {
            int edge = graph.binding(vertex);
            long explained = Math.max(launched, Math.min(to, explainedUntil(edge)));
            if (explained > launched) {
                follow(vertex, launched, explained);
                add(device, cause(edge), subject(edge), launched, explained);
                heldFrom.clear();
                heldTo.clear();
                heldBy.clear();
            }
            if (to > explained) {
                add(device, GapCause.UNRESOLVED, "", explained, to);
            }
        }
    }

    /** Goes back from the end of a gap to its start, from each activity that held up to what held that up. */
    private void follow(int vertex, long from, long to) {
        int held = vertex;
        long until = to;
        while (until > from) {
            int edge = graph.binding(held);
            int end = edge < 0 || !isBetweenActivities(edge) ? -1 : graph.source[edge];
            int start = end < 0 ? -1 : graph.source(end, EdgeKind.RUN);
            if (start < 0) {
                return;
            }
            long begins = Math.max(from, graph.time[start]);
            long ends = Math.min(until, explainedUntil(edge));
            if (ends > begins) {
                heldFrom.add(begins);
                heldTo.add(ends);
                heldBy.add(graph.pathClass(end));
            }
            until = Math.min(until, graph.time[start]);
            held = start;
        }
    }

    private boolean isBetweenActivities(int edge) {
        return switch (EdgeKind.of(graph.kind[edge])) {
            case STREAM, NODE, WAIT, INFERRED -> true;
            default -> false;
        };
    }

    /** For how long something of a class ran that held up the end of the gap. */
    private long held(PathClass by, long from, long to) {
        long sum = 0;
        for (int i = 0; i < heldBy.size(); i++) {
            if (heldBy.get(i) == by) {
                sum += Math.max(0, Math.min(to, heldTo.get(i)) - Math.max(from, heldFrom.get(i)));
            }
        }
        return sum;
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
            case STREAM, NODE, WAIT, INFERRED ->
                switch (graph.pathClass(graph.source[edge])) {
                    case COMMUNICATION -> GapCause.BLOCKED_BY_COMMUNICATION;
                    case COPY -> GapCause.BLOCKED_BY_COPY;
                    default ->
                        EdgeKind.of(graph.kind[edge]).isOrderOfStream()
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
        int label = graph.label(graph.source[edge]);
        return label < 0 ? "" : graph.names.get(label);
    }

    /** Cuts at the bounds of steps; a gap counts where it begins. */
    private void add(Device device, GapCause cause, String subject, long from, long to) {
        long at = from;
        boolean first = true;
        while (at < to) {
            while (device.step < steps.size() && steps.get(device.step).end() <= at) {
                device.step++;
            }
            Step next = device.step < steps.size() ? steps.get(device.step) : null;
            boolean inside = next != null && next.start() <= at;
            long until = next == null ? to : Math.min(to, inside ? next.end() : next.start());
            int step = inside ? device.step : -1;
            long[] sum = sums.computeIfAbsent(new Key(step, device.name, cause, subject), k -> new long[6]);
            sum[0] += first ? 1 : 0;
            sum[1] += until - at;
            sum[4] += held(PathClass.COMMUNICATION, at, until);
            sum[5] += held(PathClass.COPY, at, until);
            if (until - at > sum[2]) {
                sum[2] = until - at;
                sum[3] = at;
            }
            first = false;
            at = until;
        }
    }
}
