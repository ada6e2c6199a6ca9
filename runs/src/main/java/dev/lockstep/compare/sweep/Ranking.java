// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.LongRunMeans;
import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.Unsure;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configurations from the fastest to the slowest, by the mean over the ranks that all have of the span of device activity; where
 * configurations recorded different numbers of steps, of that span for each step. Ranks of a run wait for one another and are
 * no repetitions: whether a difference is more than chance is told by the scatter over steps, ranks together
 * ({@link LongRunMeans}). The intervals of all pairs hold together with 95 %, because the fastest is chosen after looking.
 *
 * @param perStep whether times are those of a step
 * @param shared the ranks that all configurations have, which alone are compared; none if there are no such
 * @param entries the fastest first; configurations without timelines are not in it
 */
public record Ranking(boolean perStep, List<Integer> shared, List<Entry> entries) {
    /**
     * A configuration's place.
     *
     * @param point the configuration
     * @param ranks ranks that count: those that all configurations have; where there are none, its own
     * @param time mean over these, ms
     * @param behind mean over shared ranks of what it takes longer than the fastest, ms; 0 for that itself
     * @param shares by part, what it takes longer than the fastest, ms; they add up to {@code behind}, and are unknown with it
     */
    public record Entry(RunSummary point, int ranks, double time, Confidence behind, Map<String, Double> shares) {
        public Entry {
            shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
        }

        /** Percent that it takes longer than the fastest. */
        public double percentBehind() {
            return 100 * behind.mean() / (time - behind.mean());
        }

        /** Whether it is slower than the fastest by more than the threshold of comparisons, and by more than chance. */
        public boolean isSlower() {
            return behind.excludesZero() && percentBehind() > Options.USUAL_THRESHOLD;
        }
    }

    public Ranking {
        shared = List.copyOf(shared);
        entries = List.copyOf(entries);
    }

    static Ranking of(List<RunSummary> all) {
        List<RunSummary> present =
                all.stream().filter(run -> !run.times().isEmpty()).toList();
        boolean perStep = RunBreakdown.differInSteps(
                present.stream().map(RunSummary::times).toList());
        List<Integer> shared =
                Unsure.shared(present.stream().map(RunSummary::times).toList());
        List<RunSummary> order = new ArrayList<>(present);
        order.sort(Comparator.comparingDouble(run -> mean(run.times(), shared, perStep)));
        List<Entry> entries = new ArrayList<>();
        LongRunMeans steps = LongRunMeans.of(order.stream()
                .map(run -> run.times().bySteps(RankBreakdown.TOTAL, shared))
                .toList());
        int pairs = order.size() * (order.size() - 1) / 2;
        for (int i = 0; i < order.size(); i++) {
            Confidence behind = i == 0 ? Confidence.UNKNOWN : steps.difference(i, 0, pairs);
            entries.add(entry(order.get(i), order.getFirst(), behind, shared, perStep));
        }
        return new Ranking(perStep, shared, entries);
    }

    /** The fastest, null when there is none. */
    public @Nullable Entry best() {
        return entries.isEmpty() ? null : entries.getFirst();
    }

    /** The slowest, null when there is none. */
    public @Nullable Entry worst() {
        return entries.isEmpty() ? null : entries.getLast();
    }

    /** Configurations that cannot be told apart from the fastest, that excluded. */
    public List<Entry> ties() {
        return entries.stream().skip(1).filter(entry -> !entry.isSlower()).toList();
    }

    /** Whether the reports tell steps apart, so that it can be said how sure the order is. */
    public boolean isSure() {
        return entries.stream().skip(1).allMatch(entry -> entry.behind.isKnown());
    }

    /** Whether configurations have other ranks beside those that are compared, or no rank is in all of them. */
    public boolean differInRanks() {
        return entries.stream().anyMatch(entry -> entry.point.times().ranks().size() > shared.size());
    }

    /** The longest time of a rank of a configuration that is not compared because others lack it, ms; NaN for none. */
    double longestBeside(Entry entry) {
        RunBreakdown times = entry.point.times();
        return times.ranks().stream()
                .filter(rank -> !shared.contains(rank))
                .mapToDouble(rank -> of(times, RankBreakdown.TOTAL, rank, perStep))
                .max()
                .orElse(Double.NaN);
    }

