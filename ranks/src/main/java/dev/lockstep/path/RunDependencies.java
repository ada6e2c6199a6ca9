// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What waited for what over all ranks of a run: the graphs of the ranks, joined where they meet in collectives, on one clock.
 * A collective runs once its last member has begun; what a member took from then on is its transfer, what it took before
 * was waiting.
 */
public final class RunDependencies {
    /** To where all have begun, from there to its end, and from its own start to its end. */
    private static final int EDGES_OF_MEMBER = 3;

    private final List<RankPart> parts;
    private final Collectives collectives;
    private final GraphBuilder builder;
    private final int[] firstVertex;
    private final DependencyGraph graph;
    private final int[] ends;
    private final PathWindow window;

    private RunDependencies(List<RankPart> parts, Collectives collectives) {
        this.parts = parts;
        this.collectives = collectives;
        firstVertex = new int[parts.size()];
        List<Collective> met = collectives.all().stream()
                .filter(one -> one.waits() && one.present() > 1 && isWhole(one))
                .toList();
        builder = new GraphBuilder(
                parts.stream().mapToInt(RankPart::size).sum() + met.size(),
                parts.stream().mapToInt(RankPart::edges).sum()
                        + EDGES_OF_MEMBER
                                * met.stream().mapToInt(Collective::present).sum());
        join(met);
        builder.roles.putAll(RankKinds.of(collectives.match().ranks()));
        graph = builder.build();
        ends = endsOfRanks();
        window = whole(graph, ends);
    }

    /**
     * The graphs of these ranks as one.
     *
     * @param parts of the ranks, in the order in which the collectives know them; they are empty afterwards
     */
    public static RunDependencies joined(List<RankPart> parts, Collectives collectives) {
        RunDependencies run = new RunDependencies(parts, collectives);
        run.graph.proveIdentity();
        return run;
    }

    /** What waited for what. */
    DependencyGraph graph() {
        return graph;
    }

    /** The vertices of which the last ends the run. */
    int[] ends() {
        return ends;
    }

    /** The whole recording. */
    PathWindow window() {
        return window;
    }

    /**
     * What the run gains without ranks that are slower than their like: what each takes, on its device and its host, becomes what it
     * takes on the median rank of its role ({@code rank:R=median;rank:R:host=median}), contention included.
     *
     * @param slow ranks that are slow; each is priced alone, and beside the others
     * @param others ranks that are priced alone
     */
    public RankGains gains(List<Integer> slow, List<Integer> others, WorkerThreads threads) {
        double confidence = Opportunity.confidence(graph, CriticalPath.of(graph, window));
        return Pricing.of(new Scenarios(graph, window, ends), window.length(), confidence, slow, others, threads);
    }

    /**
     * What each rank costs that takes longer than others, by step.
     *
     * @param steps of the ranks, on their own clocks
     * @param fastest whether the durations of the fastest rank are typical; else they are those of the median rank of its role
     * @param threads replay
     */
    public StragglerCosts costs(List<List<Step>> steps, boolean fastest, WorkerThreads threads) {
        int[] ranks = new int[parts.size()];
        List<List<Step>> shifted = new ArrayList<>();
        for (int rank = 0; rank < ranks.length; rank++) {
            int place = rank;
            ranks[rank] = collectives.rank(rank).rank();
            shifted.add(steps.get(rank).stream()
                    .map(step -> new Step(step.number(), at(place, step.start()), at(place, step.end())))
                    .toList());
        }
        return new UnevenWork(graph, ranks, shifted, fastest, threads).costs();
    }

    /**
     * The slices through which critical paths lead, in order of time. What a path does between them, as on a thread from one call to
     * the next, is not named.
     *
     * @param parts of the ranks, in the order in which the collectives know them, with their slices
     * @param asked the windows whose paths are wanted, for which the parts were made
     */
    public static List<PathStop> stops(List<RankPart> parts, Collectives collectives, String asked) {
        RunDependencies run = joined(parts, collectives);
        List<PathStop> stops = new ArrayList<>();
        List<PathWindow> windows = run.windows(asked);
        for (int i = 0; i < windows.size(); i++) {
            stops.addAll(run.stops(i, windows.get(i)));
        }
        return stops;
    }

