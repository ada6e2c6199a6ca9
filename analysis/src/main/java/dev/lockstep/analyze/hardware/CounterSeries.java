// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.Launchers;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.Fields;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the trace, each as a series of samples, and by the operators whose device activity ran meanwhile. A sample holds
 * until the next of its series; the last as long as the one before it. A counter of one device ({@code GPU 3 Counters}) is
 * compared with that device's activity, others with all. Where the counters are of a device that the activity does not name,
 * and there is but one of each, the two are one.
 *
 * @param rules definitions
 */
public record CounterSeries(AnalysisRules rules) implements Analysis<CounterSeries.Result> {
    /**
     * What a series is called.
     *
     * @param process whose counter it is, as in {@code GPU 0 Counters} or {@code HBM}
     * @param counter its name
     * @param value which of its values; empty where it has one without a name
     */
    public record Name(String process, String counter, String value) implements Comparable<Name> {
        @Override
        public int compareTo(Name o) {
            int c = process.compareTo(o.process);
            c = c != 0 ? c : counter.compareTo(o.counter);
            return c != 0 ? c : value.compareTo(o.value);
        }
    }

    /** A series; {@code intervalNs} is the median time between samples, NaN for a single one. */
    public record Row(Name name, RealDistribution values, double p95, double intervalNs) {}

    /**
     * A series while an operator's device activity ran.
     *
     * @param operator that launched the activity
     * @param samples in whose time any of it ran
     * @param alone how many of these in whose time no other operator's ran
     */
    public record OperatorRow(
            String operator, Name name, RealDistribution values, double p95, int samples, int alone) {}

    /** By name; by operator with most samples. */
    public record Result(List<Row> rows, List<OperatorRow> operators) implements AnalysisResult {
        public Result {
            rows = List.copyOf(rows);
            operators = List.copyOf(operators);
        }

        @Override
        public List<Table> tables() {
            List<Table> tables = new ArrayList<>();
            if (!rows.isEmpty()) {
                tables.add(series(rows));
            }
            if (!operators.isEmpty()) {
                tables.add(byOperator(operators));
            }
            return tables;
        }

        @Override
        public @Nullable String notApplicable() {
            return rows.isEmpty() ? "the trace has no counters" : null;
        }
    }

    private static final class Samples {
        private final LongList times = new LongList(64);
        private final DoubleList values = new DoubleList(64);
    }

    /** Merges put the rank in front. */
    private static final Pattern DEVICE = Pattern.compile("(?:rank \\d+: )?GPU (\\d{1,6})\\b.*");

    private static final double P95 = 0.95;
    /** Series that are compared with operators; no recorder has as many counters. */
    private static final int MOST_BY_OPERATOR = 500;
    /** Operators, those with most samples, that a series is compared with. */
    private static final int MOST_OPERATORS = 1000;

    private static final String UNKNOWN = "(no known launch)";

    @Override
    public String id() {
        return "counters";
    }

    @Override
    public Result run(DerivedCache cache) {
        Trace trace = cache.trace();
        Map<Name, Samples> series = new TreeMap<>();
        collect(trace, series);
        List<Row> rows = new ArrayList<>();
        List<OperatorRow> operators = new ArrayList<>();
        boolean several = series.keySet().stream()
                        .mapToInt(name -> deviceOf(name.process))
                        .filter(device -> device >= 0)
                        .distinct()
                        .count()
                > 1;
        Set<String> active = Set.copyOf(cache.get(rules.activity()).devices());
        series.forEach((name, samples) -> {
            int[] order = inOrder(samples);
            rows.add(row(name, samples, order));
            if (rows.size() <= MOST_BY_OPERATOR && isKnown(active, name, several)) {
                addOperators(cache, name, samples, order, operators);
            }
        });
        operators.sort(Comparator.comparingInt((OperatorRow row) -> -row.samples)
                .thenComparing(OperatorRow::operator)
                .thenComparing(OperatorRow::name));
        return new Result(rows, operators);
    }

    private void collect(Trace trace, Map<Name, Samples> series) {
        CounterSamples.each(trace, rules, (mark, process, value, number) -> {
            Name name = new Name(process, trace.strings().get(trace.marks().name(mark)), value);
            Samples samples = series.computeIfAbsent(name, n -> new Samples());
            samples.times.add(trace.marks().ts(mark));
            samples.values.add(number);
        });
    }

    /** {@return number of the device that the counters of a process are of, -1 where its name does not say it} */
    public static int deviceOf(String process) {
        Matcher device = DEVICE.matcher(process);
        return device.matches() ? Integer.parseInt(device.group(1)) : -1;
    }

    /** Whether it is known of which activity the counters of a name are. */
    private static boolean isKnown(Set<String> active, Name name, boolean several) {
        int device = deviceOf(name.process);
        return device < 0 || active.contains(Integer.toString(device)) || active.size() == 1 && !several;
    }