    /** {@code ranking}. */
    public Table table() {
        String what = perStep ? "Span of device activity of a step" : "Span of device activity";
        Fields<Entry> fields = new Fields<Entry>()
                .add(ColumnSpec.count("place", "1 for the fastest."), e -> entries.indexOf(e) + 1)
                .add(SweepTimelines.configuration(), e -> e.point.label())
                .add(
                        ColumnSpec.count(
                                "num_ranks",
                                "Ranks that were compared: those that all configurations have, or its own where there"
                                        + " are none."),
                        Entry::ranks)
                .add(time(ColumnNames.TIME_MS, what + ", mean over these ranks."), Entry::time)
                .add(
                        time(
                                "behind best ms",
                                "What it takes longer than the fastest, mean over the ranks that both have."),
                        e -> SweepTimelines.orNull(e.behind.mean()))
                .add(
                        ColumnSpec.percent("behind best %", "The same as a share of the fastest."),
                        e -> SweepTimelines.orNull(e.percentBehind()))
                .add(
                        time(
                                "ci95 low ms",
                                "Lower end of the interval of that difference, by the scatter over steps; those of all"
                                        + " pairs of configurations hold together with 95 %. Missing with fewer than two"
                                        + " steps."),
                        e -> SweepTimelines.orNull(e.behind.low()))
                .add(time("ci95 high ms", "Its upper end."), e -> SweepTimelines.orNull(e.behind.high()))
                .add(
                        ColumnSpec.text(
                                "told apart",
                                "yes when the interval does not hold 0 and the difference is above 1 %; missing where"
                                        + " the interval is not known."),
                        this::toldApart);
        for (String share : RankBreakdown.SHARES) {
            if (entries.stream().anyMatch(e -> e.shares.containsKey(share))) {
                fields.add(
                        time(share + " behind ms", "Of the difference to the fastest; all such columns add up to it."),
                        e -> Double.isNaN(e.behind.mean()) ? null : e.shares.getOrDefault(share, 0.0));
            }
        }
        Lateness.addColumns(
                fields,
                this::side,
                entries.stream().anyMatch(e -> e.point.collectives().lateness().isKnown()));
        return fields.table("ranking", "Configurations from the fastest to the slowest", entries);
    }

    /** A configuration as one whose ranks may come late. */
    Lateness.Side side(Entry entry) {
        return new Lateness.Side(
                entry.point.label(),
                entry.point.collectives().lateness(),
                perStep ? entry.point.times().steps() : 1);
    }

    private @Nullable String toldApart(Entry entry) {
        if (entries.indexOf(entry) == 0 || !entry.behind.isKnown()) {
            return null;
        }
        return entry.isSlower() ? "yes" : "no";
    }

    private static Entry entry(
            RunSummary run, RunSummary fastest, Confidence bySteps, List<Integer> common, boolean perStep) {
        RunBreakdown times = run.times();
        RunBreakdown best = fastest.times();
        List<Integer> shared = common.isEmpty()
                ? times.ranks().stream()
                        .filter(rank -> !Double.isNaN(best.of(RankBreakdown.TOTAL, rank)))
                        .toList()
                : common;
        double behind = shared.stream()
                .mapToDouble(rank ->
                        of(times, RankBreakdown.TOTAL, rank, perStep) - of(best, RankBreakdown.TOTAL, rank, perStep))
                .average()
                .orElse(Double.NaN);
        Map<String, Double> shares = new LinkedHashMap<>();
        for (String type : RankBreakdown.SHARES) {
            if (!shared.isEmpty()
                    && (times.parts().contains(type) || best.parts().contains(type))) {
                double sum = 0;
                for (int rank : shared) {
                    sum += of(times, type, rank, perStep) - of(best, type, rank, perStep);
                }
                shares.put(type, sum / shared.size());
            }
        }
        int ranks = common.isEmpty() ? times.ranks().size() : common.size();
        double steps = perStep ? 1 : times.steps();
        return new Entry(run, ranks, mean(times, common, perStep), bySteps.about(behind, steps), shares);
    }

    private static double mean(RunBreakdown times, List<Integer> common, boolean perStep) {
        Collection<Integer> ranks = common.isEmpty() ? times.ranks() : common;
        return Averaging.MEAN.of(ranks.stream()
                .mapToDouble(rank -> of(times, RankBreakdown.TOTAL, rank, perStep))
                .toArray());
    }

    private static double of(RunBreakdown times, String type, int rank, boolean perStep) {
        return times.of(type, rank) / (perStep ? times.steps() : 1);
    }

    private static ColumnSpec time(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }
}
