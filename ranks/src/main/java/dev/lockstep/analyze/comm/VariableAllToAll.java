// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.options.Statistic;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Heat;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All-to-alls whose sizes differ from pair to pair: how uneven they are, and who sends how much to whom. */
public final class VariableAllToAll {
    private static final double NS_PER_S = 1e9;
    private static final int MOST_RANKS_DRAWN = 64;

    /**
     * One of them.
     *
     * @param bytes sum over ranks of what they put in, -1 when unknown
     * @param largest most that a rank puts in, in bytes
     * @param longest longest kernel in ns
     */
    private record Row(Collective collective, long bytes, long largest, long longest) {
        long wall() {
            return collective.lastEnd() - collective.firstStart();
        }

        @Nullable
        Double throughput() {
            return bytes < 0 || wall() <= 0 ? null : bytes / (wall() / NS_PER_S);
        }

        @Nullable
        Double imbalance() {
            return bytes <= 0 ? null : (double) largest * collective.present() / bytes;
        }
    }

    private record Pair(int from, int to) {}

    private static final class Sent {
        private long bytes;
        private long count;
    }

    private final List<Row> rows = new ArrayList<>();
    private final Map<Pair, Sent> sent =
            new TreeMap<>(Comparator.comparingInt(Pair::from).thenComparingInt(Pair::to));

    /** Looks at all that happened. */
    public VariableAllToAll(Collectives collectives) {
        for (Collective c : collectives.all()) {
            if (c.call().kind() == CollectiveKind.ALL_TO_ALL_V) {
                rows.add(row(collectives, c));
            }
        }
        rows.sort(Comparator.comparingLong(Row::bytes).reversed().thenComparingInt(r -> r.collective.instance()));
    }

    private Row row(Collectives collectives, Collective c) {
        long total = 0;
        long largest = 0;
        long longest = 0;
        long[] members = RankNumbers.of(c.group().members());
        for (int m = 0; m < c.present(); m++) {
            RankCollectives rank = collectives.rank(collectives.match().rank(c.instance(), m));
            int row = collectives.match().row(c.instance(), m);
            Double in = CollectiveSheets.bytes(rank.call(row), rank.call(row).inElements());
            total = in == null || total < 0 ? -1 : total + in.longValue();
            largest = Math.max(largest, in == null ? 0 : in.longValue());
            longest = Math.max(longest, rank.dur(row));
            send(rank.rank(), rank.call(row), members, c.expected());
        }
        return new Row(c, total, largest, longest);
    }

    /** Adds what a rank sends; without a split it sends the same to all. */
    private void send(int from, CollectiveCall call, long[] members, long n) {
        int bytes = Bandwidth.bytes(call.dtype());
        if (bytes < 0 || members.length != n) {
            return;
        }
        long[] split = RankNumbers.of(call.inSplit());
        if (split.length == 0 && call.inElements() >= 0) {
            split = new long[members.length];
            Arrays.fill(split, call.inElements() / members.length);
        }
        for (int i = 0; split.length == members.length && i < members.length; i++) {
            Sent s = sent.computeIfAbsent(new Pair(from, (int) members[i]), p -> new Sent());
            s.bytes += split[i] * bytes;
            s.count++;
        }
    }

    /** {@code nccl_all2allv}, {@code nccl_summary_all2allv} and {@code nccl_all2allv_heatmap}; none without any. */
    public List<Table> tables() {
        if (rows.isEmpty()) {
            return List.of();
        }
        List<Table> tables = new ArrayList<>(List.of(summary(), instances()));
        if (!sent.isEmpty()) {
            tables.add(heatmap());
        }
        return tables;
    }

