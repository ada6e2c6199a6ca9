// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.CounterSamples;
import dev.lockstep.analyze.hardware.CounterSeries;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Chart.Axis;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.table.DoubleList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pictures of what counters said over time: one for each counter, with a line for each device or process that has it. */
final class CounterCharts {
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_CHARTS = 12;
    private static final int MOST_LINES = 8;
    /** A line of more samples is drawn through the least and the most of equally many of them. */
    private static final int MOST_PARTS = 150;

    private static final class Samples {
        private final LongList times = new LongList(64);
        private final DoubleList values = new DoubleList(64);

        private Points line(String name, String counter, long begin, Evidence row) {
            int[] order = new int[times.size()];
            Arrays.setAll(order, i -> i);
            LongOrder.sort(times.toArray(), order);
            DoubleList x = new DoubleList(2 * MOST_PARTS);
            DoubleList y = new DoubleList(2 * MOST_PARTS);
            int parts = order.length <= 2 * MOST_PARTS ? order.length : MOST_PARTS;
            for (int part = 0; part < parts; part++) {
                int from = (int) ((long) part * order.length / parts);
                int to = (int) ((part + 1L) * order.length / parts);
                int least = from;
                int most = from;
                for (int i = from; i < to; i++) {
                    least = values.get(order[i]) < values.get(order[least]) ? i : least;
                    most = values.get(order[i]) > values.get(order[most]) ? i : most;
                }
                add(order[Math.min(least, most)], begin, x, y);
                if (least != most) {
                    add(order[Math.max(least, most)], begin, x, y);
                }
            }
            double[] weight = new double[x.size()];
            Arrays.fill(weight, 1);
            return new Points(
                    name,
                    true,
                    x.toArray(),
                    y.toArray(),
                    weight,
                    Collections.nCopies(weight.length, counter),
                    Collections.nCopies(weight.length, row));
        }

        private void add(int sample, long begin, DoubleList x, DoubleList y) {
            x.add((times.get(sample) - begin) / NS_PER_MS);
            y.add(values.get(sample));
        }
    }

    private final List<CounterSeries.Row> rows;
    private final Trace trace;
    private final AnalysisRules rules;

    /** By counter, then by whose it is; empty until a picture is drawn. */
    private final Map<String, Map<String, Samples>> counters = new TreeMap<>();

    private CounterCharts(List<CounterSeries.Row> rows, Trace trace, AnalysisRules rules) {
        this.rows = rows;
        this.trace = trace;
        this.rules = rules;
    }

    /** The pictures of the counters that change, by name, the first twelve of them; drawn where a page shows them. */
    static List<ChartSection> of(CounterSeries.Result series, Trace trace, AnalysisRules rules) {
        CounterCharts charts = new CounterCharts(series.rows(), trace, rules);
        return series.rows().stream()
                .filter(row -> row.values().min() < row.values().max())
                .map(CounterCharts::counter)
                .distinct()
                .sorted()
                .limit(MOST_CHARTS)
                .map(counter -> new ChartSection(() -> charts.chart(counter), true))
                .toList();
    }

    private static String counter(CounterSeries.Row row) {
        return counter(row.name().counter(), row.name().value());
    }

    private static String counter(String name, String value) {
        return name.startsWith(value) ? name : name + " " + value;
    }

    private void collect() {
        CounterSamples.each(trace, rules, (mark, process, value, number) -> {
            String counter = counter(trace.strings().get(trace.marks().name(mark)), value);
            Samples samples = counters.computeIfAbsent(counter, c -> new TreeMap<>())
                    .computeIfAbsent(process, p -> new Samples());
            samples.times.add(trace.marks().ts(mark));
            samples.values.add(number);
        });
    }

    private Scatter chart(String counter) {
        if (counters.isEmpty()) {
            collect();
        }
        long begin = trace.slices().size() == 0 ? 0 : trace.slices().ts(0);
        List<Points> lines = new ArrayList<>();
        Map<String, Samples> ofProcesses = counters.getOrDefault(counter, Map.of());
        ofProcesses.entrySet().stream()
                .limit(MOST_LINES)
                .forEach(one -> lines.add(one.getValue()
                        .line(
                                one.getKey(),
                                counter,
                                begin,
                                Evidence.Rows.of(
                                        "counters",
                                        rows,
                                        row -> counter(row).equals(counter)
                                                && row.name().process().equals(one.getKey())))));
        String left = ofProcesses.size() > MOST_LINES
                ? " The first " + MOST_LINES + " of " + ofProcesses.size() + " are shown."
                : "";
        return new Scatter(
                counter,
                "The counter over time, in the unit that its name says. Of many samples the least and the most of each"
                        + " part are shown; the sheet counters has the others, and all are rows of the timeline."
                        + left,
                new Axis("ms since the first slice", false),
                new Axis(counter, false),
                lines,
                List.of());
    }
}
