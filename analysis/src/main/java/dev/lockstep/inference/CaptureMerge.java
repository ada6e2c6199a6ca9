// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Iterations;
import dev.lockstep.derive.Iterations.Iteration;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.inference.CaptureChoice.Candidate;
import dev.lockstep.inference.CaptureChoice.Choice;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.LaunchDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts under each launch of a graph the calls by which that graph was captured, with their arguments and the frames
 * around them, and makes the graph's activities those of the captured launches. A copy bears the time of the graph's
 * launch, which is when the host ran all of it.
 */
public final class CaptureMerge {
    private static final String UNMATCHED = "graph_capture_unmatched";
    private static final String NO_FIT =
            "the kernels of a graph do not fit those of its capture, so that it is shown without its content";

    private final Trace trace;
    private final Slices slices;
    private final LaunchRule rule;
    private final GraphCaptures captures;
    private final GraftBuilder grafts;
    private final Map<Integer, IntList> activities = new HashMap<>();

    /**
     * As tools do it that show captured calls as a second view: the only capture is that of every launch; of several, the n-th
     * is that of the n-th launch.
     */
    private final boolean byPlaceAlone;

    private final WorkNames kinds = new WorkNames();
    private final Map<Integer, ReplayedGraph> replays = new TreeMap<>();
    private CaptureChoice choices = new CaptureChoice(List.of());
    private List<Candidate> candidates = List.of();
    private @Nullable List<CapturedGraph> candidatesOf;

    private CaptureMerge(Trace trace, LaunchRule rule, GraphCaptures captures, Additions additions) {
        this.trace = trace;
        this.slices = trace.slices();
        this.rule = rule;
        this.captures = captures;
        this.grafts = new GraftBuilder(trace, additions == Additions.BESIDE);
        this.byPlaceAlone = additions == Additions.BESIDE;
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
        if (!byPlaceAlone) {
            activities.forEach((launch, list) -> replays.put(launch, replay(list.toArray())));
            choices = new CaptureChoice(replays.values());
        }
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
        String first = "; first in '" + trace.name(iteration.slice()) + "'";
        if (graphs == null || graphs.isEmpty()) {
            report(
                    "graph_capture_missing",
                    "no capture fits the graphs of an iteration, which are shown without their content" + first,
                    launches.length);
        } else if (byPlaceAlone) {
            mergeByPlace(graphs, launches, first);
        } else {
            mergeByWork(graphs, launches, first);
        }
    }

    private void mergeByWork(List<CapturedGraph> graphs, int[] launches, String first) {
        List<Candidate> candidates = candidates(graphs);
        boolean eachHasOne = launches.length % graphs.size() == 0;
        for (int i = 0; i < launches.length; i++) {
            ReplayedGraph replay = replays.get(launches[i]);
            if (replay == null) {
                continue;
            }
            Choice choice = choices.of(replay, candidates, eachHasOne ? i % graphs.size() : -1);
            CapturedGraph graph = choice.graph();
            ReplayAlignment alignment = choice.alignment();
            if (graph == null || alignment == null) {
                report(
                        choice.several() ? "graph_capture_ambiguous" : UNMATCHED,
                        (choice.several()
                                        ? "more than one capture fits a graph, so that it is shown without its content"
                                        : NO_FIT)
                                + first,
                        1);
            } else {
                grafts.add(launches[i], graph, replay.rows(), alignment.calls());
                tell(alignment, first);
                tellRank(graph.trace());
            }
        }
    }

    private void tell(ReplayAlignment alignment, String first) {
        int others = alignment.likely() + alignment.chosenAnew();
        if (others > 0) {
            report(
                    "graph_kernel_replaced",
                    "kernels of graphs have other names than those captured at their places, which do the same kind of"
                            + " work; they have the operators and shapes of these" + first,
                    others);
        }
        int untold = alignment.calls().length - alignment.placed();
        if (untold > 0) {
            report(
                    "graph_kernel_untold",
                    "it cannot be told which captured call enqueued a kernel of a graph, so that it stays with the"
                            + " launch of the graph" + first,
                    untold);
        }
    }

    private void tellRank(Trace captured) {
        Rank own = trace.info().rank();
        Rank other = captured.info().rank();
        boolean known = own.origin() != Rank.Origin.ORDER && other.origin() != Rank.Origin.ORDER;
        if (known && own.index() != other.index()) {
            report(
                    "graph_capture_other_rank",
                    "graphs of rank " + own.index() + " were captured on rank " + other.index()
                            + ", whose shapes are shown; first: "
                            + captured.info().source(),
                    1);
        }
    }

    private List<Candidate> candidates(List<CapturedGraph> graphs) {
        if (!graphs.equals(candidatesOf)) {
            candidates = graphs.stream().map(this::candidate).toList();
            candidatesOf = graphs;
        }
        return candidates;
    }