    private Table instances() {
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(ColumnNames.COLLECTIVE_ID, "Process group and number in it."),
                        r -> r.collective.id())
                .add(CollectiveSheets.group(), r -> CollectiveSheets.groupName(r.collective.group()))
                .add(
                        CollectiveSheets.groupRanks(),
                        r -> CollectiveSheets.orNull(r.collective.group().members()))
                .add(CollectiveSheets.groupSize(), r -> CollectiveSheets.number(r.collective.expected()))
                .add(CollectiveSheets.dtype(), r -> r.collective.call().dtype())
                .add(
                        CollectiveSheets.size("total data communicated (MB)", "Sum over ranks of what they put in."),
                        r -> CollectiveSheets.number(r.bytes))
                .add(micros("wall_time (us)", "First start to last end, on one clock."), Row::wall)
                .add(micros("max_rank_dur (us)", "Longest kernel."), Row::longest)
                .add(micros("min_rank_dur (us)", "Shortest kernel."), r -> r.collective.latency())
                .add(CollectiveSheets.rate("throughput (GB/s)", "Total over wall time."), Row::throughput)
                .add(imbalance("size_imbalance"), Row::imbalance)
                .add(
                        micros(ColumnNames.SKEW_IN_START_TIME, "First to last start; missing where no clock is known."),
                        r -> CollectiveSheets.startSkew(r.collective))
                .add(
                        micros(ColumnNames.SKEW_IN_END_TIME, "First to last end; missing where no clock is known."),
                        r -> CollectiveSheets.endSkew(r.collective))
                .add(CollectiveSheets.span(), r -> r.collective.span().word())
                .table(TableNames.NCCL_ALL2ALLV, "Variable all-to-alls", rows);
    }

    private static ColumnSpec imbalance(String header) {
        return ColumnSpec.real(
                header, Unit.NONE, Unit.NONE, "Most that a rank puts in, over the mean; missing when unknown.");
    }

    private record Key(int group, @Nullable String dtype) {}

    private record Some(List<Row> members) {
        Collective first() {
            return members.getFirst().collective;
        }

        double of(Statistic statistic, Function<Row, @Nullable Double> value) {
            return statistic.of(members.stream()
                    .mapToDouble(r -> Objects.requireNonNullElse(value.apply(r), Double.NaN))
                    .toArray());
        }

        long wall() {
            return members.stream().mapToLong(Row::wall).sum();
        }
    }

    private Table summary() {
        Map<Key, List<Row>> groups = new TreeMap<>(
                Comparator.comparingInt(Key::group).thenComparing(k -> Objects.requireNonNullElse(k.dtype, "")));
        for (Row r : rows) {
            groups.computeIfAbsent(
                            new Key(
                                    r.collective.groupIndex(),
                                    r.collective.call().dtype()),
                            k -> new ArrayList<>())
                    .add(r);
        }
        List<Some> some = new ArrayList<>();
        groups.values().forEach(members -> some.add(new Some(members)));
        some.sort(Comparator.comparingLong(Some::wall).reversed());
        return CollectiveSheets.addGroup(new Fields<Some>(), Some::first)
                .add(CollectiveSheets.dtype(), s -> s.first().call().dtype())
                .add(ColumnSpec.count("count", "Number of collectives."), s -> s.members.size())
                .add(
                        CollectiveSheets.size("total data communicated (MB)_mean", "Sum over ranks, mean."),
                        s -> missing(s.of(Statistic.MEAN, r -> r.bytes < 0 ? null : (double) r.bytes)))
                .add(
                        CollectiveSheets.rate("throughput (GB/s)_mean", "Total over wall time, mean."),
                        s -> missing(s.of(Statistic.MEAN, Row::throughput)))
                .add(
                        CollectiveSheets.rate("throughput (GB/s)_min", "Least."),
                        s -> missing(s.of(Statistic.MIN, Row::throughput)))
                .add(
                        CollectiveSheets.rate("throughput (GB/s)_max", "Most."),
                        s -> missing(s.of(Statistic.MAX, Row::throughput)))
                .add(imbalance("size_imbalance_mean"), s -> missing(s.of(Statistic.MEAN, Row::imbalance)))
                .add(imbalance("size_imbalance_max"), s -> missing(s.of(Statistic.MAX, Row::imbalance)))
                .add(millis("Total wall_time (ms)", "Sum of wall times."), Some::wall)
                .add(CollectiveSheets.span(), s -> s.first().span().word())
                .table("nccl_summary_all2allv", "Variable all-to-alls by process group", some);
    }

    private Table heatmap() {
        return new Fields<Map.Entry<Pair, Sent>>()
                .add(ColumnSpec.id("src_rank", "Rank that sends."), e -> e.getKey().from)
                .add(ColumnSpec.id("dst_rank", "Rank that receives."), e -> e.getKey().to)
                .add(CollectiveSheets.size("total_sent_MB", "Sent in all."), e -> (double) e.getValue().bytes)
                .add(
                        CollectiveSheets.size("avg_sent_MB", "Sent at a time."),
                        e -> (double) e.getValue().bytes / e.getValue().count)
                .add(ColumnSpec.count("count", "Number of collectives."), e -> e.getValue().count)
                .table("nccl_all2allv_heatmap", "Data by pair of ranks", List.copyOf(sent.entrySet()));
    }

    /** Who sends how much to whom, as a picture; null without any, or with too many ranks to see anything. */
    public @Nullable Heat chart() {
        TreeSet<Integer> ranks = new TreeSet<>();
        sent.keySet().forEach(pair -> {
            ranks.add(pair.from);
            ranks.add(pair.to);
        });
        if (sent.isEmpty() || ranks.size() > MOST_RANKS_DRAWN) {
            return null;
        }
        List<Integer> order = List.copyOf(ranks);
        double[][] values = new double[order.size()][order.size()];
        List<Evidence> leads = new ArrayList<>();
        int line = 0; // of the table, which has the pairs in the same order
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < values.length; j++) {
                Pair pair = new Pair(order.get(i), order.get(j));
                Sent s = sent.get(pair);
                values[i][j] = s == null ? Double.NaN : s.bytes / (double) (1 << 20);
                leads.add(s == null ? Evidence.nowhere() : new Evidence.Rows("nccl_all2allv_heatmap", List.of(line++)));
            }
        }
        List<String> labels = order.stream().map(rank -> "rank " + rank).toList();
        return new Heat(
                "Variable all-to-alls: data by pair of ranks",
                "MiB in all; a row sends, a column receives.",
                "MiB",
                labels,
                labels,
                values,
                Chart.Scale.MAGNITUDE,
                leads);
    }

    private static @Nullable Double missing(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(value);
    }
}
