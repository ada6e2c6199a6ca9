// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.sweep.SweepCollectives.Operation;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Heat;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Pictures of a sweep: where the time of each configuration goes, by its settings, and how long collectives take. */
public final class SweepCharts {
    private static final int MOST_ROWS = 60;
    private static final List<String> NAMES = List.of(
            "computation",
            "exposed communication",
            "exposed copies",
            "other",
            "idle",
            "short idle gaps",
            "long idle gaps");

    private SweepCharts() {}

    /** The pictures; what stands for a configuration leads to its slowest rank. */
    public static List<Chart> of(SweepTimelines timelines, SweepCollectives collectives, SweepRanks ranks) {
        List<Chart> charts = new ArrayList<>();
        if (!timelines.isEmpty()) {
            charts.add(breakdown(timelines, ranks));
            charts.add(matrix(timelines, TimelinePartNames.TOTAL_TIME, "Span of device activity by setting", ranks));
            charts.add(
                    matrix(timelines, TimelinePartNames.EXPOSED_COMM_TIME, "Exposed communication by setting", ranks));
        }
        if (!collectives.isEmpty()) {
            charts.add(latencies(timelines.points(), collectives));
        }
        return charts;
    }

    private static StackedBars breakdown(SweepTimelines timelines, SweepRanks ranks) {
        List<Integer> shown = new ArrayList<>();
        for (int part = 0; part < RankBreakdown.SHARES.size(); part++) {
            String type = RankBreakdown.SHARES.get(part);
            if (timelines.points().stream().anyMatch(p -> value(timelines, p, type) > 0)) {
                shown.add(part);
            }
        }
        List<Bar> bars = new ArrayList<>();
        for (RunSummary point : timelines.points()) {
            double[] values = shown.stream()
                    .mapToDouble(part -> Math.max(0, value(timelines, point, RankBreakdown.SHARES.get(part))))
                    .toArray();
            bars.add(new Bar(point.label(), values, ranks.slowest(point)));
        }
        return new StackedBars(
                "Time of each configuration",
                "Mean over ranks of the parts of the span between the first and the last device activity; a"
                        + " configuration without a bar has no reports.",
                "ms",
                shown.stream().map(NAMES::get).toList(),
                bars);
    }

    private static double value(SweepTimelines timelines, RunSummary point, String type) {
        SweepTimelines.Row row = timelines.row(point, type);
        return row == null ? 0 : row.time();
    }

    /** How far above the least the whole time is, so that small differences can be seen; of a part, the time itself. */
    private static Heat matrix(SweepTimelines timelines, String type, String title, SweepRanks ranks) {
        boolean relative = type.equals(TimelinePartNames.TOTAL_TIME);
        List<RunSummary> points = timelines.points();
        double least = points.stream()
                .map(point -> timelines.row(point, type))
                .filter(Objects::nonNull)
                .mapToDouble(SweepTimelines.Row::time)
                .min()
                .orElse(Double.NaN);
        List<Integer> threads =
                points.stream().map(RunSummary::threads).distinct().sorted().toList();
        List<Integer> channels =
                points.stream().map(RunSummary::channels).distinct().sorted().toList();
        double[][] values = new double[threads.size()][channels.size()];
        for (double[] row : values) {
            Arrays.fill(row, Double.NaN);
        }
        List<Evidence> leads =
                new ArrayList<>(Collections.nCopies(threads.size() * channels.size(), Evidence.nowhere()));
        for (RunSummary point : points) {
            SweepTimelines.Row row = timelines.row(point, type);
            if (row != null) {
                int thread = threads.indexOf(point.threads());
                int channel = channels.indexOf(point.channels());
                values[thread][channel] = relative ? 100 * (row.time() / least - 1) : row.time();
                leads.set(thread * channels.size() + channel, ranks.orNowhere(point));
            }
        }
        return new Heat(
                title,
                (relative ? "Percent above the fastest, of means over ranks." : "Mean over ranks.")
                        + " Rows are threads per block, columns channels; a cell without a value was not reported.",
                relative ? "%" : "ms",
                threads.stream().map(t -> t + " threads").toList(),
                channels.stream().map(c -> c + " ch").toList(),
                values,
                Chart.Scale.LOSS,
                leads);
    }

    /** Ratio to the fastest, so that collectives of all sizes share one scale. */
    private static Heat latencies(List<RunSummary> points, SweepCollectives collectives) {
        List<Operation> operations = collectives.operations();
        List<Operation> shown = operations.subList(Math.max(0, operations.size() - MOST_ROWS), operations.size());
        double[][] values = new double[shown.size()][points.size()];
        List<Evidence> leads = new ArrayList<>();
        for (int row = 0; row < shown.size(); row++) {
            Operation operation = shown.get(row);
            ToDoubleFunction<RunSummary> latency = p -> collectives.latency(operation, p);
            double best = points.stream()
                    .mapToDouble(latency)
                    .filter(v -> v > 0)
                    .min()
                    .orElse(Double.NaN);
            for (int column = 0; column < points.size(); column++) {
                values[row][column] = 100 * (latency.applyAsDouble(points.get(column)) / best - 1);
                leads.add(collectives.row(operation, points.get(column)));
            }
        }
        return new Heat(
                "Latency of collectives by size and configuration",
                "Percent that the mean latency is above that of the best configuration for the same collective; 0 is"
                        + " the best."
                        + (shown.size() < operations.size() ? " The " + MOST_ROWS + " largest." : ""),
                "%",
                shown.stream().map(Operation::words).toList(),
                points.stream().map(RunSummary::label).toList(),
                values,
                Chart.Scale.LOSS,
                leads);
    }
}