    /** By time; samples of one moment by their values, since their places in the file say nothing. */
    private static int[] inOrder(Samples samples) {
        int[] order = new int[samples.times.size()];
        long[] keys = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
            long bits = Double.doubleToLongBits(samples.values.get(i));
            keys[i] = bits < 0 ? bits ^ Long.MAX_VALUE : bits;
        }
        LongOrder.sort(keys, order);
        for (int i = 0; i < order.length; i++) {
            keys[i] = samples.times.get(order[i]);
        }
        LongOrder.sort(keys, order);
        return order;
    }

    private static Row row(Name name, Samples samples, int[] order) {
        DoubleList between = new DoubleList(order.length);
        for (int i = 1; i < order.length; i++) {
            between.add((double) (samples.times.get(order[i]) - samples.times.get(order[i - 1])));
        }
        return new Row(
                name,
                RealDistribution.of(samples.values),
                p95(samples.values),
                between.size() == 0 ? Double.NaN : RealDistribution.of(between).median());
    }

    private static double p95(DoubleList values) {
        double[] sorted = values.toArray();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(P95 * sorted.length) - 1)];
    }

    private void addOperators(
            DerivedCache cache, Name name, Samples samples, int[] order, List<OperatorRow> operators) {
        Slices slices = cache.trace().slices();
        DeviceActivity activity = cache.get(new DeviceActivity.Key(rules.kernels(), null));
        Launchers launchers = cache.get(rules.launchers());
        int device = deviceOf(name.process);
        String only = activity.devices().contains(Integer.toString(device)) ? Integer.toString(device) : null;
        OperatorSamples shared = new OperatorSamples(
                Arrays.stream(order).mapToLong(samples.times::get).toArray());
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (only == null
                    || only.equals(activity.streams().get(activity.streamOf(i)).device())) {
                int launcher = launchers.launcherOf(slice);
                String operator = launcher < 0 ? UNKNOWN : cache.trace().name(launcher);
                shared.add(operator, slices.ts(slice), slices.end(slice));
            }
        }
        int[] alone = shared.alone();
        shared.operators().stream()
                .limit(MOST_OPERATORS)
                .forEach(covered -> operators.add(row(name, covered, samples, order, alone)));
    }

    private static OperatorRow row(
            Name name, OperatorSamples.Covered covered, Samples samples, int[] order, int[] alone) {
        DoubleList values = new DoubleList(covered.samples());
        IntList ranges = covered.ranges();
        int own = 0;
        for (int i = 0; i < ranges.size(); i += 2) {
            own += alone[ranges.get(i + 1)] - alone[ranges.get(i)];
            for (int sample = ranges.get(i); sample < ranges.get(i + 1); sample++) {
                values.add(samples.values.get(order[sample]));
            }
        }
        return new OperatorRow(
                covered.operator(), name, RealDistribution.of(values), p95(values), covered.samples(), own);
    }

    private static ColumnSpec number(String header, String doc) {
        return real(header, Unit.NONE, Unit.NONE, doc);
    }

    private static Table series(List<Row> rows) {
        return new Fields<Row>()
                .add(text("process", "Whose counter it is, as the trace calls it."), r -> r.name.process)
                .add(text("counter", "Name of the counter."), r -> r.name.counter)
                .add(text("value", "Which of its values; empty where it has one without a name."), r -> r.name.value)
                .add(ColumnSpec.count("samples", "Number of samples."), r -> r.values.count())
                .add(number("mean", "Mean of the samples, in the counter's unit."), r -> r.values.mean())
                .add(number("min", "Smallest sample."), r -> r.values.min())
                .add(number("median", "Median of the samples."), r -> r.values.median())
                .add(number("p95", "As much or less in 95 % of the samples."), Row::p95)
                .add(number("max", "Largest sample."), r -> r.values.max())
                .add(
                        real(
                                "interval us",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "Median time from one sample to the next; missing for a single one."),
                        Row::intervalNs)
                .table("counters", "Counters", rows);
    }

    private static Table byOperator(List<OperatorRow> rows) {
        return new Fields<OperatorRow>()
                .add(text("operator", "What launched the device activity."), OperatorRow::operator)
                .add(text("process", "Whose counter it is, as the trace calls it."), r -> r.name.process)
                .add(text("counter", "Name of the counter."), r -> r.name.counter)
                .add(text("value", "Which of its values; empty where it has one without a name."), r -> r.name.value)
                .add(
                        ColumnSpec.count(
                                "samples",
                                "Samples during which any of that activity ran; a sample holds until the next."),
                        OperatorRow::samples)
                .add(
                        percent(
                                "exclusive %",
                                "Share of these samples during which no other operator's activity ran: the higher, the"
                                        + " more the values are the operator's own."),
                        r -> 100.0 * r.alone / r.samples)
                .add(number("mean", "Mean of these samples, in the counter's unit."), r -> r.values.mean())
                .add(number("p95", "As much or less in 95 % of these samples."), OperatorRow::p95)
                .table("counters_by_op", "Counters by operator", rows);
    }
}
