// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.options.Statistic;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
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

/** All-to-alls whose sizes differ from pair to pair. */
final class AllToAllV {
    private static final String NAME = "all_to_allv";
    private static final double MEBIBYTE = 1 << 20;
    private static final int MOST_RANKS_IN_HEATMAP = 1024;
    private static final int TS = 0;
    private static final int DUR = 1;
    private static final int IN_ELEMENTS = 2;
    private static final int OUT_ELEMENTS = 3;
    private static final int IN_SIZE = 4;
    private static final int OUT_SIZE = 5;
    private static final int IN_SPLIT = 6;
    private static final int OUT_SPLIT = 7;
    private static final int START_SKEW = 8;
    private static final int END_SKEW = 9;

    /** A collective in microseconds and MiB; its first kernel speaks for all. */
    private record Row(
            int instance,
            int lead,
            double size,
            double elements,
            double wall,
            double longest,
            double shortest,
            double average,
            double throughput,
            double fastest,
            double slowest,
            double imbalance,
            double startSkew,
            double endSkew,
            RankColumns.Cells cells) {}

    private record Measure(String header, ToDoubleFunction<Row> value, List<Statistic> statistics) {}

    private final CollectiveFrame frame;
    private final CollectiveColumns columns;
    private final Nodes nodes;
    private final RankColumns byRank;
    private final List<Row> rows = new ArrayList<>();

    AllToAllV(CollectiveFrame frame, CollectiveColumns columns, Nodes nodes) {
        this.frame = frame;
        this.columns = columns;
        this.nodes = nodes;
        byRank = new RankColumns(List.of(
                columns.time("ts", "Start on the rank."),
                columns.time("dur", "Duration on the rank."),
                columns.inElements(),
                columns.outElements(),
                CollectiveColumns.size("In msg size (MB)", "MiB put in by the rank."),
                CollectiveColumns.size("Out msg size (MB)", "MiB got out by the rank."),
                CollectiveColumns.inSplit(),
                CollectiveColumns.outSplit(),
                columns.time("skew in start time", "After the first start."),
                columns.time("skew in end time", "Before the last end.")));
        for (int instance = 0; instance < frame.instances(); instance++) {
            int[] members = frame.members(instance);
            if (NAME.equals(frame.collective(members[0]))) {
                rows.add(row(instance, members));
            }
        }
        rows.sort(Comparator.comparing(
                Row::size,
                (a, b) -> Double.isNaN(a) || Double.isNaN(b)
                        ? Boolean.compare(Double.isNaN(a), Double.isNaN(b))
                        : Double.compare(b, a)));
    }

    private Row row(int instance, int[] members) {
        RankColumns.Cells cells = byRank.new Cells();
        int n = members.length;
        double[] starts = new double[n];
        double[] ends = new double[n];
        double[] durations = new double[n];
        double[] sizes = new double[n];
        double[] elements = new double[n];
        for (int m = 0; m < n; m++) {
            int i = members[m];
            int rank = frame.rank(i);
            CollectiveCall call = frame.call(i);
            starts[m] = frame.ts(i);
            ends[m] = frame.end(i);
            durations[m] = frame.dur(i);
            sizes[m] = LongSheets.inSize(call);
            elements[m] = call.inElements() < 0 ? Double.NaN : call.inElements();
            cells.put(rank, TS, columns.time(starts[m]));
            cells.put(rank, DUR, columns.time(durations[m]));
            cells.put(rank, IN_ELEMENTS, LongSheets.number(call.inElements()));
            cells.put(rank, OUT_ELEMENTS, LongSheets.number(call.outElements()));
            cells.put(rank, IN_SIZE, LongSheets.number(sizes[m]));
            cells.put(rank, OUT_SIZE, LongSheets.number(LongSheets.outSize(call)));
            cells.put(rank, IN_SPLIT, call.inSplit());
            cells.put(rank, OUT_SPLIT, call.outSplit());
        }
        double firstStart = Statistic.MIN.of(starts);
        double lastEnd = Statistic.MAX.of(ends);
        for (int m = 0; m < n; m++) {
            int rank = frame.rank(members[m]);
            cells.put(rank, START_SKEW, columns.time(starts[m] - firstStart));
            cells.put(rank, END_SKEW, columns.time(lastEnd - ends[m]));
        }
        double[] rates = new double[n];
        for (int m = 0; m < n; m++) {
            rates[m] = sizes[m] > 0 && durations[m] > 0 ? rate(sizes[m], durations[m]) : Double.NaN;
        }
        double size = total(sizes);
        double wall = lastEnd - firstStart;
        double mean = size / n;
        return new Row(
                instance,
                members[0],
                size,
                total(elements),
                wall,
                Statistic.MAX.of(durations),
                Statistic.MIN.of(durations),
                Statistic.MEAN.of(durations),
                wall > 0 ? rate(size, wall) : Double.NaN,
                Statistic.MAX.of(rates),
                Statistic.MIN.of(rates),
                mean > 0 ? Statistic.MAX.of(sizes) / mean : Double.NaN,
                Statistic.MAX.of(starts) - firstStart,
                lastEnd - Statistic.MIN.of(ends),
                cells);
    }

