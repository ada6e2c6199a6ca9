// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.CollectiveInstance;
import dev.lockstep.compare.CollectiveSum;
import dev.lockstep.compare.CollectiveSum.Figures;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.report.Evidence;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The collectives of all configurations of a sweep. An operation is what ranks do together: the same collective, element
 * type, number of elements and process group. It has the same id in every configuration; ids grow with size.
 */
public final class SweepCollectives {
    private static final double US_PER_MS = 1000;

    /** Sizes without a value come last. */
    private static final Comparator<Operation> BY_SIZE = Comparator.comparingDouble(
                    (Operation o) -> Double.isNaN(o.size) ? Double.POSITIVE_INFINITY : o.size)
            .thenComparing(Operation::name)
            .thenComparing(Operation::dtype)
            .thenComparingLong(Operation::elements)
            .thenComparingLong(Operation::members)
            .thenComparing(Operation::group)
            .thenComparing(Operation::ranks);

    /**
     * What ranks do together.
     *
     * @param name collective as recorded
     * @param dtype element type, empty when unknown
     * @param elements elements that a rank puts in, -1 when unknown
     * @param group name of the process group, empty when unknown
     * @param ranks its ranks as recorded, empty when unknown
     * @param members number of its ranks, -1 when unknown
     * @param size size in MiB as bandwidths count it, NaN when unknown
     */
    public record Operation(
            String name, String dtype, long elements, String group, String ranks, long members, double size) {
        /** As a person says it. */
        public String words() {
            StringBuilder words = new StringBuilder(name);
            if (!Double.isNaN(size)) {
                words.append(' ').append(bytes(size));
            }
            if (!dtype.isEmpty()) {
                words.append(' ').append(dtype);
            }
            String who = group.isEmpty() ? "" : "group " + group;
            String many = members < 0 ? "" : members == 1 ? "1 rank" : members + " ranks";
            String both = who.isEmpty() || many.isEmpty() ? who + many : who + ", " + many;
            return both.isEmpty() ? words.toString() : words + " (" + both + ")";
        }

        private static String bytes(double mebibytes) {
            double kibibytes = mebibytes * 1024;
            return kibibytes < 1
                    ? number(kibibytes * 1024) + " B"
                    : mebibytes < 1 ? number(kibibytes) + " KiB" : number(mebibytes) + " MiB";
        }

        private static String number(double value) {
            String text = String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
            return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
        }
    }

    /**
     * An operation in a configuration.
     *
     * @param point the configuration
     * @param operation the operation
     * @param sum the collectives of one row of its report
     */
    private record Row(RunSummary point, Operation operation, CollectiveSum sum) {}

    private final List<RunSummary> points;
    private final Map<Operation, String> ids = new TreeMap<>(BY_SIZE);
    private final List<Row> rows = new ArrayList<>();
    private final Map<Operation, Map<String, Sum>> sums = new TreeMap<>(BY_SIZE);

    /** Collectives of an operation in a configuration, or of a configuration. */
    private static final class Sum {
        private double count;
        private double microseconds;

        void add(Row row) {
            count += row.sum.count();
            microseconds += row.sum.count() * row.sum.latency().mean();
        }
    }

    private SweepCollectives(List<RunSummary> points) {
        this.points = points.stream().sorted(RunSummary.BY_SETTINGS).toList();
        for (RunSummary point : this.points) {
            for (CollectiveSum sum : point.collectives().sums()) {
                Operation operation = operation(sum);
                ids.put(operation, "");
                rows.add(new Row(point, operation, sum));
            }
        }
        int width = Math.max(2, Integer.toString(ids.size()).length());
        int number = 0;
        for (Map.Entry<Operation, String> id : ids.entrySet()) {
            number++;
            id.setValue(String.format(Locale.ROOT, "OP_%0" + width + "d", number));
        }
        for (Row row : rows) {
            sums.computeIfAbsent(row.operation, o -> new LinkedHashMap<>())
                    .computeIfAbsent(row.point.label(), label -> new Sum())
                    .add(row);
        }
        rows.sort(Comparator.comparing(Row::operation, BY_SIZE)); // stable: configurations stay in order
    }

