// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static dev.lockstep.table.ColumnSpec.bool;
import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.path.CriticalPath.Piece;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The sheets of a graph of dependencies. */
final class DependencySheets {
    private static final double HUNDRED = 100;

    private final DependencyGraph graph;

    DependencySheets(DependencyGraph graph) {
        this.graph = graph;
    }

    /**
     * All sheets: those of paths, opportunities and scenarios where there are any.
     *
     * @param gaps of computation; null where they are not known
     */
    List<Table> all(
            List<Opportunity> opportunities,
            List<WhatIf> whatIfs,
            @Nullable List<ComputeGaps.Row> gaps,
            List<CriticalPath> paths) {
        List<Table> tables = new ArrayList<>();
        if (!opportunities.isEmpty()) {
            tables.add(opportunities(opportunities));
        }
        if (!whatIfs.isEmpty()) {
            tables.add(whatIfs(whatIfs));
        }
        if (gaps != null) {
            tables.add(gaps(gaps));
        }
        if (!paths.isEmpty()) {
            tables.addAll(List.of(summary(paths), pieces(paths), activities(paths)));
        }
        tables.add(quality());
        return tables;
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : HUNDRED * part / whole;
    }

    private static Table opportunities(List<Opportunity> rows) {
        return new Fields<Opportunity>()
                .add(
                        text(
                                "subject",
                                "What would take no time, or only what its work needs: a class of time, or an"
                                        + " operator's kernels."),
                        Opportunity::subject)
                .add(text("edit", "The same as a scenario that can be tried."), Opportunity::edit)
                .add(
                        micros("gain us", "By how much the recording would be shorter at most; gains do not add up."),
                        Opportunity::gain)
                .add(percent("gain %", "The same as a share of the recording."), o -> share(o.gain(), o.whole()))
                .add(
                        ColumnSpec.real(
                                "confidence",
                                Unit.NONE,
                                Unit.NONE,
                                "Share of the critical path that rests on what the trace records, 0 to 1."),
                        Opportunity::confidence)
                .add(count("evidence rows", "Pieces of the critical path that it stands for."), Opportunity::evidence)
                .table("opportunities", "Opportunities", rows);
    }

    private static Table whatIfs(List<WhatIf> rows) {
        return new Fields<WhatIf>()
                .add(text("edit", "What was changed, as asked for."), WhatIf::edit)
                .add(text("window", "The stretch of time in question."), WhatIf::window)
                .add(micros("before_us", "Its length as recorded."), WhatIf::before)
                .add(micros("after_us", "Its length with the change."), WhatIf::after)
                .add(micros("gain_us", "Before less after; negative where the change costs time."), WhatIf::gain)
                .add(
                        count(
                                "changed",
                                "How many durations and latencies it makes different; 0 where it concerns nothing."),
                        WhatIf::changed)
                .table(TableNames.WHAT_IF, "Length with other durations", rows);
    }

    private static Table gaps(List<ComputeGaps.Row> rows) {
        long whole = rows.stream().mapToLong(ComputeGaps.Row::time).sum();
        return new Fields<ComputeGaps.Row>()
                .add(
                        count("step", "Index of the step in which the gap lies; missing outside of all steps."),
                        r -> r.key().step() < 0 ? null : (long) r.key().step())
                .add(
                        text("device", "The device, as the trace numbers it."),
                        r -> r.key().device())
                .add(
                        text(
                                "cause",
                                "launch_starved: the next computation was not launched yet; blocked_by_…: it waited"
                                        + " for an activity of that kind; kernel_gap, launch_latency: what following and"
                                        + " launching cost; unresolved: nothing in the trace explains it."),
                        r -> r.key().cause().spelling())
                .add(
                        text(
                                "subject",
                                "The activity that was waited for, or the operator that launched late; may be"
                                        + " missing."),
                        r -> r.key().subject().isEmpty() ? null : r.key().subject())
                .add(count("gaps", "How many gaps."), ComputeGaps.Row::gaps)
                .add(
                        micros(ColumnNames.TIME_US, "Time without computation; all rows add up to all of it."),
                        ComputeGaps.Row::time)
                .add(percent("percent", "Share of the time without computation."), r -> share(r.time(), whole))
                .add(
                        micros(
                                "held by communication us",
                                "Of the time, that in which a collective ran that computation waited for, directly or"
                                        + " because what it waited for had to wait itself."),
                        r -> r.held().communication())
                .add(
                        micros("held by copies us", "The same for copies and fills."),
                        r -> r.held().copies())
                .table(TableNames.COMPUTE_GAPS, "Compute gaps", rows);
    }

