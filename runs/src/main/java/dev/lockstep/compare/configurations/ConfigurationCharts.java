// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Axis;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Evidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Configurations side by side as pictures. */
final class ConfigurationCharts {
    private static final int MOST_HEATS = 8;
    private static final int MOST_CALLS = 40;
    private static final double BYTES_PER_GB = 1e9;

    private ConfigurationCharts() {}

    static List<Chart> of(
            List<String> labels, List<Place> places, TimelineComparison timelines, CollectiveComparison collectives) {
        List<Chart> charts = new ArrayList<>();
        if (!places.isEmpty()) {
            charts.add(parts(places, timelines));
        }
        for (int line = 0; line < places.size(); line++) {
            Place place = places.get(line);
            if (place.run() > 0 && !place.parts().isEmpty() && charts.size() <= MOST_HEATS) {
                charts.add(waterfall(place, labels.getFirst(), configurations(line), timelines.rows()));
            }
        }
        for (int run = 1; run < Math.min(labels.size(), MOST_HEATS + 1); run++) {
            if (!timelines.ranks(0).isEmpty() && !timelines.ranks(run).isEmpty()) {
                charts.add(heat(labels, run, timelines));
            }
        }
        if (!collectives.keys().isEmpty()) {
            charts.add(bandwidths(labels, collectives));
            charts.add(latencies(labels, collectives));
        }
        return charts;
    }

    private static Chart parts(List<Place> places, TimelineComparison timelines) {
        List<String> types = RankBreakdown.SHARES.stream()
                .filter(timelines.types()::contains)
                .toList();
        List<Bar> bars = new ArrayList<>();
        for (Place place : places) {
            bars.add(new Bar(
                    place.label(),
                    types.stream()
                            .mapToDouble(type -> zeroIfUnknown(timelines.average(place.run(), type)))
                            .toArray(),
                    configurations(bars.size())));
        }
        return new Chart.StackedBars(
                "Parts of the total time",
                "Averages over ranks, the fastest configuration first"
                        + (timelines.perStep() ? "; time of a step." : "."),
                "ms",
                types,
                bars);
    }

    private static Evidence configurations(int line) {
        return new Evidence.Rows("configurations", List.of(line));
    }

    private static Chart waterfall(Place place, String baseline, Evidence whole, List<TimelineComparison.Row> changes) {
        List<Chart.Contribution> steps = new ArrayList<>();
        double explained = 0;
        for (Place.Part part : place.parts()) {
            Evidence row = Evidence.Rows.of(
                    "timeline_change",
                    changes,
                    one -> one.run() == place.run() && one.type().equals(part.type()));
            steps.add(new Chart.Contribution(part.type(), part.differenceMs(), row));
            explained += part.differenceMs();
        }
        double rest = place.change().difference() - explained;
        if (Math.abs(rest) > 1e-6 * Math.abs(place.change().baseline())) {
            steps.add(new Chart.Contribution("(other)", rest, whole));
        }
        return new Chart.Waterfall(
                "From " + baseline + " to " + place.label(),
                "What each part of the timeline adds to the difference in total time, over the ranks that both have.",
                "ms",
                baseline,
                place.change().baseline(),
                place.label(),
                steps,
                whole);
    }

    private static Chart heat(List<String> labels, int run, TimelineComparison timelines) {
        SortedSet<Integer> ranks = new TreeSet<>(timelines.ranks(0));
        ranks.retainAll(timelines.ranks(run));
        List<Integer> columns = List.copyOf(ranks);
        List<String> types = timelines.types();
        double[][] values = new double[types.size()][columns.size()];
        for (double[] cells : values) {
            Arrays.fill(cells, Double.NaN);
        }
        Evidence[] leads = nowhere(types.size() * columns.size());
        List<TimelineComparison.RankRow> rows = timelines.rankRows();
        for (int line = 0; line < rows.size(); line++) {
            TimelineComparison.RankRow row = rows.get(line);
            int column = columns.indexOf(row.rank());
            if (row.run() == run && column >= 0) {
                double total = timelines.time(0, RankBreakdown.TOTAL, row.rank());
                int type = types.indexOf(row.type());
                values[type][column] = total > 0 ? 100 * row.change().difference() / total : Double.NaN;
                leads[type * columns.size() + column] = new Evidence.Rows("timeline_change_by_rank", List.of(line));
            }
        }
        return new Chart.Heat(
                "Change by rank: " + labels.get(run) + " against " + labels.getFirst(),
                "Test minus baseline in percent of the baseline's total time on the rank: above 0 takes longer.",
                "% of total",
                types,
                columns.stream().map(rank -> "rank " + rank).toList(),
                values,
                Chart.Scale.CHANGE,
                List.of(leads));
    }

    private static Evidence[] nowhere(int cells) {
        Evidence[] leads = new Evidence[cells];
        Arrays.fill(leads, Evidence.nowhere());
        return leads;
    }

    private static Chart bandwidths(List<String> labels, CollectiveComparison collectives) {
        List<Points> series = new ArrayList<>();
        int before = 0;
        for (int run = 0; run < collectives.size(); run++) {
            List<CallKey> rows = List.copyOf(collectives.samples(run).keySet());
            int first = before;
            before += rows.size();
            List<Map.Entry<CallKey, CallSample>> known = collectives.samples(run).entrySet().stream()
                    .filter(e -> e.getValue().bytes() > 0 && e.getValue().busBandwidth() > 0)
                    .toList();
            series.add(new Points(
                    labels.get(run),
                    false,
                    known.stream().mapToDouble(e -> e.getValue().bytes()).toArray(),
                    known.stream()
                            .mapToDouble(e -> e.getValue().busBandwidth() / BYTES_PER_GB)
                            .toArray(),
                    known.stream().mapToDouble(e -> e.getValue().totalMs()).toArray(),
                    known.stream().map(e -> e.getKey().text()).toList(),
                    known.stream()
                            .<Evidence>map(e ->
                                    new Evidence.Rows("collective_spread", List.of(first + rows.indexOf(e.getKey()))))
                            .toList()));
        }
        return new Chart.Scatter(
                "Bus bandwidth of collectives by size",
                "A point for each collective of each configuration; its area is the time spent in it.",
                new Axis("size (bytes)", true),
                new Axis("bus bandwidth (GB/s)", true),
                series,
                List.of());
    }

    private static Chart latencies(List<String> labels, CollectiveComparison collectives) {
        List<CallKey> keys = collectives.keys().stream().limit(MOST_CALLS).toList();
        double[][] values = new double[keys.size()][labels.size() - 1];
        for (double[] row : values) {
            Arrays.fill(row, Double.NaN);
        }
        Evidence[] leads = nowhere(keys.size() * (labels.size() - 1));
        List<CollectiveComparison.Row> rows = collectives.rows();
        for (int line = 0; line < rows.size(); line++) {
            CollectiveComparison.Row row = rows.get(line);
            int place = keys.indexOf(row.key());
            if (place >= 0) {
                values[place][row.run() - 1] = row.latency().percent();
                leads[place * (labels.size() - 1) + row.run() - 1] =
                        new Evidence.Rows("collective_change", List.of(line));
            }
        }
        return new Chart.Heat(
                "Change of latency of collectives",
                "Test minus baseline in percent of the baseline: above 0 takes longer. Cells without a value: only one"
                        + " has it.",
                "%",
                keys.stream().map(CallKey::text).toList(),
                labels.subList(1, labels.size()),
                values,
                Chart.Scale.CHANGE,
                List.of(leads));
    }

    private static double zeroIfUnknown(double value) {
        return Double.isNaN(value) ? 0 : value;
    }
}