    /**
     * The windows that are asked for, by their beginnings. One that several ranks mark, by its name and its place among those of
     * this name, lasts from the first beginning to the last end.
     */
    private List<PathWindow> windows(@Nullable String asked) {
        Map<List<Object>, PathWindow> marked = new LinkedHashMap<>();
        for (int rank = 0; rank < firstVertex.length; rank++) {
            Map<String, Integer> seen = new HashMap<>();
            for (PathWindow own : parts.get(rank).windows) {
                int place = seen.merge(own.name(), 1, Integer::sum);
                PathWindow moved = new PathWindow(
                        own.name(), at(rank, own.start()), at(rank, own.end()), firstVertex[rank] + own.endVertex());
                marked.merge(List.of(own.name(), place), moved, PathWindow::with);
            }
        }
        List<PathWindow> inOrder = new ArrayList<>(marked.values());
        inOrder.sort(Comparator.comparingLong(PathWindow::start));
        return PathRequest.of(asked).windows(inOrder, window);
    }

    private List<PathStop> stops(int number, PathWindow of) {
        List<PathStop> stops = new ArrayList<>();
        for (CriticalPath.Piece piece : CriticalPath.of(graph, of).pieces()) {
            if (piece.edge() < 0) {
                continue;
            }
            PathStop from = stop(number, graph.source[piece.edge()]);
            PathStop to = stop(number, piece.vertex());
            boolean within = from != null && to != null && from.rank() == to.rank() && from.event() == to.event();
            boolean transfers = graph.kind[piece.edge()] == EdgeKind.MEMBER.ordinal();
            add(stops, from, within ? piece.duration() : 0);
            add(stops, to, transfers && !within ? piece.duration() : 0);
        }
        return stops;
    }

    /** A slice that the path only goes on in is one stop. */
    private static void add(List<PathStop> stops, @Nullable PathStop next, long onPath) {
        PathStop last = stops.isEmpty() ? null : stops.getLast();
        if (next == null) {
            return;
        }
        if (last != null && last.rank() == next.rank() && last.event() == next.event()) {
            stops.removeLast();
        } else {
            last = next;
        }
        stops.add(new PathStop(next.window(), next.rank(), next.event(), next.start(), last.onPath() + onPath));
    }

    /** The slice that begins or ends at a vertex; null for none. */
    private @Nullable PathStop stop(int number, int vertex) {
        int rank = firstVertex.length - 1;
        while (firstVertex[rank] > vertex) {
            rank--;
        }
        RankPart part = parts.get(rank);
        int local = vertex - firstVertex[rank];
        if (part.event(local) < 0) {
            return null;
        }
        int begin = part.begin(local);
        long start = collectives.clock().recorded(rank, graph.time[firstVertex[rank] + begin]);
        return new PathStop(number, rank, part.event(local), start, 0);
    }

    /** Whether all traces say which stream waits for which event; else such edges are inferred from times. */
    public boolean knowsWaits() {
        return parts.stream().allMatch(RankPart::knowsWaits);
    }

    /**
     * The sheets of the critical path across ranks.
     *
     * @param asked the windows whose paths are wanted, for which the parts were made (the whole recording where it says none), and
     *     scenarios to try over the whole recording, as users write them
     * @param threads find out what could be gained
     */
    public List<Table> tables(ReportOptions.Paths asked, WorkerThreads threads) {
        String windows = asked.window() == null ? ReportOptions.Paths.WHOLE : asked.window();
        List<WhatIf> whatIfs = WhatIf.of(graph, asked.edits(), window, ends);
        CriticalPath path = CriticalPath.of(graph, window);
        List<Opportunity> opportunities = Opportunity.of(graph, path, ends, threads);
        return new DependencySheets(graph)
                .all(opportunities, whatIfs, null, CriticalPath.of(graph, windows(windows), path));
    }

