// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.analyze.TimelinePartNames;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Timelines of devices side by side, over the ranks that both runs have. Ranks of a run wait for one another and are no
 * repetitions: the interval of a difference comes from the scatter over steps, ranks together ({@link LongRunMeans}).
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
     * @param interval of the arithmetic mean, ms, by the scatter over steps
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

    private static final List<String> ORDER = List.of(
            RankBreakdown.TOTAL,
            TimelinePartNames.BUSY_TIME,
            TimelinePartNames.COMPUTATION_TIME,
            RankBreakdown.EXPOSED,
            TimelinePartNames.EXPOSED_MEMCPY_TIME,
            TimelinePartNames.EXPOSED_OTHER_TIME,
            TimelinePartNames.IDLE_TIME,
            TimelinePartNames.MICRO_IDLE_TIME,
            TimelinePartNames.MACRO_IDLE_TIME,
            RankBreakdown.COMMUNICATION,
            TimelinePartNames.TOTAL_MEMCPY_TIME);

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
                RealDistribution spread = RealDistribution.of(times);
                double average = averaging.of(times);
                if (spread.count() > 0) {
                    stats.add(new Stat(
                            run,
                            type,
                            spread.count(),
                            average,
                            total > 0 ? 100 * average / total : Double.NaN,
                            spread,
                            mean(run, type, Averaging.MEAN.of(times))));
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
            return new Row(run, type, 0, new Change(average(0, type), average(run, type), Confidence.UNKNOWN, false));
        }
        double[] base = times(0, type, shared);
        double[] own = times(run, type, shared);
        Confidence interval = interval(run, 0, type, shared, 1);
        return new Row(run, type, shared.size(), new Change(averaging.of(base), averaging.of(own), interval, false));
    }

    /** Of the difference of one run to another over these ranks, one of several that hold together. */
    private Confidence interval(int run, int from, String type, SortedSet<Integer> ranks, int comparisons) {
        double difference = averaging.of(times(run, type, ranks)) - averaging.of(times(from, type, ranks));
        double[] own = runs.get(run).bySteps(type, ranks);
        double[] base = runs.get(from).bySteps(type, ranks);
        double steps = perStep ? 1 : own.length;
        return LongRunMeans.of(List.of(base, own)).difference(1, 0, comparisons).about(difference, steps);
    }

    /** Whether a run takes longer than another by more than so many percent and more than chance; holds for all pairs together. */
    boolean isSlower(int run, int than, double threshold) {
        SortedSet<Integer> shared = ranks(run);
        shared.retainAll(ranks(than));
        double base = averaging.of(times(than, RankBreakdown.TOTAL, shared));
        Confidence behind = interval(run, than, RankBreakdown.TOTAL, shared, runs.size() * (runs.size() - 1) / 2);
        return behind.low() > 0 && 100 * behind.mean() > threshold * base;
    }

    private Confidence mean(int run, String type, double mean) {
        double[] own = runs.get(run).bySteps(type, ranks(run));
        return LongRunMeans.of(List.of(own)).mean(0).about(mean, perStep ? 1 : own.length);
    }

    /** The share of communication in percent that is hidden, by step. */
    double[] hiddenBySteps(int run, SortedSet<Integer> ranks) {
        double[] exposed = runs.get(run).bySteps(RankBreakdown.EXPOSED, ranks);
        double[] all = runs.get(run).bySteps(RankBreakdown.COMMUNICATION, ranks);
        if (exposed.length != all.length) {
            return new double[0];
        }
        for (int i = 0; i < all.length; i++) {
            all[i] = all[i] > 0 ? 100 * (1 - exposed[i] / all[i]) : Double.NaN;
        }
        return all;
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
                        Confidence interval = interval(run, 0, type, new TreeSet<>(Set.of(rank)), 1);
                        rows.add(new RankRow(run, rank, type, new Change(base, own, interval, false)));
                    }
                }
            }
        }
        return rows;
    }
}