    private Candidate candidate(CapturedGraph graph) {
        Trace captured = graph.trace();
        int[] names = workOf(graph, true);
        WorkSequence calls = new WorkSequence(names, new int[names.length], new int[names.length]);
        long[] nodes = new long[names.length];
        GraphDetails details = captured.view(GraphDetails.KEY);
        for (int i = 0; i < names.length; i++) {
            String name = names[i] < 0 ? "" : kernelOf(captured, graph.slice(graph.launch(i)));
            calls.stems()[i] = names[i] < 0 ? -1 : kinds.stem(names[i], name);
            calls.families()[i] = names[i] >= 0
                    ? kinds.family(names[i], name)
                    : names[i] == GraphAlignment.UNKNOWN
                            ? WorkNames.familyOfOperator(graph.operatorOf(graph.launch(i)))
                            : WorkNames.NONE;
            int row = details == null ? -1 : details.of(graph.slice(graph.launch(i)));
            nodes[i] = row < 0 || details == null ? -1 : details.node(row);
        }
        return new Candidate(graph, calls, nodes);
    }

    private static String kernelOf(Trace captured, int call) {
        LaunchDetails details = captured.view(LaunchDetails.KEY);
        return details == null
                ? ""
                : Objects.requireNonNullElse(captured.strings().orNull(details.kernel(details.of(call))), "");
    }

    private ReplayedGraph replay(int[] rows) {
        int[] names = new int[rows.length];
        WorkSequence work = new WorkSequence(names, new int[rows.length], new int[rows.length]);
        long[] nodes = new long[rows.length];
        long[] graphs = new long[rows.length];
        GraphDetails details = trace.view(GraphDetails.KEY);
        for (int i = 0; i < rows.length; i++) {
            names[i] = workOf(rows[i]);
            names[i] = names[i] >= 0 && trace.name(rows[i]).contains("copyBuffer") ? GraphAlignment.COPY : names[i];
            work.stems()[i] = names[i] < 0 ? -2 : kinds.stem(names[i], trace.name(rows[i]));
            work.families()[i] = names[i] < 0 ? WorkNames.NONE : kinds.family(names[i], trace.name(rows[i]));
            int row = details == null ? -1 : details.of(rows[i]);
            nodes[i] = row < 0 || details == null ? -1 : details.node(row);
            graphs[i] = row < 0 || details == null ? -1 : details.graph(row);
        }
        boolean one = Arrays.stream(graphs).distinct().count() == 1;
        return new ReplayedGraph(rows, work, streamsOf(rows), one ? graphs[0] : -1, nodes);
    }

    private void mergeByPlace(List<CapturedGraph> graphs, int[] launches, String first) {
        for (int i = 0; i < launches.length; i++) {
            int place = graphs.size() == 1 ? 0 : i;
            if (place >= graphs.size() || !mergeAtPlace(launches[i], graphs.get(place))) {
                report(UNMATCHED, NO_FIT + first, 1);
            }
        }
    }

    private boolean mergeAtPlace(int launch, CapturedGraph graph) {
        IntList inGraph = activities.get(launch);
        if (inGraph == null) {
            return true;
        }
        int[] rows = inGraph.toArray();
        int[] names = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            names[i] = workOf(rows[i]);
        }
        int[] calls = GraphAlignment.align(workOf(graph, false), names, streamsOf(rows));
        if (calls == null) {
            return false;
        }
        grafts.add(launch, graph, rows, calls);
        return true;
    }

    private long[] streamsOf(int[] rows) {
        long[] streams = new long[rows.length];
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        for (int i = 0; i < rows.length; i++) {
            int row = details == null ? -1 : details.of(rows[i]);
            streams[i] = row < 0 || details == null ? -1 : details.stream(row);
        }
        return streams;
    }

    private int workOf(int activity) {
        String name = trace.name(activity);
        if (name.contains("Memcpy")) {
            return GraphAlignment.COPY;
        }
        boolean fill = name.contains("Memset") || name.contains("fillBuffer");
        return fill ? GraphAlignment.FILL : slices.name(activity);
    }

    /** @param kernels whether kernels that copy or fill, as ROCm's graphs do it, count as copies and fills */
    private int[] workOf(CapturedGraph graph, boolean kernels) {
        Trace captured = graph.trace();
        LaunchDetails details = captured.view(LaunchDetails.KEY);
        int[] names = new int[graph.launchCount()];
        for (int i = 0; i < names.length; i++) {
            int call = graph.slice(graph.launch(i));
            String name = captured.name(call);
            int row = details == null ? -1 : details.of(call);
            int kernel = row < 0 || details == null ? -1 : details.kernel(row);
            String text = kernel < 0 || !kernels ? "" : kernelOf(captured, call);
            names[i] = name.contains("Memcpy") || text.contains("copyBuffer")
                    ? GraphAlignment.COPY
                    : name.contains("Memset") || text.contains("fillBuffer")
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
            activities.put(launch, new IntList(16));
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
        return LongOrder.leading(launches.length, place -> slices.ts(launches[place]) < ts);
    }

    private void report(String code, String message, int count) {
        grafts.diagnostics().add(Weight.REPAIRED, code, message, -1, count);
    }
}
