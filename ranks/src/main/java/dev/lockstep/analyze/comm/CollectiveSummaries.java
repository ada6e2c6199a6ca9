// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.options.Statistic;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Collectives summed up: by what they do, by group, by size, by time, by node. */
public final class CollectiveSummaries {
    private static final int BITS = 64;
    private static final String WAITED =
            "Time that ranks waited for the last, summed over ranks, as far as it is known; missing where none is.";

    private final List<Collective> all;
    private final List<Statistic> statistics;

    /** @param statistics by which summaries sum up */
    public CollectiveSummaries(Collectives collectives, List<Statistic> statistics) {
        this.all = collectives.all();
        this.statistics = List.copyOf(statistics);
    }

    /** Collectives that share a row. */
    private record Some(List<Collective> members) {
        Collective first() {
            return members.getFirst();
        }

        long sum(ToLongFunction<Collective> value) {
            long sum = 0;
            for (Collective c : members) {
                sum += value.applyAsLong(c);
            }
            return sum;
        }

        double of(Statistic statistic, ToDoubleFunction<Collective> value) {
            double[] values = new double[members.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = value.applyAsDouble(members.get(i));
            }
            return statistic.of(values);
        }

        /** Null where members wait and it is known of none how long. */
        @Nullable
        Long waited() {
            boolean unknown = members.stream().noneMatch(Collective::waits)
                    && members.stream().anyMatch(c -> c.waiting() == Waiting.UNKNOWN);
            return unknown ? null : (Long) sum(Collective::waited);
        }

        long count(Predicate<Collective> which) {
            return members.stream().filter(which).count();
        }

        long largestLatency() {
            long most = 0;
            for (Collective c : members) {
                most = Math.max(most, c.latency());
            }
            return most;
        }
    }

    private record WorkKey(
            int group, String kind, String name, @Nullable String dtype, long in, long out) {}

    private record SizeKey(String kind, int bits) {}

    private record TimeKey(int group, int bits) {}

    private record SpanKey(Span span, String kind) {}

    /** {@code nccl_summary_implicit_sync}. */
    public Table waiting() {
        return summary(
                TableNames.NCCL_SUMMARY_IMPLICIT_SYNC,
                "Collectives whose members wait, by group and size",
                c -> c.call().kind().synchronising());
    }

    /** {@code nccl_summary_one_way}. */
    public Table oneWay() {
        return summary(
                "nccl_summary_one_way",
                "Broadcasts, reductions to a root, gathers, scatters and messages, by group and size",
                c -> !c.call().kind().synchronising());
    }

    private Table summary(String name, String title, Predicate<Collective> which) {
        List<Some> rows = group(
                which,
                c -> new WorkKey(
                        c.groupIndex(),
                        c.call().kind().word(),
                        c.call().name(),
                        c.call().dtype(),
                        c.call().inElements(),
                        c.call().outElements()));
        rows.sort(Comparator.comparingLong((Some s) -> s.sum(Collective::latency))
                .reversed()
                .thenComparingInt(s -> s.first().instance()));
        Fields<Some> fields = new Fields<Some>()
                .add(CollectiveSheets.kind(), s -> s.first().call().kind().word())
                .add(CollectiveSheets.collective(), s -> s.first().call().name())
                .add(CollectiveSheets.dtype(), s -> s.first().call().dtype())
                .add(
                        CollectiveSheets.inElements(),
                        s -> CollectiveSheets.number(s.first().call().inElements()))
                .add(
                        CollectiveSheets.group(),
                        s -> CollectiveSheets.groupName(s.first().group()))
                .add(
                        CollectiveSheets.groupRanks(),
                        s -> CollectiveSheets.orNull(s.first().group().members()))
                .add(
                        CollectiveSheets.groupSize(),
                        s -> CollectiveSheets.number(s.first().expected()))
                .add(
                        CollectiveSheets.size(ColumnNames.FULL_MSG_SIZE_MB, "Size as bandwidths count it."),
                        s -> CollectiveSheets.number(s.first().bytes()));
        each(fields, statistic -> time(ColumnNames.COMM_LATENCY, statistic), Collective::latency);
        each(
                fields,
                statistic -> time(ColumnNames.SKEW_IN_START_TIME, statistic),
                c -> c.comparable() ? c.startSkew() : Double.NaN);
        each(
                fields,
                statistic -> time(ColumnNames.SKEW_IN_END_TIME, statistic),
                c -> c.comparable() ? c.endSkew() : Double.NaN);
        each(
                fields,
                statistic -> CollectiveSheets.rate("algo bw (GB/s)_" + statistic.word(), "Size over latency."),
                Collective::algorithmBandwidth);
        each(
                fields,
                statistic -> CollectiveSheets.rate("bus bw (GB/s)_" + statistic.word(), "What crosses a link."),
                Collective::busBandwidth);
        return fields.add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(
                        ColumnSpec.count("incomplete", "Of them, those that lack members."),
                        s -> s.count(c -> !c.isWhole()))
                .add(
                        millis(ColumnNames.TOTAL_COMM_LATENCY_MS, "Sum of latencies, without waiting."),
                        s -> s.sum(Collective::latency))
                .add(millis("Total wait (ms)", WAITED), Some::waited)
                .add(CollectiveSheets.span(), s -> s.first().span().word())
                .table(name, title, rows);
    }

