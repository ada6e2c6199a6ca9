// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.RankBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;

/** The figures that stand on the dashboard: parts of timelines, then what collectives come to. */
final class Metrics {
    private static final double BYTES_PER_GB = 1e9;

    private final int runs;
    private final TimelineComparison timelines;
    private final CollectiveComparison collectives;

    Metrics(int runs, TimelineComparison timelines, CollectiveComparison collectives) {
        this.runs = runs;
        this.timelines = timelines;
        this.collectives = collectives;
    }

    List<Metric> all() {
        List<Metric> metrics = new ArrayList<>();
        for (String type : timelines.types()) {
            metrics.add(part(type));
        }
        if (timelines.types().contains(RankBreakdown.COMMUNICATION)) {
            metrics.add(hidden());
        }
        if (!collectives.keys().isEmpty()) {
            metrics.add(plain("collectives: sum of latencies", "ms", false, collectives::totalMs));
            metrics.add(plain(
                    "collectives: bus bandwidth over all",
                    "GB/s",
                    true,
                    run -> collectives.busBandwidth(run) / BYTES_PER_GB));
            metrics.add(plain("collectives: mean skew of starts", "µs", false, collectives::meanSkew));
        }
        return metrics;
    }

    private Metric part(String type) {
        List<Double> values = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            values.add(timelines.average(run, type));
            if (run > 0) {
                changes.add(timelines.row(run, type).change());
            }
        }
        return new Metric(type, "ms", false, values, changes);
    }

    /** The share of communication that runs while something else does, over the ranks that both have. */
    private Metric hidden() {
        List<Double> values = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            values.add(Averaging.MEAN.of(hidden(run, timelines.ranks(run))));
            if (run > 0) {
                SortedSet<Integer> shared = new TreeSet<>(timelines.ranks(0));
                shared.retainAll(timelines.ranks(run));
                double[] base = hidden(0, shared);
                double[] own = hidden(run, shared);
                double from = Averaging.MEAN.of(base);
                double to = Averaging.MEAN.of(own);
                Confidence steps = LongRunMeans.of(
                                List.of(timelines.hiddenBySteps(0, shared), timelines.hiddenBySteps(run, shared)))
                        .difference(1, 0, 1);
                changes.add(new Change(from, to, steps.about(to - from, 1), true));
            }
        }
        return new Metric("communication that is hidden", "%", true, values, changes);
    }

    private double[] hidden(int run, SortedSet<Integer> ranks) {
        double[] exposed = timelines.times(run, RankBreakdown.EXPOSED, ranks);
        double[] all = timelines.times(run, RankBreakdown.COMMUNICATION, ranks);
        for (int i = 0; i < all.length; i++) {
            all[i] = all[i] > 0 ? 100 * (1 - exposed[i] / all[i]) : Double.NaN;
        }
        return all;
    }

    private Metric plain(String name, String unit, boolean moreIsBetter, IntToDoubleFunction value) {
        List<Double> values = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            boolean known = !collectives.samples(run).isEmpty();
            values.add(known ? value.applyAsDouble(run) : Double.NaN);
            if (run > 0) {
                changes.add(new Change(values.getFirst(), values.get(run), Confidence.UNKNOWN, moreIsBetter));
            }
        }
        return new Metric(name, unit, moreIsBetter, values, changes);
    }
}
