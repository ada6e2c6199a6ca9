// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.configurations.CollectiveComparison.Row;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collectives side by side as tables. */
final class CollectiveChangeSheets {
    private static final Unit US = Unit.MICROSECONDS;

    private CollectiveChangeSheets() {}

    private record Sampled(int run, CallKey key, CallSample sample) {}

    static Table change(List<String> labels, CollectiveComparison collectives, Options options) {
        Fields<Row> fields = new Fields<Row>().add(ChangeColumns.configuration(), r -> labels.get(r.run()));
        addKey(fields, Row::key);
        fields.add(
                        ColumnSpec.count(ColumnNames.BASELINE_COUNT, "Collectives of the baseline."),
                        r -> r.baseline() == null ? 0 : r.baseline().count())
                .add(
                        ColumnSpec.count("test count", "Collectives of the configuration."),
                        r -> r.own() == null ? 0 : r.own().count());
        ChangeColumns.addValues(
                fields,
                "latency",
                US,
                Row::latency,
                "Mean over collectives of the shortest kernel among the ranks: without waiting for others.");
        ChangeColumns.addVerdict(fields, Row::latency, options.threshold(), ", over collectives");
        addBandwidth(fields);
        ChangeColumns.addValues(
                fields, "total latency", Unit.MILLISECONDS, Row::total, "Sum of latencies; 0 for who has none.");
        return fields.table("collective_change", "Collectives beside the baseline", collectives.rows());
    }

    private static void addBandwidth(Fields<Row> fields) {
        fields.add(
                        rate("baseline bus bw GB/s"),
                        r -> ChangeColumns.finite(r.bus().baseline()))
                .add(rate("test bus bw GB/s"), r -> ChangeColumns.finite(r.bus().own()))
                .add(
                        ChangeColumns.percent("bus bw"),
                        r -> ChangeColumns.finite(r.bus().percent()));
    }

    static Table spread(List<String> labels, CollectiveComparison collectives) {
        List<Sampled> rows = new ArrayList<>();
        for (int run = 0; run < collectives.size(); run++) {
            int own = run;
            collectives.samples(run).forEach((key, sample) -> rows.add(new Sampled(own, key, sample)));
        }
        Fields<Sampled> fields = new Fields<Sampled>()
                .add(ColumnSpec.text("configuration", "Name of the configuration."), s -> labels.get(s.run()));
        addKey(fields, Sampled::key);
        fields.add(
                        ColumnSpec.real("size MiB", Unit.BYTES, Unit.MEBIBYTES, "Size as bandwidths count it."),
                        s -> ChangeColumns.finite(s.sample().bytes()))
                .add(
                        ColumnSpec.count("count", "Number of collectives."),
                        s -> s.sample().count())
                .add(
                        us("latency mean us", "Shortest kernel among the ranks, mean."),
                        s -> ChangeColumns.finite(s.sample().mean()));
        addSpread(fields, "latency median us", "Of two in the middle the mean.", RealDistribution::median);
        addSpread(fields, "latency std us", "Sample standard deviation.", RealDistribution::std);
        addSpread(fields, "latency min us", "Shortest.", RealDistribution::min);
        addSpread(fields, "latency max us", "Longest.", RealDistribution::max);
        fields.add(
                        us("latency mean low us", "Lower end of the 95 % interval of the mean."),
                        s -> ChangeColumns.finite(s.sample().interval().low()))
                .add(
                        us("latency mean high us", "Upper end of it."),
                        s -> ChangeColumns.finite(s.sample().interval().high()))
                .add(
                        ChangeColumns.number("total latency ms", Unit.MILLISECONDS, "Sum of latencies."),
                        s -> s.sample().totalMs())
                .add(
                        us("skew of starts mean us", "What the last rank came after the first."),
                        s -> ChangeColumns.finite(s.sample().meanSkew()))
                .add(rate("algo bw GB/s"), s -> ChangeColumns.finite(s.sample().algorithmBandwidth()))
                .add(rate("bus bw GB/s"), s -> ChangeColumns.finite(s.sample().busBandwidth()));
        return fields.table("collective_spread", "Collectives of each configuration", rows);
    }

    private static void addSpread(
            Fields<Sampled> fields, String header, String doc, Function<RealDistribution, Double> value) {
        fields.add(
                us(header, doc + " Missing where only sums are known."),
                s -> ChangeColumns.finite(value.apply(s.sample().spread())));
    }

    private static <R> void addKey(Fields<R> fields, Function<R, CallKey> key) {
        fields.add(
                        ColumnSpec.text(ColumnNames.COLLECTIVE_NAME, "As the report calls it."),
                        r -> key.apply(r).name())
                .add(
                        ColumnSpec.text("dtype", "Element type; missing when not recorded."),
                        r -> orNull(key.apply(r).dtype()))
                .add(
                        ColumnSpec.count(
                                ColumnNames.IN_MSG_NELEMS, "Elements that a rank puts in; missing when not recorded."),
                        r -> orNull(key.apply(r).inElements()))
                .add(
                        ColumnSpec.count("Out msg nelems", "Elements that a rank gets out; missing when not recorded."),
                        r -> orNull(key.apply(r).outElements()))
                .add(
                        ColumnSpec.text("Process Group Name", "Name of the process group; missing when not recorded."),
                        r -> orNull(key.apply(r).group()))
                .add(
                        ColumnSpec.text(ColumnNames.PROCESS_GROUP_RANKS, "Its members; missing when not recorded."),
                        r -> orNull(key.apply(r).groupRanks()))
                .add(
                        ColumnSpec.count(ColumnNames.GROUP_SIZE, "Number of members; missing when unknown."),
                        r -> orNull(key.apply(r).groupSize()));
    }

    private static ColumnSpec us(String header, String doc) {
        return ChangeColumns.number(header, US, doc);
    }

    private static ColumnSpec rate(String header) {
        return ColumnSpec.real(
                header,
                Unit.BYTES_PER_SECOND,
                Unit.GIGABYTES_PER_SECOND,
                "Size over mean latency, in 10^9 bytes per second; bus: of it, what crosses a link. Missing without size.");
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Long orNull(long number) {
        return number < 0 ? null : (Long) number;
    }
}