    /** Adds a column for each of the wanted statistics. */
    private void each(Fields<Some> fields, Function<Statistic, ColumnSpec> column, ToDoubleFunction<Collective> value) {
        for (Statistic statistic : statistics) {
            fields.add(column.apply(statistic), s -> missing(s.of(statistic, value)));
        }
    }

    private static ColumnSpec time(String header, Statistic statistic) {
        return ColumnSpec.real(
                header + "_" + statistic.word(),
                Unit.NANOSECONDS,
                Unit.MICROSECONDS,
                "Over the collectives of the row: " + statistic.word() + ". Missing if too few.");
    }

    /** {@code nccl_groups}: process groups, and how well they could be matched. */
    public Table groups() {
        List<Some> rows = group(c -> true, Collective::groupIndex);
        return CollectiveSheets.addGroup(new Fields<Some>(), Some::first)
                .add(CollectiveSheets.span(), s -> s.first().span().word())
                .add(
                        ColumnSpec.text(
                                "matched by",
                                "What joins the members: sequence, group_and_order, or kind_and_order where no process"
                                        + " group was recorded."),
                        s -> basis(s.first().group()))
                .add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(
                        ColumnSpec.count("incomplete", "Of them, those that lack members."),
                        s -> s.count(c -> !c.isWhole()))
                .add(
                        ColumnSpec.count("without_size", "Of them, those without a size, and so without a bandwidth."),
                        s -> s.count(c -> c.bytes() < 0))
                .add(
                        millis(ColumnNames.TOTAL_COMM_LATENCY_MS, "Sum of latencies, without waiting."),
                        s -> s.sum(Collective::latency))
                .add(millis("Total wait (ms)", WAITED), Some::waited)
                .add(
                        time(ColumnNames.COMM_LATENCY, Statistic.MEDIAN),
                        s -> missing(s.of(Statistic.MEDIAN, c -> c.latency())))
                .add(time(ColumnNames.COMM_LATENCY, Statistic.MAX), s -> (double) s.largestLatency())
                .add(
                        time(ColumnNames.SKEW_IN_START_TIME, Statistic.MEDIAN),
                        s -> missing(s.of(Statistic.MEDIAN, c -> c.comparable() ? c.startSkew() : Double.NaN)))
                .add(
                        CollectiveSheets.rate("bus bw (GB/s)_median", "What crosses a link."),
                        s -> missing(s.of(Statistic.MEDIAN, Collective::busBandwidth)))
                .table("nccl_groups", "Process groups", rows);
    }

