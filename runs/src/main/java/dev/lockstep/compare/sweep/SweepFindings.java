// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sweep;

import dev.lockstep.compare.Lateness;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RunSummary;
import dev.lockstep.compare.Unsure;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.compare.sweep.Ranking.Entry;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.session.FileRanks;
import dev.lockstep.words.Words;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What a sweep says, in words: which configuration is best, which worst, why, and how sure that is. */
public final class SweepFindings {
    private static final String RANKING = "ranking: means over ranks, by the scatter over steps";
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_NAMED = 6;

    /** Shares of a difference that are worth a word. */
    private static final double WORTH = 0.05;

    private final List<Finding> findings = new ArrayList<>();

    private SweepFindings() {}

    /** What it says. */
    public static List<Finding> of(Ranking ranking, SweepCollectives collectives, List<RunSummary> points) {
        SweepFindings all = new SweepFindings();
        Entry best = ranking.best();
        Entry worst = ranking.worst();
        if (best != null && worst != null) {
            List<Entry> ties = ranking.ties();
            if (ranking.entries().size() == 1) {
                all.add(
                        Severity.NOTICE,
                        "sweep_best",
                        best.point().label() + " takes " + time(best.time()) + per(ranking) + ", the mean of "
                                + Words.count(best.ranks(), "rank", "ranks") + ". There is nothing to compare it with.",
                        RANKING,
                        rows(ranking, List.of(best)));
            } else if (!ranking.isSure()) {
                all.unsure(ranking, best, worst);
            } else if (ties.size() == ranking.entries().size() - 1) {
                all.alike(ranking, best, worst);
            } else {
                all.best(ranking, best, ties);
                all.why(ranking, best, worst);
            }
            all.otherRanks(ranking);
        }
        all.absent(points);
        all.collectives(collectives);
        return all.findings;
    }

    private static String per(Ranking ranking) {
        return ranking.perStep() ? " for each step" : "";
    }

    /** Those that are equal to the fastest within noise share its place. */
    private void best(Ranking ranking, Entry best, List<Entry> ties) {
        Entry worst = Objects.requireNonNull(ranking.worst());
        String first = ties.isEmpty()
                ? best.point().label() + " is fastest: " + time(best.time())
                : best.point().label() + " is among the fastest: " + time(best.time());
        String text = first + per(ranking) + ", the mean of "
                + (ranking.differInRanks()
                        ? ranks(ranking.shared()) + ", which all have"
                        : Words.count(best.ranks(), "rank", "ranks"));
        if (worst.isSlower()) {
            text += ". " + worst.point().label() + " is slowest: " + time(worst.time()) + ", "
                    + percent(worst.percentBehind()) + " more" + interval(worst);
        }
        add(Severity.NOTICE, "sweep_best", text + ".", RANKING, rows(ranking, List.of(best, worst)));
        if (!ties.isEmpty()) {
            add(
                    Severity.INFO,
                    "sweep_ties",
                    "Equal to " + best.point().label() + " within noise or "
                            + Numbers.plain(Options.USUAL_THRESHOLD) + " %: "
                            + names(ties.stream()
                                    .map(e -> e.point().label() + " ("
                                            + signed(e.behind().mean()) + ")")
                                    .toList())
                            + ".",
                    RANKING,
                    rows(ranking, ties));
        }
    }

    private void alike(Ranking ranking, Entry best, Entry worst) {
        double reach = ranking.entries().stream()
                .skip(1)
                .mapToDouble(e -> 100 * e.behind().reach() / best.time())
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        add(
                Severity.NOTICE,
                "sweep_no_winner",
                "No setting stands out: the " + ranking.entries().size() + " configurations take " + time(best.time())
                        + " to " + time(worst.time()) + per(ranking) + ". Differences below "
                        + percent(Math.max(reach, Options.USUAL_THRESHOLD)) + " are within noise.",
                RANKING,
                rows(ranking, ranking.entries()));
    }

    private void unsure(Ranking ranking, Entry best, Entry worst) {
        add(
                Severity.NOTICE,
                "sweep_unsure",
                "The configurations take " + time(best.time()) + " ("
                        + best.point().label() + ") to "
                        + time(worst.time()) + " (" + worst.point().label() + ")" + per(ranking)
                        + ". Noise cannot be ruled out: "
                        + Unsure.why(
                                ranking.entries().stream().map(Entry::point).toList()) + ".",
                RANKING,
                rows(ranking, List.of(best, worst)));
    }

