// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.Iterations.Iteration;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.LaunchDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Puts under each launch of a graph the calls by which that graph was captured, with their arguments and the frames
 * around them, and makes the graph's activities those of the captured launches. A copy bears the time of the graph's
 * launch, which is when the host ran all of it.
 */
public final class CaptureMerge {
    private final Trace trace;
    private final Slices slices;
    private final LaunchRule rule;
    private final GraphCaptures captures;
    private final GraftBuilder grafts;
    private final Map<Integer, IntList> activities = new HashMap<>();

    private CaptureMerge(Trace trace, LaunchRule rule, GraphCaptures captures, Additions additions) {
        this.trace = trace;
        this.slices = trace.slices();
        this.rule = rule;
        this.captures = captures;
        this.grafts = new GraftBuilder(trace, additions == Additions.BESIDE);
    }

    /**
     * The trace with the captures in it.
     *
     * @param rule how launches are found
     * @param additions where copies of captured calls stand
     * @throws IOException if a capture cannot be read
     */
    public static Trace merge(Trace trace, LaunchRule rule, GraphCaptures captures, Additions additions)
            throws IOException {
        return new CaptureMerge(trace, rule, captures, additions).merge();
    }

    private Trace merge() throws IOException {
        int[] launches = graphLaunches();
        collectActivities(launches);
        List<Iteration> iterations =
                new DerivedCache(trace).get(new Iterations.Key()).all();
        int assigned = 0;
        for (Iteration iteration : iterations) {
            int[] inside = inside(launches, iteration);
            assigned += inside.length;
            if (inside.length > 0) {
                merge(iteration, inside);
            }
        }
        if (launches.length > assigned) {
            report(
                    "graph_launch_unassigned",
                    "graphs were launched outside of annotated iterations, so that their captures are not known",
                    launches.length - assigned);
        }
        return grafts.build();
    }

    private void merge(Iteration iteration, int[] launches) throws IOException {
        List<CapturedGraph> graphs = captures.of(iteration.annotation().batch(), launches.length);
        if (graphs == null || graphs.isEmpty()) {
            report(
                    "graph_capture_missing",
                    "no capture fits the graphs of an iteration, which are shown without their content; first: '"
                            + trace.name(iteration.slice()) + "'",
                    launches.length);
            return;
        }
        for (int i = 0; i < launches.length; i++) {
            if (i >= graphs.size() || !merge(launches[i], graphs.get(i))) {
                report(
                        "graph_capture_unmatched",
                        "the kernels of a graph do not fit those of its capture, so that it is shown without its"
                                + " content; first in '" + trace.name(iteration.slice()) + "'",
                        1);
            }
        }
    }

    private boolean merge(int launch, CapturedGraph graph) {
        IntList inGraph = activities.get(launch);
        if (inGraph == null) {
            return true;
        }
        int[] rows = inGraph.toArray();
        int[] names = new int[rows.length];
        long[] streams = new long[rows.length];
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        for (int i = 0; i < rows.length; i++) {
            names[i] = workOf(rows[i]);
            int row = details == null ? -1 : details.of(rows[i]);
            streams[i] = row < 0 || details == null ? -1 : details.stream(row);
        }
        int[] calls = GraphAlignment.align(workOf(graph), names, streams);
        if (calls == null) {
            return false;
        }
        grafts.add(launch, graph, rows, calls);
        return true;
    }

    private int workOf(int activity) {
        String name = trace.name(activity);
        if (name.contains("Memcpy")) {
            return GraphAlignment.COPY;
        }
        boolean fill = name.contains("Memset") || name.contains("fillBuffer");
        return fill ? GraphAlignment.FILL : slices.name(activity);
    }

    private int[] workOf(CapturedGraph graph) {
        Trace captured = graph.trace();
        LaunchDetails details = captured.view(LaunchDetails.KEY);
        int[] names = new int[graph.launchCount()];
        for (int i = 0; i < names.length; i++) {
            int call = graph.slice(graph.launch(i));
            String name = captured.name(call);
            int row = details == null ? -1 : details.of(call);
            int kernel = row < 0 || details == null ? -1 : details.kernel(row);
            names[i] = name.contains("Memcpy")
                    ? GraphAlignment.COPY
                    : name.contains("Memset")
                            ? GraphAlignment.FILL
                            : kernel < 0 ? GraphAlignment.UNKNOWN : grafts.intern(captured, kernel);
        }
        return names;
    }

    private int[] graphLaunches() {
        IntList found = new IntList(64);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall()
                    && trace.name(i).toLowerCase(Locale.ROOT).contains("graphlaunch")) {
                found.add(i);
            }
        }
        return found.toArray();
    }

    private void collectActivities(int[] launches) {
        for (int launch : launches) {
            activities.put(launch, new IntList(256));
        }
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(rule));
        for (int i = 0; i < slices.size() && launches.length > 0; i++) {
            IntList list = links.launchOf(i) < 0 ? null : activities.get(links.launchOf(i));
            if (list != null && slices.kind(i).isDeviceActivity()) {
                list.add(i);
            }
        }
        activities.values().removeIf(list -> list.size() == 0);
    }

    private int[] inside(int[] launches, Iteration iteration) {
        IntList found = new IntList(16);
        for (int i = firstFrom(launches, iteration.start()); i < launches.length; i++) {
            if (slices.ts(launches[i]) > iteration.end()) {
                break;
            }
            if (slices.end(launches[i]) <= iteration.end()) {
                found.add(launches[i]);
            }
        }
        return found.toArray();
    }

    private int firstFrom(int[] launches, long ts) {
        int from = 0;
        int to = launches.length;
        while (from < to) {
            int middle = from + to >>> 1;
            if (slices.ts(launches[middle]) < ts) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    private void report(String code, String message, int count) {
        grafts.diagnostics().add(Weight.REPAIRED, code, message, -1, count);
    }
}