    /** The collectives of these configurations. */
    public static SweepCollectives of(List<RunSummary> points) {
        return new SweepCollectives(points);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Operations by size. */
    public List<Operation> operations() {
        return List.copyOf(ids.keySet());
    }

    /** The id of an operation. */
    public String id(Operation operation) {
        return Objects.requireNonNull(ids.get(operation));
    }

    /** Mean latency of an operation in a configuration, µs; NaN when it is not there. */
    public double latency(Operation operation, RunSummary point) {
        Sum sum = sums.getOrDefault(operation, Map.of()).get(point.label());
        return sum == null ? Double.NaN : sum.microseconds / sum.count;
    }

    /**
     * What the right configuration gains for an operation.
     *
     * @param operation the operation
     * @param bestIn configuration with the shortest mean latency
     * @param best that latency, µs
     * @param worstIn configuration with the longest
     * @param worst that latency, µs
     * @param milliseconds the difference, for as many collectives as the worst has
     * @param difference of the latencies in µs; the intervals of all operations and pairs of configurations hold together
     */
    public record Gain(
            Operation operation,
            String bestIn,
            double best,
            String worstIn,
            double worst,
            double milliseconds,
            Confidence difference) {}

    /** The gains of all operations that two configurations or more have, by size. */
    public List<Gain> gains() {
        List<Gain> gains = new ArrayList<>();
        int comparisons = Math.max(1, ids.size() * points.size() * (points.size() - 1) / 2);
        for (Operation operation : operations()) {
            RunSummary best = extreme(operation, false);
            RunSummary worst = worst(operation);
            if (best != null && worst != null) {
                double least = latency(operation, best);
                double most = latency(operation, worst);
                double count = Objects.requireNonNull(
                                Objects.requireNonNull(sums.get(operation)).get(worst.label()))
                        .count;
                gains.add(new Gain(
                        operation,
                        best.label(),
                        least,
                        worst.label(),
                        most,
                        (most - least) * count / US_PER_MS,
                        LongRunMeans.of(List.of(series(operation, best), series(operation, worst)))
                                .difference(1, 0, comparisons)));
            }
        }
        return gains;
    }

    /** Latencies of an operation in a configuration in the order of time, µs; none where they are not listed one by one. */
    private static double[] series(Operation operation, RunSummary point) {
        return point.collectives().families().stream()
                .flatMap(family -> family.instances().stream())
                .filter(one -> operation(one.key(), one.bytes()).equals(operation))
                .mapToDouble(CollectiveInstance::latency)
                .toArray();
    }

    /**
     * {@return the row of {@code NCCL_Data} that is about an operation of a configuration}
     *
     * @param operation the operation
     * @param point the configuration
     */
    Evidence row(Operation operation, RunSummary point) {
        return Evidence.Rows.of("NCCL_Data", rows, row -> row.point.equals(point) && row.operation.equals(operation));
    }

    /** {@code NCCL_Data}: a row for each operation and configuration. */
    public Table data() {
        Fields<Row> fields = new Fields<Row>()
                .add(
                        ColumnSpec.text("operation_id", "Number of the operation, the same in all configurations."),
                        r -> id(r.operation))
                .add(ColumnSpec.text("operation_name", "What it is, in words."), r -> r.operation.words())
                .add(
                        ColumnSpec.real(
                                "Full msg size (MiB)",
                                Unit.MEBIBYTES,
                                Unit.MEBIBYTES,
                                "Size as bandwidths count it; missing when unknown."),
                        r -> SweepTimelines.orNull(r.operation.size))
                .add(
                        ColumnSpec.count("In msg nelems", "Elements that a rank puts in; missing when unknown."),
                        r -> SweepTimelines.known(r.operation.elements))
                .add(ColumnSpec.id("threads_num", "Threads per block."), r -> SweepTimelines.known(r.point.threads()))
                .add(ColumnSpec.id("channels_num", "Channels."), r -> SweepTimelines.known(r.point.channels()))
                .add(SweepTimelines.configuration(), r -> r.point.label())
                .add(ColumnSpec.text("Collective name", "As recorded."), r -> r.operation.name)
                .add(ColumnSpec.text("dtype", "Element type; missing when unknown."), r -> text(r.operation.dtype))
                .add(
                        ColumnSpec.text("Process Group Name", "As recorded; missing when unknown."),
                        r -> text(r.operation.group))
                .add(
                        ColumnSpec.text("Process Group Ranks", "As recorded; missing when unknown."),
                        r -> text(r.operation.ranks))
                .add(
                        ColumnSpec.count("Group size", "Ranks of the group; missing when unknown."),
                        r -> SweepTimelines.known(r.operation.members))
                .add(ColumnSpec.count("count", "Number of collectives."), r -> Math.round(r.sum.count()));
        statistics(
                fields,
                CollectiveSum::latency,
                "comm_latency (µs)",
                Unit.MICROSECONDS,
                "Shortest kernel of a collective.");
        fields.add(
                ColumnSpec.real(
                        ColumnNames.TOTAL_COMM_LATENCY_MS,
                        Unit.MILLISECONDS,
                        Unit.MILLISECONDS,
                        "Sum of latencies, without waiting."),
                r -> SweepTimelines.orNull(r.sum.totalMs()));
        statistics(
                fields, CollectiveSum::algorithm, ColumnNames.ALGO_BW, Unit.GIGABYTES_PER_SECOND, "Size over latency.");
        statistics(fields, CollectiveSum::bus, ColumnNames.BUS_BW, Unit.GIGABYTES_PER_SECOND, "What crosses a link.");
        statistics(
                fields, CollectiveSum::startSkew, "skew in start time (µs)", Unit.MICROSECONDS, "First to last start.");
        statistics(fields, CollectiveSum::endSkew, "skew in end time (µs)", Unit.MICROSECONDS, "First to last end.");
        return fields.table("NCCL_Data", "Collectives of all configurations", rows);
    }

    private static void statistics(
            Fields<Row> fields, Function<CollectiveSum, Figures> of, String header, Unit unit, String doc) {
        Map<String, ToDoubleFunction<Figures>> statistics = new LinkedHashMap<>();
        statistics.put("mean", Figures::mean);
        statistics.put("median", Figures::median);
        statistics.put("min", Figures::min);
        statistics.put("max", Figures::max);
        statistics.forEach((word, statistic) -> fields.add(
                ColumnSpec.real(header + "_" + word, unit, unit, doc + " Missing when unknown."),
                r -> SweepTimelines.orNull(statistic.applyAsDouble(of.apply(r.sum)))));
    }

    /** {@code NCCL_Best}: for each operation the configuration with the shortest mean latency. */
    public Table best() {
        return new Fields<Operation>()
                .add(ColumnSpec.text("operation_id", "Number of the operation."), this::id)
                .add(ColumnSpec.text("operation_name", "What it is, in words."), Operation::words)
                .add(
                        ColumnSpec.text(
                                "best config", "Configuration with the shortest mean latency, of several the first."),
                        o -> named(extreme(o, false)))
                .add(microseconds("best (µs)", "Mean latency there."), o -> at(o, extreme(o, false)))
                .add(
                        ColumnSpec.text(
                                "worst config",
                                "Configuration with the longest; missing where none takes longer than the best."),
                        o -> named(worst(o)))
                .add(microseconds("worst (µs)", "Mean latency there; missing likewise."), o -> at(o, worst(o)))
                .add(
                        ColumnSpec.percent("worst to best %", "How much longer the worst takes than the best."),
                        this::spread)
                .add(
                        ColumnSpec.count("configs", "Configurations that have the operation."),
                        o -> points.stream()
                                .filter(p -> !Double.isNaN(latency(o, p)))
                                .count())
                .table("NCCL_Best", "Best configuration of each operation", operations());
    }

    /** {@code NCCL_By_Config}: latency of all collectives of a configuration. */
    public Table byConfiguration() {
        Map<String, Sum> totals = new LinkedHashMap<>();
        points.forEach(point -> totals.put(point.label(), new Sum()));
        rows.forEach(
                row -> Objects.requireNonNull(totals.get(row.point.label())).add(row));
        return new Fields<RunSummary>()
                .add(SweepTimelines.configuration(), RunSummary::label)
                .add(ColumnSpec.count("count", "Number of collectives."), p -> Math.round(sum(totals, p).count))
                .add(
                        ColumnSpec.real(
                                ColumnNames.TOTAL_COMM_LATENCY_MS,
                                Unit.MILLISECONDS,
                                Unit.MILLISECONDS,
                                "Sum of latencies, without waiting; missing where no collective was reported."),
                        p -> sum(totals, p).count == 0 ? null : (Double) (sum(totals, p).microseconds / US_PER_MS))
                .table("NCCL_By_Config", "Collectives by configuration", points);
    }

    private static Sum sum(Map<String, Sum> totals, RunSummary point) {
        return Objects.requireNonNull(totals.get(point.label()));
    }

    private @Nullable RunSummary extreme(Operation operation, boolean longest) {
        RunSummary found = null;
        double value = Double.NaN;
        for (RunSummary point : points) {
            double latency = latency(operation, point);
            if (!Double.isNaN(latency) && (found == null || (longest ? latency > value : latency < value))) {
                found = point;
                value = latency;
            }
        }
        return found;
    }

    /** Where an operation takes longest, null where it takes no longer than in the best configuration. */
    private @Nullable RunSummary worst(Operation operation) {
        RunSummary longest = extreme(operation, true);
        return Objects.equals(longest, extreme(operation, false)) ? null : longest;
    }

    private @Nullable Double at(Operation operation, @Nullable RunSummary point) {
        return point == null ? null : SweepTimelines.orNull(latency(operation, point));
    }

    private @Nullable Double spread(Operation operation) {
        Double best = at(operation, extreme(operation, false));
        Double longest = at(operation, extreme(operation, true));
        return best == null || longest == null || best <= 0 ? null : (Double) (100 * (longest / best - 1));
    }

    private static @Nullable String named(@Nullable RunSummary point) {
        return point == null ? null : point.label();
    }

    private static ColumnSpec microseconds(String header, String doc) {
        return ColumnSpec.real(header, Unit.MICROSECONDS, Unit.MICROSECONDS, doc);
    }

    private static Operation operation(CollectiveSum sum) {
        return operation(sum.key(), sum.bytes());
    }

    private static Operation operation(CallKey key, double bytes) {
        return new Operation(
                key.name(),
                key.dtype(),
                key.inElements(),
                key.group(),
                key.groupRanks(),
                key.groupSize(),
                bytes / Unit.MEBIBYTES.scale());
    }

    private static @Nullable String text(String text) {
        return text.isEmpty() ? null : text;
    }
}
