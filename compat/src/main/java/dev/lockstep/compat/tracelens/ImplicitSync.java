// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.options.Statistic;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Collectives whose members wait for one another: a row for each, summed up, and by rank. */
final class ImplicitSync {
    private static final String UNKNOWN = "Unknown";
    private static final int TS = 0;
    private static final int DUR = 1;
    private static final int WAIT = 2;

    /**
     * A collective in microseconds; its first kernel speaks for all.
     *
     * @param earliest the rank that waited longest, of several the one with the largest number
     */
    private record Row(
            int instance,
            int lead,
            double fullSize,
            double latency,
            double startSkew,
            int earliest,
            double averageWait,
            double endSkew,
            double algorithm,
            double bus,
            RankColumns.Cells cells) {}

    private record Measure(String header, ToDoubleFunction<Row> value) {}

    private final CollectiveFrame frame;
    private final CollectiveColumns columns;
    private final Nodes nodes;
    private final List<Row> rows = new ArrayList<>();
    private final RankColumns byRank;

    ImplicitSync(CollectiveFrame frame, CollectiveColumns columns, Nodes nodes) {
        this.frame = frame;
        this.columns = columns;
        this.nodes = nodes;
        byRank = new RankColumns(List.of(
                columns.time("ts", "Start on the rank; missing if it took no part."),
                columns.time("dur", "Duration on the rank; missing if it took no part."),
                columns.time("wait_time", "Time from its start to that of the last rank.")));
        for (int instance = 0; instance < frame.instances(); instance++) {
            int[] members = frame.members(instance);
            if (counts(TraceLensType.of(frame.collective(members[0])))) {
                rows.add(row(instance, members));
            }
        }
    }

    private boolean counts(@Nullable TraceLensType type) {
        return type == null ? frame.simplified() : type.implicitSync();
    }