    private void join(List<Collective> met) {
        BitSet[] released = new BitSet[parts.size()];
        for (int rank = 0; rank < released.length; rank++) {
            released[rank] = new BitSet();
        }
        met.forEach(one -> release(one, released));
        for (int rank = 0; rank < released.length; rank++) {
            int number = collectives.rank(rank).rank();
            int place = rank;
            firstVertex[rank] = builder.append(parts.get(rank).take(), time -> at(place, time), number, released[rank]);
        }
        met.forEach(this::meet);
    }

    /** A time of a rank on the common clock. */
    private long at(int rank, long time) {
        return collectives.clock().at(rank, time);
    }

    /** The place of a member's rank among the parts. */
    private int rank(Collective one, int member) {
        return collectives.match().rank(one.instance(), member);
    }

    /** The place of a member's kernel in its rank's file. */
    private int event(Collective one, int member) {
        CollectiveMatch match = collectives.match();
        return match.ranks().get(rank(one, member)).index(match.row(one.instance(), member));
    }

    /** Whether all its kernels are known, and end after the last has begun: clocks that are off may say otherwise. */
    private boolean isWhole(Collective one) {
        for (int m = 0; m < one.present(); m++) {
            int rank = rank(one, m);
            int end = parts.get(rank).end(event(one, m));
            boolean joins = collectives.waitOf(one, m) != LongColumn.ABSENT;
            if (end < 0 || joins && at(rank, parts.get(rank).time(end)) < one.lastStart()) {
                return false;
            }
        }
        return true;
    }

    private void release(Collective one, BitSet[] released) {
        for (int m = 0; m < one.present(); m++) {
            if (collectives.waitOf(one, m) == LongColumn.ABSENT) {
                continue;
            }
            int rank = rank(one, m);
            released[rank].set(parts.get(rank).end(event(one, m)));
        }
    }

    /** All members begin, then all transfer. */
    private void meet(Collective one) {
        int met = -1;
        for (int m = 0; m < one.present(); m++) {
            if (collectives.waitOf(one, m) == LongColumn.ABSENT) {
                continue;
            }
            int rank = rank(one, m);
            int event = event(one, m);
            int start = firstVertex[rank] + parts.get(rank).start(event);
            if (met < 0) {
                met = builder.meeting(one.lastStart(), start);
                builder.transfers.add(new Transfer(
                        met,
                        one.call().kind().word(),
                        one.group().name(),
                        one.bytes(),
                        Bandwidth.busFactor(one.call().kind(), one.expected())));
            }
            builder.edge(EdgeKind.MEMBER, start, met, 0);
            int end = firstVertex[rank] + parts.get(rank).end(event);
            builder.edge(EdgeKind.MEMBER, met, end, builder.time(end) - one.lastStart());
            // never binds before the one above, but stays where nobody waits for late members
            builder.edge(EdgeKind.MEMBER, start, end, builder.time(end) - one.lastStart());
        }
    }

    private int[] endsOfRanks() {
        int count = 0;
        for (RankPart part : parts) {
            count += part.ends.length;
        }
        int[] all = new int[count];
        int next = 0;
        for (int rank = 0; rank < firstVertex.length; rank++) {
            for (int end : parts.get(rank).ends) {
                all[next++] = firstVertex[rank] + end;
            }
        }
        return all;
    }

    private static PathWindow whole(DependencyGraph graph, int[] ends) {
        long start = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (long time : graph.time) {
            start = Math.min(start, time);
            end = Math.max(end, time);
        }
        return new PathWindow(ReportOptions.Paths.WHOLE, start, end, graph.last(ends));
    }
}
