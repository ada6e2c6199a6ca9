// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.table.DoubleList;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Timelines of devices side by side. A rank is compared with the same rank of the baseline, because ranks of a run wait for
 * one another: the interval of a difference is that of the mean of differences over the ranks that both have.
 */
final class TimelineComparison {
    /**
     * A part of the timeline of a run.
     *
     * @param run place of the run
     * @param type the part
     * @param ranks its ranks
     * @param average in ms
     * @param percent share of the total, of averages
     * @param spread over ranks, ms
     * @param interval of the arithmetic mean, ms
     */
    record Stat(
            int run,
            String type,
            int ranks,
            double average,
            double percent,
            RealDistribution spread,
            Confidence interval) {}

    /**
     * A part beside that of the baseline.
     *
     * @param run place of the run
     * @param type the part
     * @param ranks ranks that both have
     * @param change of averages over these ranks, ms
     */
    record Row(int run, String type, int ranks, Change change) {}

    /**
     * A part on one rank beside that of the baseline.
     *
     * @param run place of the run
     * @param rank number of the rank, in one of the two runs at least
     * @param type the part
     * @param change of the times, ms
     */
    record RankRow(int run, int rank, String type, Change change) {}

    private static final Confidence NOT_KNOWN = new Confidence(1, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    private static final List<String> ORDER = List.of(
            RankBreakdown.TOTAL,
            "busy_time",
            "computation_time",
            RankBreakdown.EXPOSED,
            "exposed_memcpy_time",
            "exposed_other_time",
            "idle_time",
            "micro_idle_time",
            "macro_idle_time",
            RankBreakdown.COMMUNICATION,
            "total_memcpy_time");

    private final List<RunBreakdown> runs;
    private final Averaging averaging;
    private final boolean perStep;

    TimelineComparison(List<RunSummary> runs, Averaging averaging) {
        this.runs = runs.stream().map(RunSummary::times).toList();
        this.averaging = averaging;
        this.perStep = RunBreakdown.differInSteps(this.runs);
    }

    /** Whether times are those of a step, because the runs recorded different numbers of them. */
    boolean perStep() {
        return perStep;
    }

    /** By what times of a run are divided. */
    double divisor(int run) {
        return perStep ? runs.get(run).steps() : 1;
    }

    List<String> types() {
        return RunBreakdown.parts(runs, ORDER);
    }

    SortedSet<Integer> ranks(int run) {
        return runs.get(run).ranks();
    }

    /** Whether anything is known of a run's timelines, and so of every part of them. */
    boolean has(int run) {
        return !runs.get(run).isEmpty();
    }

    double[] times(int run, String type, SortedSet<Integer> ranks) {
        double[] times = runs.get(run).of(type, ranks);
        for (int i = 0; i < times.length; i++) {
            times[i] /= divisor(run);
        }
        return times;
    }

    double time(int run, String type, int rank) {
        return runs.get(run).of(type, rank) / divisor(run);
    }

    /** The average over all ranks of a run, ms; NaN when there is none. */
    double average(int run, String type) {
        return averaging.of(times(run, type, ranks(run)));
    }

    List<Stat> stats() {
        List<Stat> stats = new ArrayList<>();
        for (int run = 0; run < runs.size(); run++) {
            double total = average(run, RankBreakdown.TOTAL);
            for (String type : types()) {
                double[] times = times(run, type, ranks(run));
                RealDistribution spread = RealDistribution.of(list(times));
                double average = averaging.of(times);
                if (spread.count() > 0) {
                    stats.add(new Stat(
                            run,
                            type,
                            spread.count(),
                            average,
                            total > 0 ? 100 * average / total : Double.NaN,
                            spread,
                            Confidence.of(times)));
                }
            }
        }
        return stats;
    }

    List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int run = 1; run < runs.size(); run++) {
            for (String type : types()) {
                if (has(0) || has(run)) {
                    rows.add(row(run, type));
                }
            }
        }
        return rows;
    }

    /** A part of a run beside the baseline's, over the ranks that both have; without such over those of each alone. */
    Row row(int run, String type) {
        SortedSet<Integer> shared = ranks(0);
        shared.retainAll(ranks(run));
        if (shared.isEmpty()) {
            return new Row(run, type, 0, new Change(average(0, type), average(run, type), NOT_KNOWN, false));
        }
        double[] base = times(0, type, shared);
        double[] own = times(run, type, shared);
        double from = averaging.of(base);
        double[] differences = new double[base.length];
        for (int i = 0; i < differences.length; i++) {
            differences[i] = averaging == Averaging.GEOMETRIC ? Math.log(own[i] / base[i]) : own[i] - base[i];
            differences[i] = Double.isFinite(differences[i]) ? differences[i] : Double.NaN;
        }
        Confidence interval = Confidence.of(differences);
        if (averaging == Averaging.GEOMETRIC) {
            interval = new Confidence(
                    interval.count(),
                    from * Math.expm1(interval.mean()),
                    Double.NaN,
                    from * Math.expm1(interval.low()),
                    from * Math.expm1(interval.high()));
        }
        return new Row(run, type, shared.size(), new Change(from, averaging.of(own), interval, false));
    }

    List<RankRow> rankRows() {
        List<RankRow> rows = new ArrayList<>();
        for (int run = 1; run < runs.size(); run++) {
            SortedSet<Integer> all = new TreeSet<>(ranks(0));
            all.addAll(ranks(run));
            for (int rank : all) {
                for (String type : types()) {
                    double base = runs.getFirst().of(type, rank) / divisor(0);
                    double own = runs.get(run).of(type, rank) / divisor(run);
                    if (!Double.isNaN(base) || !Double.isNaN(own)) {
                        rows.add(new RankRow(run, rank, type, new Change(base, own, NOT_KNOWN, false)));
                    }
                }
            }
        }
        return rows;
    }

    private static DoubleList list(double[] values) {
        DoubleList list = new DoubleList(values.length);
        for (double value : values) {
            list.add(value);
        }
        return list;
    }
}