    private Row row(int instance, int[] members) {
        RankColumns.Cells cells = byRank.new Cells();
        double lastStart = Double.NEGATIVE_INFINITY;
        double firstEnd = Double.POSITIVE_INFINITY;
        double lastEnd = Double.NEGATIVE_INFINITY;
        double latency = Double.POSITIVE_INFINITY;
        for (int i : members) {
            cells.put(frame.rank(i), TS, columns.time(frame.ts(i)));
            cells.put(frame.rank(i), DUR, columns.time(frame.dur(i)));
            lastStart = Math.max(lastStart, frame.ts(i));
            firstEnd = Math.min(firstEnd, frame.end(i));
            lastEnd = Math.max(lastEnd, frame.end(i));
            latency = Math.min(latency, frame.dur(i));
        }
        double waits = 0;
        double longest = -1;
        int earliest = -1;
        for (int i : members) {
            double wait = lastStart - frame.ts(i);
            cells.put(frame.rank(i), WAIT, columns.time(wait));
            waits += wait;
            if (wait >= longest) {
                longest = wait;
                earliest = frame.rank(i);
            }
        }
        CollectiveCall call = frame.call(members[0]);
        TraceLensType type = TraceLensType.of(frame.collective(members[0]));
        double size = type == null
                ? Double.NaN
                : type == TraceLensType.ALL_GATHER ? LongSheets.outSize(call) : LongSheets.inSize(call);
        double algorithm = latency > 0 ? size / 1024 / (latency / 1e6) : Double.NaN;
        double bus = type == null || call.groupSize() < 0
                ? Double.NaN
                : algorithm * type.busFactor((double) call.groupSize());
        return new Row(
                instance,
                members[0],
                size,
                latency,
                longest,
                earliest,
                waits / members.length,
                lastEnd - firstEnd,
                algorithm,
                bus,
                cells);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** {@code nccl_implicit_sync}. */
    Table instances() {
        Fields<Row> fields = new Fields<Row>()
                .add(CollectiveColumns.collectiveId(), r -> frame.id(r.instance))
                .add(CollectiveColumns.group(), r -> frame.group(r.lead))
                .add(CollectiveColumns.groupRanks(), r -> call(r).groupRanks())
                .add(CollectiveColumns.collective(), r -> frame.collective(r.lead))
                .add(columns.groupSize(), r -> LongSheets.number(call(r).groupSize()))
                .add(CollectiveColumns.dtype(), r -> call(r).dtype())
                .add(columns.inElements(), r -> LongSheets.number(call(r).inElements()))
                .add(columns.outElements(), r -> LongSheets.number(call(r).outElements()))
                .add(
                        CollectiveColumns.size("In msg size (MB)", "MiB put in by a rank."),
                        r -> LongSheets.inSize(call(r)))
                .add(
                        CollectiveColumns.size("Out msg size (MB)", "MiB got out by a rank."),
                        r -> LongSheets.outSize(call(r)))
                .add(CollectiveColumns.size("Full msg size (MB)", "The larger of both."), Row::fullSize)
                .add(columns.time("comm_latency", "Shortest duration among ranks."), r -> columns.time(r.latency))
                .add(columns.time("skew in start time", "First to last start."), r -> columns.time(r.startSkew))
                .add(ColumnSpec.id("earliest arrival rank", "Rank that waited longest."), Row::earliest)
                .add(CollectiveColumns.mean("avg_wait_time", "Mean over ranks."), Row::averageWait)
                .add(columns.time("skew in end time", "First to last end."), r -> columns.time(r.endSkew))
                .add(CollectiveColumns.rate("algo bw (GB/s)", "Size over latency, in GiB/s."), Row::algorithm)
                .add(CollectiveColumns.rate("bus bw (GB/s)", "Of it, what crosses a link."), Row::bus);
        byRank.addTo(fields, Row::cells);
        fields.addIf(nodes.known(), Nodes.SPAN, r -> nodes.span(call(r).groupRanks()));
        return fields.table("nccl_implicit_sync", "Collectives that wait for the last rank", rows);
    }

    private record Group(String collective, String dtype, String elements) {}

    private record Summary(Group group, List<Row> rows) {
        double[] values(ToDoubleFunction<Row> value) {
            return rows.stream().mapToDouble(value).toArray();
        }

        double latency() {
            return Statistic.SUM.of(values(Row::latency));
        }
    }

    /** {@code nccl_summary_implicit_sync}: process groups with messages of equal size share a row. */
    Table summary(List<Statistic> statistics) {
        Map<Group, List<Row>> groups = new TreeMap<>(Comparator.comparing(Group::collective)
                .thenComparing(Group::dtype)
                .thenComparing(Group::elements));
        for (Row r : rows) {
            CollectiveCall call = call(r);
            Group group = new Group(
                    Objects.requireNonNullElse(frame.collective(r.lead), UNKNOWN),
                    Objects.requireNonNullElse(call.dtype(), UNKNOWN),
                    call.inElements() < 0 ? UNKNOWN : columns.elements(call.inElements()));
            groups.computeIfAbsent(group, g -> new ArrayList<>()).add(r);
        }
        List<Summary> summaries = new ArrayList<>();
        groups.forEach((group, members) -> summaries.add(new Summary(group, members)));
        summaries.sort(Comparator.comparingDouble(Summary::latency).reversed());
        boolean words = groups.keySet().stream().anyMatch(group -> group.elements.equals(UNKNOWN));
        Fields<Summary> fields = new Fields<Summary>()
                .add(CollectiveColumns.collective(), s -> s.group.collective)
                .add(CollectiveColumns.dtype(), s -> s.group.dtype)
                .add(
                        words ? ColumnSpec.text("In msg nelems", "Elements put in, or Unknown.") : columns.inElements(),
                        s -> words
                                ? s.group.elements
                                : (Object) LongSheets.number(
                                        call(s.rows.getFirst()).inElements()))
                .add(CollectiveColumns.group(), s -> frame.group(s.rows.getFirst().lead))
                .add(
                        columns.groupSize(),
                        s -> s.rows.stream()
                                .map(r -> LongSheets.number(call(r).groupSize()))
                                .filter(Objects::nonNull)
                                .findFirst()
                                .orElse(null))
                .add(
                        CollectiveColumns.size("Full msg size (MB)", "MiB; missing for unknown types."),
                        s -> s.rows.stream()
                                .map(Row::fullSize)
                                .filter(v -> !Double.isNaN(v))
                                .findFirst()
                                .orElse(null));
        for (Measure measure : measures()) {
            for (Statistic statistic : statistics) {
                String header = measure.header + "_" + statistic.word();
                fields.add(
                        CollectiveColumns.rate(header, "Over the collectives of the row."),
                        s -> LongSheets.number(statistic.of(s.values(measure.value))));
            }
        }
        fields.add(ColumnSpec.count("count", "Number of collectives."), s -> s.rows.size())
                .add(
                        ColumnSpec.real(
                                "Total comm latency (ms)", Unit.MILLISECONDS, Unit.MILLISECONDS, "Sum of latencies."),
                        s -> s.latency() / 1000);
        return fields.table("nccl_summary_implicit_sync", "Collectives that wait, by what they do", summaries);
    }

    private List<Measure> measures() {
        List<Measure> measures = new ArrayList<>(List.of(
                new Measure("comm_latency", Row::latency),
                new Measure("skew in start time", Row::startSkew),
                new Measure("skew in end time", Row::endSkew)));
        if (rows.stream().anyMatch(r -> !Double.isNaN(r.algorithm))) {
            measures.add(new Measure("algo bw (GB/s)", Row::algorithm));
        }
        if (rows.stream().anyMatch(r -> !Double.isNaN(r.bus))) {
            measures.add(new Measure("bus bw (GB/s)", Row::bus));
        }
        return measures;
    }

    private record Straggler(
            int rank, double totalWait, double meanWait, int last, int first, double percent, double duration) {}

    /** {@code straggler_summary}: a rank counts against all collectives, not against those it takes part in. */
    Table stragglers() {
        IntList waits = new IntList(16);
        for (int column = 0; column < byRank.size(); column++) {
            if (byRank.kind(column) == WAIT) {
                waits.add(column);
            }
        }
        Map<Integer, Integer> last = new TreeMap<>();
        Map<Integer, Integer> first = new TreeMap<>();
        for (Row r : rows) {
            last.merge(lastOf(r, waits), 1, Integer::sum);
            first.merge(r.earliest, 1, Integer::sum);
        }
        Map<Integer, Double> durations = new TreeMap<>();
        for (int i = 0; i < frame.size(); i++) {
            durations.merge(frame.rank(i), frame.dur(i), Double::sum);
        }
        List<Straggler> result = new ArrayList<>();
        for (int i = 0; i < waits.size(); i++) {
            int column = waits.get(i);
            int rank = byRank.rank(column);
            double[] own = rows.stream()
                    .map(r -> r.cells.get(column))
                    .filter(Objects::nonNull)
                    .mapToDouble(v -> ((Number) v).doubleValue())
                    .toArray();
            int timesLast = last.getOrDefault(rank, 0);
            result.add(new Straggler(
                    rank,
                    round(Statistic.SUM.of(own)),
                    round(Statistic.MEAN.of(own)),
                    timesLast,
                    first.getOrDefault(rank, 0),
                    round(100.0 * timesLast / rows.size()),
                    round(durations.getOrDefault(rank, 0.0))));
        }
        result.sort(Comparator.comparingDouble(Straggler::totalWait).thenComparingInt(Straggler::rank));
        return new Fields<Straggler>()
                .add(ColumnSpec.id("rank", "Rank of the process."), Straggler::rank)
                .add(columns.time("total_wait_time_us", "Time it waited for others."), r -> columns.time(r.totalWait))
                .add(CollectiveColumns.mean("mean_wait_time_us", "For each collective."), Straggler::meanWait)
                .add(ColumnSpec.count("times_arrived_last", "Collectives that waited for it."), Straggler::last)
                .add(
                        ColumnSpec.count("times_arrived_first", "Collectives in which it waited longest."),
                        Straggler::first)
                .add(ColumnSpec.percent("pct_arrived_last", "Of all collectives."), Straggler::percent)
                .add(ColumnSpec.count("num_collectives", "All collectives."), r -> rows.size())
                .add(columns.time("total_nccl_dur_us", "Time in communication."), r -> columns.time(r.duration))
                .addIf(nodes.known(), Nodes.NODE, r -> nodes.node(r.rank))
                .table("straggler_summary", "Waiting by rank", result);
    }

    /** The rank with the smallest wait; of several the one whose column stands first. */
    private int lastOf(Row r, IntList waits) {
        double least = Double.POSITIVE_INFINITY;
        int last = -1;
        for (int i = 0; i < waits.size(); i++) {
            if (r.cells.get(waits.get(i)) instanceof Number wait && wait.doubleValue() < least) {
                least = wait.doubleValue();
                last = byRank.rank(waits.get(i));
            }
        }
        return last;
    }

    /** To one decimal, halves to even, as numpy does. */
    private static double round(double value) {
        return Math.rint(value * 10) / 10;
    }

    private CollectiveCall call(Row r) {
        return frame.call(r.lead);
    }
}
