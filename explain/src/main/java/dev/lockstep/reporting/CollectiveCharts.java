// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.CollectiveSheets;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.analyze.comm.VariableAllToAll;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Axis;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Heat;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.LongColumn;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Pictures of collectives: who causes waiting, waiting over time, bandwidth by size. */
final class CollectiveCharts {
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_US = 1e3;
    private static final double BYTES_PER_GB = 1e9;
    private static final int MOST_BARS = 64;
    private static final int MOST_COLUMNS = 120;
    private static final int MOST_POINTS = 4_000;
    private static final int MOST_SERIES = 24;

    private CollectiveCharts() {}

    static List<Chart> of(Collectives collectives, List<Stragglers.Row> stragglers, VariableAllToAll variable) {
        List<Chart> charts = new ArrayList<>();
        if (stragglers.stream().anyMatch(row -> row.caused() > 0)) {
            charts.add(caused(stragglers));
            charts.add(waits(collectives, stragglers));
        }
        Scatter bandwidth = bandwidth(collectives);
        if (!bandwidth.series().isEmpty()) {
            charts.add(bandwidth);
        }
        Heat sent = variable.chart();
        if (sent != null) {
            charts.add(sent);
        }
        return charts;
    }

    private static StackedBars caused(List<Stragglers.Row> stragglers) {
        List<Bar> bars = new ArrayList<>();
        for (Stragglers.Row row : stragglers.subList(0, Math.min(MOST_BARS, stragglers.size()))) {
            long unknown = row.caused() - row.causedByHost() - row.causedByDevice();
            double[] parts = {row.causedByHost() / NS_PER_MS, row.causedByDevice() / NS_PER_MS, unknown / NS_PER_MS};
            bars.add(new Bar(
                    "rank " + row.rank(),
                    parts,
                    new Evidence.Rows(TableNames.STRAGGLER_SUMMARY, List.of(bars.size()))));
        }
        return new StackedBars(
                "Waiting caused by each rank",
                "Time that other ranks waited because this one came last, summed over them: until its host had launched"
                        + " the kernel, and from then until its device started it.",
                "ms",
                List.of("host late", "device late", "cause unknown"),
                bars,
                true);
    }

    /** Lateness of each rank against the first one, mean over collectives that follow one another. */
    private static Heat waits(Collectives collectives, List<Stragglers.Row> stragglers) {
        List<Collective> inTime = collectives.all().stream()
                .filter(Collective::waits)
                .sorted(Comparator.comparingLong(Collective::firstStart).thenComparingInt(Collective::instance))
                .toList();
        int columns = Math.min(MOST_COLUMNS, inTime.size());
        Map<Integer, Integer> line = new TreeMap<>();
        stragglers.stream()
                .limit(MOST_BARS)
                .map(Stragglers.Row::rank)
                .sorted()
                .forEach(rank -> line.put(rank, line.size()));
        double[][] sums = new double[line.size()][columns];
        int[][] counts = new int[line.size()][columns];
        for (int i = 0; i < inTime.size(); i++) {
            Collective c = inTime.get(i);
            int column = (int) ((long) i * columns / inTime.size());
            for (int m = 0; m < c.present(); m++) {
                Integer row = line.get(collectives
                        .rank(collectives.match().rank(c.instance(), m))
                        .rank());
                if (row != null && collectives.waitOf(c, m) != LongColumn.ABSENT) {
                    sums[row][column] += (collectives.start(c.instance(), m) - c.firstStart()) / NS_PER_US;
                    counts[row][column]++;
                }
            }
        }
        for (int row = 0; row < sums.length; row++) {
            for (int column = 0; column < columns; column++) {
                sums[row][column] = counts[row][column] == 0 ? Double.NaN : sums[row][column] / counts[row][column];
            }
        }
        Function<Collective, Evidence> rows = CollectiveSheets.rows(collectives);
        List<String> labels = new ArrayList<>();
        List<Evidence> leads = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            Collective first = inTime.get((int) (((long) column * inTime.size() + columns - 1) / columns));
            labels.add(first.id());
            leads.add(rows.apply(first));
        }
        return new Heat(
                "Lateness of ranks",
                "Time after the first rank, by rank and collective in order of time"
                        + (inTime.size() > columns ? "; neighbouring collectives share a column, by their mean." : "."),
                "µs",
                line.keySet().stream().map(rank -> "rank " + rank).toList(),
                labels,
                sums,
                Chart.Scale.LOSS,
                Collections.nCopies(line.size(), leads).stream()
                        .flatMap(List::stream)
                        .toList());
    }

    private static Scatter bandwidth(Collectives collectives) {
        Map<String, List<Collective>> ofGroups = new TreeMap<>();
        Map<String, List<Collective>> ofKinds = new TreeMap<>();
        for (Collective c : collectives.all()) {
            if (c.bytes() > 0 && c.busBandwidth() > 0) {
                String kind = c.call().kind().word();
                String group =
                        c.group().name().isEmpty() ? "" : ", group " + c.group().name();
                ofGroups.computeIfAbsent(kind + group, s -> new ArrayList<>()).add(c);
                ofKinds.computeIfAbsent(kind, s -> new ArrayList<>()).add(c);
            }
        }
        boolean few = ofGroups.size() <= MOST_SERIES;
        Map<String, List<Collective>> series = few ? ofGroups : ofKinds;
        int total = series.values().stream().mapToInt(List::size).sum();
        int stride = Math.max(1, total / MOST_POINTS);
        Function<Collective, Evidence> rows = CollectiveSheets.rows(collectives);
        List<Points> points = new ArrayList<>();
        series.forEach((name, members) -> points.add(points(name, members, stride, rows)));
        return new Scatter(
                "Bandwidth by size",
                "Bus bandwidth of each collective over its size, by kind" + (few ? " and process group" : "")
                        + "; a larger point took longer."
                        + (stride > 1 ? " One in " + stride + " is drawn." : ""),
                new Axis("size (bytes)", true),
                new Axis("bus bandwidth (GB/s)", true),
                points,
                List.of());
    }

    private static Points points(
            String name, List<Collective> members, int stride, Function<Collective, Evidence> rows) {
        int n = (members.size() + stride - 1) / stride;
        double[] x = new double[n];
        double[] y = new double[n];
        double[] weight = new double[n];
        String[] labels = new String[n];
        Evidence[] leads = new Evidence[n];
        for (int i = 0; i < n; i++) {
            Collective c = members.get(i * stride);
            x[i] = c.bytes();
            y[i] = c.busBandwidth() / BYTES_PER_GB;
            weight[i] = c.latency();
            labels[i] = c.id() + ": " + Words.time(c.latency());
            leads[i] = rows.apply(c);
        }
        return new Points(name, false, x, y, weight, Arrays.asList(labels), Arrays.asList(leads));
    }
}