    private static double rate(double mebibytes, double microseconds) {
        return mebibytes / 1024 / (microseconds / 1e6);
    }

    /** The sum, NaN if any is missing. */
    private static double total(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** {@code nccl_all2allv}. */
    Table instances() {
        Fields<Row> fields = new Fields<Row>()
                .add(CollectiveColumns.collectiveId(), r -> frame.id(r.instance))
                .add(CollectiveColumns.group(), r -> frame.group(r.lead))
                .add(CollectiveColumns.groupRanks(), r -> call(r).groupRanks())
                .add(CollectiveColumns.collective(), r -> frame.collective(r.lead))
                .add(columns.groupSize(), r -> LongSheets.number(call(r).groupSize()))
                .add(CollectiveColumns.dtype(), r -> call(r).dtype())
                .add(columns.stream(), r -> frame.stream(r.lead))
                .add(CollectiveColumns.size("total data communicated (MB)", "Sum over ranks."), Row::size)
                .add(CollectiveColumns.rate("total nelems communicated", "Sum over ranks."), Row::elements)
                .add(columns.time("wall_time (us)", "First start to last end."), r -> columns.time(r.wall))
                .add(columns.time("max_rank_dur (us)", "Longest duration."), r -> columns.time(r.longest))
                .add(columns.time("min_rank_dur (us)", "Shortest duration."), r -> columns.time(r.shortest))
                .add(CollectiveColumns.mean("avg_rank_dur (us)", "Mean duration."), Row::average)
                .add(CollectiveColumns.rate("throughput (GB/s)", "Total over wall time, in GiB/s."), Row::throughput)
                .add(CollectiveColumns.rate("max_rank_throughput (GB/s)", "Of the fastest rank."), Row::fastest)
                .add(CollectiveColumns.rate("min_rank_throughput (GB/s)", "Of the slowest rank."), Row::slowest)
                .add(CollectiveColumns.rate("size_imbalance", "Largest over mean size."), Row::imbalance)
                .add(columns.time("skew in start time", "First to last start."), r -> columns.time(r.startSkew))
                .add(columns.time("skew in end time", "First to last end."), r -> columns.time(r.endSkew));
        byRank.addTo(fields, Row::cells);
        fields.addIf(nodes.known(), Nodes.SPAN, r -> nodes.span(call(r).groupRanks()));
        return fields.table("nccl_all2allv", "Variable all-to-alls", rows);
    }

    private record Group(String group, String dtype) {}

    private record Summary(Group group, List<Row> rows) {
        double[] values(ToDoubleFunction<Row> value) {
            return rows.stream().mapToDouble(value).toArray();
        }

        double wall() {
            return Statistic.SUM.of(values(Row::wall));
        }
    }

    /** {@code nccl_summary_all2allv}. */
    Table summary(List<Statistic> statistics) {
        Map<Group, List<Row>> groups =
                new TreeMap<>(Comparator.comparing(Group::group).thenComparing(Group::dtype));
        for (Row r : rows) {
            String dtype = call(r).dtype();
            if (dtype != null) {
                groups.computeIfAbsent(new Group(frame.group(r.lead), dtype), g -> new ArrayList<>())
                        .add(r);
            }
        }
        List<Summary> summaries = new ArrayList<>();
        groups.forEach((group, members) -> summaries.add(new Summary(group, members)));
        summaries.sort(Comparator.comparingDouble(Summary::wall).reversed());
        Fields<Summary> fields = new Fields<Summary>()
                .add(CollectiveColumns.group(), s -> s.group.group)
                .add(CollectiveColumns.dtype(), s -> s.group.dtype);
        List<Statistic> meanAndMax = List.of(Statistic.MEAN, Statistic.MAX);
        addTo(fields, new Measure("total data communicated (MB)", Row::size, statistics));
        addTo(fields, new Measure("wall_time (us)", Row::wall, statistics));
        fields.add(columns.time("Total wall_time (us)", "Sum of wall times."), s -> columns.time(s.wall()));
        addTo(fields, new Measure("throughput (GB/s)", Row::throughput, statistics));
        addTo(fields, new Measure("size_imbalance", Row::imbalance, meanAndMax));
        addTo(fields, new Measure("max_rank_dur (us)", Row::longest, meanAndMax));
        addTo(fields, new Measure("skew in start time", Row::startSkew, meanAndMax));
        addTo(fields, new Measure("skew in end time", Row::endSkew, meanAndMax));
        fields.add(ColumnSpec.count("count", "Number of collectives."), s -> s.rows.size())
                .add(CollectiveColumns.groupRanks(), s -> first(s).groupRanks())
                .add(CollectiveColumns.collective(), s -> NAME)
                .add(columns.groupSize(), s -> LongSheets.number(first(s).groupSize()))
                .add(
                        ColumnSpec.real(
                                "Total wall_time (ms)", Unit.MILLISECONDS, Unit.MILLISECONDS, "Sum of wall times."),
                        s -> s.wall() / 1000)
                .addIf(nodes.known(), Nodes.SPAN, s -> nodes.span(first(s).groupRanks()));
        return fields.table("nccl_summary_all2allv", "Variable all-to-alls by process group", summaries);
    }

    private static void addTo(Fields<Summary> fields, Measure measure) {
        for (Statistic statistic : measure.statistics) {
            String header = measure.header + "_" + statistic.word();
            fields.add(
                    CollectiveColumns.rate(header, "Over the collectives of the row."),
                    s -> LongSheets.number(statistic.of(s.values(measure.value))));
        }
    }

    private record Pair(int from, int to) {}

    private static final class Sent {
        private long bytes;
        private long count;
    }

    /**
     * {@code nccl_all2allv_heatmap}; calls whose splits do not fit the group's size, or whose element type has no size,
     * do not count. Null if nothing counts, or where there are too many ranks.
     */
    @Nullable
    Table heatmap() {
        Map<Pair, Sent> sent = new TreeMap<>(Comparator.comparingInt(Pair::from).thenComparingInt(Pair::to));
        for (int i = 0; i < frame.size(); i++) {
            CollectiveCall call = frame.call(i);
            if (NAME.equals(frame.collective(i)) && call.inSplit() != null) {
                long[] split = RankNumbers.of(Objects.requireNonNull(call.inSplit()));
                int bytes = TraceLensType.bytes(call.dtype());
                boolean fits = call.groupSize() < 0 || split.length == call.groupSize();
                for (int to = 0; fits && bytes > 0 && to < split.length; to++) {
                    Sent s = sent.computeIfAbsent(new Pair(frame.rank(i), to), p -> new Sent());
                    s.bytes += split[to] * bytes;
                    s.count++;
                }
            }
        }
        if (sent.isEmpty() || frame.ranks().size() > MOST_RANKS_IN_HEATMAP) {
            return null;
        }
        return new Fields<Map.Entry<Pair, Sent>>()
                .add(ColumnSpec.id("src_rank", "Rank that sends."), e -> e.getKey().from)
                .add(ColumnSpec.id("dst_rank", "Place in the group of the rank that receives."), e -> e.getKey().to)
                .add(CollectiveColumns.size("total_sent_MB", "MiB sent."), e -> e.getValue().bytes / MEBIBYTE)
                .add(
                        CollectiveColumns.size("avg_sent_MB", "MiB sent at a time."),
                        e -> e.getValue().bytes / MEBIBYTE / e.getValue().count)
                .add(ColumnSpec.count("count", "Number of collectives."), e -> e.getValue().count)
                .table("nccl_all2allv_heatmap", "Data by pair of ranks", List.copyOf(sent.entrySet()));
    }

    private CollectiveCall call(Row r) {
        return frame.call(r.lead);
    }

    private CollectiveCall first(Summary s) {
        return call(s.rows.getFirst());
    }
}