    /** {@code nccl_sizes}: a histogram by size, in powers of two. */
    public Table sizes() {
        List<Some> rows =
                group(c -> c.bytes() >= 0, c -> new SizeKey(c.call().kind().word(), bits(c.bytes())));
        rows.sort(Comparator.comparing((Some s) -> s.first().call().kind())
                .thenComparingInt(s -> bits(s.first().bytes())));
        return new Fields<Some>()
                .add(CollectiveSheets.kind(), s -> s.first().call().kind().word())
                .add(
                        ColumnSpec.whole("from_bytes", Unit.BYTES, Unit.BYTES, "Smallest size of the row."),
                        s -> low(bits(s.first().bytes())))
                .add(
                        ColumnSpec.whole("below_bytes", Unit.BYTES, Unit.BYTES, "Sizes of the row are below this."),
                        s -> low(bits(s.first().bytes()) + 1))
                .add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(
                        millis(ColumnNames.TOTAL_COMM_LATENCY_MS, "Sum of latencies, without waiting."),
                        s -> s.sum(Collective::latency))
                .add(
                        time(ColumnNames.COMM_LATENCY, Statistic.MEDIAN),
                        s -> missing(s.of(Statistic.MEDIAN, c -> c.latency())))
                .add(
                        CollectiveSheets.rate("algo bw (GB/s)_median", "Size over latency."),
                        s -> missing(s.of(Statistic.MEDIAN, Collective::algorithmBandwidth)))
                .add(
                        CollectiveSheets.rate("bus bw (GB/s)_median", "What crosses a link."),
                        s -> missing(s.of(Statistic.MEDIAN, Collective::busBandwidth)))
                .add(
                        CollectiveSheets.rate("bus bw (GB/s)_max", "The best of the row."),
                        s -> missing(s.of(Statistic.MAX, Collective::busBandwidth)))
                .table("nccl_sizes", "Collectives by size", rows);
    }

    /** {@code nccl_latencies}: a histogram of latencies for each group, in powers of two. */
    public Table latencies() {
        List<Some> rows = group(c -> true, c -> new TimeKey(c.groupIndex(), bits(c.latency())));
        rows.sort(Comparator.comparingInt((Some s) -> s.first().groupIndex())
                .thenComparingInt(s -> bits(s.first().latency())));
        return new Fields<Some>()
                .add(
                        CollectiveSheets.group(),
                        s -> CollectiveSheets.groupName(s.first().group()))
                .add(
                        CollectiveSheets.groupRanks(),
                        s -> CollectiveSheets.orNull(s.first().group().members()))
                .add(
                        micros("from_us", "Shortest latency of the row."),
                        s -> low(bits(s.first().latency())))
                .add(
                        micros("below_us", "Latencies of the row are below this."),
                        s -> low(bits(s.first().latency()) + 1))
                .add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(
                        millis(ColumnNames.TOTAL_COMM_LATENCY_MS, "Sum of latencies, without waiting."),
                        s -> s.sum(Collective::latency))
                .table("nccl_latencies", "Latencies by process group", rows);
    }

    /** {@code nccl_node_spans}: what stays within nodes and what crosses between them. */
    public Table spans() {
        List<Some> rows =
                group(c -> true, c -> new SpanKey(c.span(), c.call().kind().word()));
        rows.sort(Comparator.comparing((Some s) -> s.first().span())
                .thenComparing(s -> s.first().call().kind()));
        return new Fields<Some>()
                .add(CollectiveSheets.span(), s -> s.first().span().word())
                .add(CollectiveSheets.kind(), s -> s.first().call().kind().word())
                .add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(CollectiveSheets.size("Total size (MB)", "Sum of the sizes that are known."), s ->
                        (double) s.sum(c -> Math.max(0, c.bytes())))
                .add(
                        millis(ColumnNames.TOTAL_COMM_LATENCY_MS, "Sum of latencies, without waiting."),
                        s -> s.sum(Collective::latency))
                .add(millis("Total wait (ms)", WAITED), Some::waited)
                .add(
                        CollectiveSheets.rate("bus bw (GB/s)_median", "What crosses a link."),
                        s -> missing(s.of(Statistic.MEDIAN, Collective::busBandwidth)))
                .table("nccl_node_spans", "Within nodes and between them", rows);
    }

    private <K> List<Some> group(Predicate<Collective> which, Function<Collective, K> key) {
        Map<K, List<Collective>> groups = new LinkedHashMap<>();
        for (Collective c : all) {
            if (which.test(c)) {
                groups.computeIfAbsent(key.apply(c), k -> new ArrayList<>()).add(c);
            }
        }
        List<Some> rows = new ArrayList<>();
        groups.values().forEach(members -> rows.add(new Some(members)));
        return rows;
    }

    /** The power of two at or below a value, -1 for nothing. */
    private static int bits(long value) {
        return BITS - 1 - Long.numberOfLeadingZeros(value);
    }

    private static long low(int bits) {
        return bits < 0 ? 0 : 1L << bits;
    }

    private static String basis(Group group) {
        return group.basis().name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Double missing(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(value);
    }
}