    /** Jobs of different ranks are compared by those that all have; how long the others take may be another story. */
    private void otherRanks(Ranking ranking) {
        if (!ranking.differInRanks()) {
            return;
        }
        List<Entry> more = ranking.entries().stream()
                .filter(entry -> !Double.isNaN(ranking.longestBeside(entry)))
                .toList();
        List<String> longest = more.stream()
                .map(entry -> time(ranking.longestBeside(entry)) + per(ranking) + " in "
                        + entry.point().label())
                .toList();
        add(
                Severity.NOTICE,
                "sweep_other_ranks",
                "Configurations have different ranks. "
                        + (ranking.shared().isEmpty()
                                ? "None is in all, so times are means over the own ranks of each."
                                : "Compared are those that all have: " + ranks(ranking.shared())
                                        + ". The longest of the others takes " + names(longest) + "."),
                "ranking: num_ranks",
                rows(ranking, more));
    }

    private static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ") + FileRanks.ranges(ranks);
    }

    private static String interval(Entry entry) {
        double base = entry.time() - entry.behind().mean();
        if (!entry.behind().isKnown() || base <= 0) {
            return "";
        }
        return " (95 % CI " + percent(100 * entry.behind().low() / base) + " to "
                + percent(100 * entry.behind().high() / base) + ")";
    }

    private void why(Ranking ranking, Entry best, Entry worst) {
        double behind = worst.behind().mean();
        List<Map.Entry<String, Double>> shares = worst.shares().entrySet().stream()
                .filter(e -> Math.abs(e.getValue()) >= WORTH * Math.abs(behind))
                .sorted(Comparator.comparingDouble((Map.Entry<String, Double> e) -> -Math.abs(e.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .toList();
        if (shares.isEmpty() || behind <= 0) {
            return;
        }
        List<String> parts = shares.stream()
                .map(e -> Words.part(e.getKey()) + " " + signed(e.getValue()))
                .toList();
        add(
                Severity.NOTICE,
                "sweep_why",
                worst.point().label() + " takes " + time(behind) + " longer than "
                        + best.point().label() + ": "
                        + String.join(", ", parts) + "."
                        + Lateness.words(
                                ranking.side(worst),
                                ranking.side(best),
                                worst.shares().getOrDefault(RankBreakdown.EXPOSED, 0.0),
                                behind),
                "ranking: the parts add up to the difference",
                rows(ranking, List.of(worst)));
    }

    private void absent(List<RunSummary> points) {
        List<String> absent = points.stream()
                .filter(p -> p.times().isEmpty())
                .map(RunSummary::label)
                .toList();
        if (!absent.isEmpty()) {
            add(
                    Severity.PROBLEM,
                    "sweep_gaps",
                    Words.count(absent.size()) + " of " + Words.count(points.size(), "configuration", "configurations")
                            + " could not be compared, as no report has a device timeline: " + names(absent)
                            + ". CPU-only traces have none. Table coverage lists what could not be read.",
                    "coverage");
        }
    }

    /** The operation whose choice of a configuration matters most, by time. */
    private void collectives(SweepCollectives collectives) {
        String text = null;
        SweepCollectives.Operation told = null;
        double most = 0;
        for (SweepCollectives.Gain gain : collectives.gains()) {
            if (gain.milliseconds() > most && gain.difference().excludesZero()) {
                most = gain.milliseconds();
                told = gain.operation();
                text = "Of all collectives, " + gain.operation().words() + " gains most by the right setting: "
                        + microseconds(gain.best()) + " in " + gain.bestIn() + ", " + microseconds(gain.worst())
                        + " in "
                        + gain.worstIn() + " (" + time(gain.milliseconds()) + " over all of them).";
            }
        }
        if (text != null) {
            add(
                    Severity.INFO,
                    "sweep_collective",
                    text,
                    "NCCL_Best: mean latency, waiting taken away",
                    new Evidence.Rows(
                            "NCCL_Best", List.of(collectives.operations().indexOf(told))));
        }
    }

    private void add(Severity severity, String code, String text, String basis, Evidence... proof) {
        findings.add(new Finding(severity, code, text, basis).on(proof));
    }

    /** The rows of the ranking for some of its entries. */
    private static Evidence rows(Ranking ranking, List<Entry> of) {
        return new Evidence.Rows(
                "ranking", of.stream().map(ranking.entries()::indexOf).toList());
    }

    private static String names(List<String> names) {
        return names.size() <= MOST_NAMED
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MOST_NAMED)) + " and " + (names.size() - MOST_NAMED) + " more";
    }

    static String time(double milliseconds) {
        return Words.time(Math.round(milliseconds * NS_PER_MS));
    }

    private static String microseconds(double value) {
        return time(value / 1000);
    }

    private static String signed(double milliseconds) {
        return (milliseconds < 0 ? "−" : "+") + time(Math.abs(milliseconds));
    }

    private static String percent(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 10 ? "%.0f %%" : size >= 1 ? "%.1f %%" : "%.2f %%", value);
    }
}
