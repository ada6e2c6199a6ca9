// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.compare.CallKey;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.Unsure;
import dev.lockstep.report.Chart;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Any number of configurations side by side, the first as the baseline. Differences are always the configuration minus the
 * baseline, whatever is better; a baseline of zero has no percentage; what only some of them have is listed.
 */
public final class ConfigurationComparison {
    private final List<RunSummary> runs;
    private final List<String> labels;
    private final Options options;
    private final List<Lateness> lateness;
    private final TimelineComparison timelines;
    private final CollectiveComparison collectives;
    private final List<Metric> metrics;
    private final List<Place> places;

    private ConfigurationComparison(List<RunSummary> runs, Options options) {
        this.runs = List.copyOf(runs);
        this.labels = runs.stream().map(RunSummary::label).toList();
        this.options = options;
        this.lateness = runs.stream().map(run -> run.collectives().lateness()).toList();
        this.timelines = new TimelineComparison(runs, options.averaging());
        this.collectives = new CollectiveComparison(runs, timelines);
        this.metrics = new Metrics(runs.size(), timelines, collectives).all();
        this.places = ranked();
    }

    /**
     * The comparison.
     *
     * @param runs at least two, the baseline first
     */
    public static ConfigurationComparison of(List<RunSummary> runs, Options options) {
        return new ConfigurationComparison(runs, options);
    }

    /** What the runs are called, the baseline first. */
    public List<String> labels() {
        return labels;
    }

    public Options options() {
        return options;
    }

    /** Whether times are those of a step, because the runs recorded different numbers of them. */
    public boolean perStep() {
        return timelines.perStep();
    }

    /** The runs whose timelines are known, the fastest first. */
    public List<Place> places() {
        return places;
    }

    /** Whether a run takes longer in total than another by more than the threshold and more than chance. */
    public boolean isSlower(Place place, Place than) {
        return timelines.isSlower(place.run(), than.run(), options.threshold());
    }

    /** Why it cannot be said whether the difference of some of the runs is more than chance, in words that go on a sentence. */
    public String unsure(List<Integer> which) {
        return Unsure.why(which.stream().map(runs::get).toList());
    }

    /** What a run's difference to the baseline owes to ranks that come late, in words; empty where that is not known. */
    public String lateness(Place place) {
        double exposed = place.parts().stream()
                .filter(part -> part.type().equals(RankBreakdown.EXPOSED))
                .mapToDouble(Place.Part::differenceMs)
                .sum();
        return Lateness.words(
                side(place.run()), side(0), exposed, place.change().difference());
    }

    private Lateness.Side side(int run) {
        return new Lateness.Side(labels.get(run), lateness.get(run), timelines.divisor(run));
    }

    /** The figures of the dashboard. */
    public List<Metric> metrics() {
        return metrics;
    }

    /** The collective whose sum of latencies changed most in a direction, with that change; nothing when none did. */
    public Optional<CallChange> largestCallChange(int run, boolean longer) {
        return collectives.rows(run).stream()
                .map(row -> new CallChange(row.key(), row.total()))
                .filter(c -> longer ? c.total().difference() > 0 : c.total().difference() < 0)
                .max(Comparator.comparingDouble(c -> Math.abs(c.total().difference())));
    }

    /**
     * A collective whose sum of latencies changed.
     *
     * @param key which
     * @param total sums of latencies in ms
     */
    public record CallChange(CallKey key, Change total) {}

    /** Every figure of every run beside that of the baseline. */
    public Table dashboard() {
        return DashboardSheet.of(labels, metrics, options);
    }

    /** The runs, the fastest first. */
    public Table configurations() {
        return TimelineSheets.places(
                places,
                timelines,
                IntStream.range(0, labels.size()).mapToObj(this::side).toList(),
                options);
    }

    /** Parts of timelines beside the baseline's; the differences are over the ranks that both have. */
    public Table timelineChange() {
        return TimelineSheets.change(labels, timelines, options);
    }

    /** The same rank by rank. */
    public Table timelineChangeByRank() {
        return TimelineSheets.byRank(labels, timelines, options);
    }

    /** How parts of timelines scatter over the ranks of a run. */
    public Table timelineSpread() {
        return TimelineSheets.spread(labels, timelines, options);
    }

    /** Collectives beside the baseline's. */
    public Table collectiveChange() {
        return CollectiveChangeSheets.change(labels, collectives, options);
    }

    /** How latencies of collectives scatter over their instances. */
    public Table collectiveSpread() {
        return CollectiveChangeSheets.spread(labels, collectives);
    }

    /** Ranks, parts and collectives that only some of the runs have. */
    public Table unmatched() {
        return UnmatchedSheet.of(labels, timelines, collectives);
    }

    /** All tables that have rows, the most important first. */
    public List<Table> tables() {
        List<Table> tables = new ArrayList<>(List.of(
                dashboard(),
                configurations(),
                timelineChange(),
                timelineChangeByRank(),
                timelineSpread(),
                collectiveChange(),
                collectiveSpread(),
                unmatched()));
        tables.removeIf(table -> table.rows() == 0);
        return tables;
    }

    /** Pictures of it. */
    public List<Chart> charts() {
        return ConfigurationCharts.of(labels, places, timelines, collectives);
    }

    /** The figures behind pictures: times and collectives of every run; percentages are test minus baseline. */
    public ComparedRuns pictured() {
        return PicturedRuns.of(labels, timelines, collectives);
    }

    private List<Place> ranked() {
        List<Place> ranked = new ArrayList<>();
        for (int run = 0; run < labels.size(); run++) {
            double total = timelines.average(run, RankBreakdown.TOTAL);
            if (!Double.isNaN(total)) {
                Change change = run == 0
                        ? new Change(total, total, Confidence.UNKNOWN, false)
                        : timelines.row(run, RankBreakdown.TOTAL).change();
                ranked.add(new Place(run, labels.get(run), timelines.ranks(run).size(), total, change, parts(run)));
            }
        }
        ranked.sort(Comparator.comparingDouble(Place::totalMs).thenComparingInt(Place::run));
        return ranked;
    }

    private List<Place.Part> parts(int run) {
        List<Place.Part> parts = new ArrayList<>();
        for (String type : RankBreakdown.SHARES) {
            if (run > 0 && timelines.types().contains(type)) {
                Change change = timelines.row(run, type).change();
                double from = timelines.has(0) ? change.baseline() : 0;
                double to = timelines.has(run) ? change.own() : 0;
                if (!Double.isNaN(to - from)) {
                    parts.add(new Place.Part(type, to - from));
                }
            }
        }
        parts.sort(Comparator.comparingDouble((Place.Part p) -> -Math.abs(p.differenceMs()))
                .thenComparing(Place.Part::type));
        return parts;
    }

    /** The place of a run, null when its timelines are not known. */
    public @Nullable Place place(int run) {
        return places.stream().filter(p -> p.run() == run).findFirst().orElse(null);
    }
}