    /** A piece of a path and where it stands. */
    private record Placed(int order, String window, Piece piece) {}

    /** The pieces of one path after the other, each made when it is looked at: there may be millions. */
    private static List<Placed> placed(List<CriticalPath> paths) {
        int[] ends = new int[paths.size()];
        int all = 0;
        for (int i = 0; i < ends.length; i++) {
            all += paths.get(i).pieces().size();
            ends[i] = all;
        }
        int size = all;
        return new AbstractList<>() {
            @Override
            public Placed get(int index) {
                int found = Arrays.binarySearch(ends, index);
                int path = found < 0 ? -found - 1 : found + 1;
                while (ends[path] <= index) { // paths may have no pieces
                    path++;
                }
                int order = path == 0 ? index : index - ends[path - 1];
                CriticalPath of = paths.get(path);
                return new Placed(order, of.window().name(), of.pieces().get(order));
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private Table pieces(List<CriticalPath> paths) {
        List<Placed> rows = placed(paths);
        return new Fields<Placed>()
                .add(id("order", "Place on the path of the window, from its start."), r -> (long) r.order)
                .add(text("window", "The window: all, or the step or annotation."), Placed::window)
                .add(id("rank", "The rank on which the time was spent."), r -> rank(r.piece))
                .add(
                        text("track", "The thread or stream; missing where the path ends before the window."),
                        r -> r.piece.vertex() < 0
                                ? null
                                : graph.track(r.piece.vertex()).name())
                .add(
                        text("name", "The activity, or what the host was in for most of the time; may be missing."),
                        r -> named(graph::label, r.piece))
                .add(
                        text("op", "The operator that launched it, or that the host was in; may be missing."),
                        r -> named(graph::operator, r.piece))
                .add(
                        text("module", "The module of the network; missing unless the trace has Python frames."),
                        r -> named(graph::module, r.piece))
                .add(
                        text("class", "What the time went into."),
                        r -> r.piece.pathClass().spelling())
                .add(micros(ColumnNames.START_US, "Where the piece begins, in the trace's time."), r -> r.piece.start())
                .add(micros("duration us", "Its length; the pieces of a window tile it."), r -> r.piece.duration())
                .add(
                        text("edge", "Why the moment at its end came no earlier; may be missing."),
                        r -> r.piece.edge() < 0
                                ? null
                                : EdgeKind.of(graph.kind[r.piece.edge()]).spelling())
                .add(
                        bool("inferred", "Whether the edge was concluded from times alone."),
                        r -> r.piece.edge() >= 0 && graph.kind[r.piece.edge()] == EdgeKind.INFERRED.ordinal())
                .table(TableNames.CRITICAL_PATH, "Critical path", rows);
    }

    private long rank(Piece piece) {
        return piece.vertex() < 0
                ? graph.tracks.isEmpty() ? 0 : graph.tracks.getFirst().rank()
                : graph.track(piece.vertex()).rank();
    }

    private @Nullable String named(IntUnaryOperator names, Piece piece) {
        return piece.vertex() < 0 ? null : graph.names.orNull(names.applyAsInt(piece.vertex()));
    }

    /** Time of one class in one window of one rank. */
    private record Sum(long rank, String window, PathClass of, long time, long whole, long segments) {}

    private Table summary(List<CriticalPath> paths) {
        List<Sum> rows = new ArrayList<>();
        for (CriticalPath path : paths) {
            Map<Long, Map<PathClass, long[]>> sums = new TreeMap<>();
            for (Piece piece : path.pieces()) {
                long[] sum = sums.computeIfAbsent(rank(piece), r -> new EnumMap<>(PathClass.class))
                        .computeIfAbsent(piece.pathClass(), c -> new long[2]);
                sum[0] += piece.duration();
                sum[1]++;
            }
            long whole = path.window().end() - path.window().start();
            sums.forEach((rank, byClass) -> byClass.forEach(
                    (of, sum) -> rows.add(new Sum(rank, path.window().name(), of, sum[0], whole, sum[1]))));
        }
        return new Fields<Sum>()
                .add(id("rank", "The rank on which the time was spent."), Sum::rank)
                .add(text("window", "The window: all, or the step or annotation."), Sum::window)
                .add(text("class", "What the time went into."), s -> s.of.spelling())
                .add(micros(ColumnNames.TIME_US, "Time on the path; all rows of a window add up to it."), Sum::time)
                .add(percent("percent", "Share of the window."), s -> share(s.time, s.whole))
                .add(count("segments", "Pieces of the path."), Sum::segments)
                .table(TableNames.CRITICAL_PATH_SUMMARY, "Critical path by class", rows);
    }

    /** A name's time on paths, and altogether. */
    private record OnPath(String name, long onPath, long total) {}

    private Table activities(List<CriticalPath> paths) {
        Map<Integer, long[]> sums = new HashMap<>();
        for (CriticalPath path : paths) {
            for (Piece piece : path.pieces()) {
                if (piece.edge() >= 0
                        && graph.kind[piece.edge()] == EdgeKind.RUN.ordinal()
                        && graph.label(piece.vertex()) >= 0) {
                    sums.computeIfAbsent(graph.label(piece.vertex()), k -> new long[2])[0] += piece.duration();
                }
            }
        }
        for (int v = 0; v < graph.size(); v++) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                long[] sum = graph.kind[e] == EdgeKind.RUN.ordinal() ? sums.get(graph.label(v)) : null;
                if (sum != null) {
                    sum[1] += graph.weight[e];
                }
            }
        }
        List<OnPath> rows = new ArrayList<>();
        sums.forEach((name, sum) -> rows.add(new OnPath(graph.names.get(name), sum[0], sum[1])));
        rows.sort(Comparator.comparingLong((OnPath o) -> -o.onPath).thenComparing(OnPath::name));
        return new Fields<OnPath>()
                .add(text("name", "The activity."), OnPath::name)
                .add(micros("on-path us", "Its time on critical paths."), OnPath::onPath)
                .add(micros("total us", "Its time altogether."), OnPath::total)
                .add(
                        ColumnSpec.real(
                                "share on path",
                                Unit.NONE,
                                Unit.NONE,
                                "The part of its time that is on critical paths, 0 to 1; may be above 1 where windows"
                                        + " overlap."),
                        o -> o.total == 0 ? 0.0 : (double) o.onPath / o.total)
                .table("critical_path_ops", "Activities on the critical path", rows);
    }

    /** What is known of one kind of edge. */
    private record Quality(EdgeKind kind, EdgeCounts counts, long residual) {}

    private Table quality() {
        long[] residuals = new long[EdgeKind.values().length];
        for (int v = 0; v < graph.size(); v++) {
            int edge = graph.binding(v);
            if (edge >= 0) {
                residuals[graph.kind[edge]] += graph.residuals()[v];
            }
        }
        List<Quality> rows = new ArrayList<>();
        for (EdgeKind kind : EdgeKind.values()) {
            if (graph.counts(kind).edges > 0) {
                rows.add(new Quality(kind, graph.counts(kind), residuals[kind.ordinal()]));
            }
        }
        return new Fields<Quality>()
                .add(text("edge kind", "Why one moment cannot come before another."), q -> q.kind.spelling())
                .add(count("count", "How many such edges."), q -> q.counts.edges)
                .add(
                        micros(
                                "λ us",
                                "What such an edge takes at least, learnt from those that surely bind; 0 where there"
                                        + " are too few."),
                        q -> q.counts.latency)
                .add(
                        ColumnSpec.real(
                                "inferred share",
                                Unit.NONE,
                                Unit.NONE,
                                "The part of them that was concluded from times alone, 0 to 1."),
                        q -> (double) q.counts.inferred / q.counts.edges)
                .add(
                        micros(
                                "residual us",
                                "Time beyond what the binding edges of this kind explain, over the whole recording."),
                        Quality::residual)
                .table("dependency_quality", "Dependency graph quality", rows);
    }
}
