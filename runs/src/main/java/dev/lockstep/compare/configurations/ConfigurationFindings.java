// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import dev.lockstep.compare.Verdict;
import dev.lockstep.compare.configurations.ConfigurationComparison.CallChange;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a comparison of configurations says in words: which is fastest, and what made each faster or slower. */
final class ConfigurationFindings {
    private static final double NS_PER_MS = 1e6;
    private static final double HALF = 0.5;
    private static final String UNKNOWN = "Noise cannot be ruled out: ";
    private static final String TOTAL = "configurations, total time ms";
    private static final String EXPOSED = "exposed_comm_time";

    private final ConfigurationComparison comparison;
    private final double threshold;
    private final List<Finding> findings = new ArrayList<>();

    private ConfigurationFindings(ConfigurationComparison comparison) {
        this.comparison = comparison;
        this.threshold = comparison.options().threshold();
    }

    static List<Finding> of(ConfigurationComparison comparison) {
        return new ConfigurationFindings(comparison).build();
    }

    private List<Finding> build() {
        if (!comparison.places().isEmpty()) {
            best(comparison.places().getFirst());
        }
        for (Place place : comparison.places()) {
            if (place.run() > 0) {
                against(place);
            }
        }
        if (comparison.perStep()) {
            add(
                    Severity.INFO,
                    "per_step",
                    "The configurations recorded different numbers of steps. Times are those of a step.",
                    "gpu_timeline_by_step of the ranks' reports",
                    rows(comparison.places()));
        }
        int unmatched = comparison.unmatched().rows();
        if (unmatched > 0) {
            add(
                    Severity.NOTICE,
                    "unmatched",
                    Words.count(unmatched, "rank, part or collective is", "ranks, parts or collectives are")
                            + " not compared: not in all configurations, or without known times.",
                    "unmatched",
                    Evidence.Rows.first("unmatched", unmatched));
        }
        return findings;
    }

    /** The fastest, and whether any other is slower by more than chance. */
    private void best(Place best) {
        List<Place> others = comparison.places().stream().skip(1).toList();
        List<Place> slower = others.stream()
                .filter(place -> comparison.isSlower(place, best))
                .toList();
        if (slower.isEmpty() && !others.isEmpty()) {
            Place last = others.getLast();
            boolean known = others.stream()
                    .allMatch(place ->
                            place.run() == 0 || place.change().interval().isKnown());
            add(
                    Severity.NOTICE,
                    "no_winner",
                    "No configuration stands out: they take " + ms(best.totalMs()) + " (" + best.label() + ") to "
                            + ms(last.totalMs()) + " (" + last.label() + ") in total. "
                            + (known
                                    ? "That is within noise, or the threshold."
                                    : UNKNOWN
                                            + comparison.unsure(comparison.places().stream()
                                                    .map(Place::run)
                                                    .toList())
                                            + "."),
                    TOTAL,
                    rows(comparison.places()));
            return;
        }
        String who = best.run() == 0 ? "The baseline " + best.label() : best.label();
        String text = who + (slower.size() == others.size() ? " is the fastest: " : " is among the fastest: ")
                + ms(best.totalMs()) + " in total";
        String reason = "";
        if (best.run() == 0) {
            text += others.stream()
                    .findFirst()
                    .map(n -> ". Next is " + n.label() + " with " + ms(n.totalMs()) + " ("
                            + percent(n.change().percent()) + ")")
                    .orElse("");
        } else if (best.change().verdict(threshold) == Verdict.BETTER) {
            text += ", " + ms(Math.abs(best.change().difference())) + " ("
                    + percent(best.change().percent()) + ") less than the baseline "
                    + comparison.labels().getFirst();
            reason = reason(best);
        }
        add(Severity.NOTICE, "best", text + "." + reason, TOTAL, rows(List.of(best)));
    }

    private void against(Place place) {
        Verdict verdict = place.change().verdict(threshold);
        String base = comparison.labels().getFirst();
        switch (verdict) {
            case WORSE ->
                add(
                        Severity.PROBLEM,
                        "slower",
                        place.label() + " takes " + percent(place.change().percent()) + " more than " + base
                                + interval(place) + "." + reason(place) + comparison.lateness(place),
                        TOTAL,
                        rows(List.of(place)));
            case BETTER ->
                add(
                        Severity.NOTICE,
                        "faster",
                        place.label() + " takes " + percent(place.change().percent()) + " less than " + base
                                + interval(place) + "." + reason(place) + comparison.lateness(place),
                        TOTAL,
                        rows(List.of(place)));
            case UNCLEAR ->
                add(
                        Severity.INFO,
                        "unclear",
                        place.label() + " differs from " + base + " by "
                                + percent(place.change().percent()) + interval(place) + ". " + unsure(place) + ".",
                        TOTAL,
                        rows(List.of(place)));
            default ->
                add(
                        Severity.INFO,
                        "same_time",
                        place.label() + " takes as long as " + base + " within "
                                + String.format(Locale.ROOT, "%s %%", Numbers.plain(threshold)) + ".",
                        TOTAL,
                        rows(List.of(place)));
        }
    }

    /** The part of the timeline that contributes most, and for communication the collective that does. */
    private String reason(Place place) {
        boolean longer = place.change().difference() > 0;
        Optional<Place.Part> most = place.parts().stream()
                .filter(part -> longer ? part.differenceMs() > 0 : part.differenceMs() < 0)
                .findFirst();
        if (most.isEmpty()) {
            return "";
        }
        Place.Part part = most.get();
        double share = part.differenceMs() / place.change().difference();
        String text = (share > HALF ? " The main cause: " : " The largest cause: ")
                + Words.part(part.type()) + " is " + ms(Math.abs(part.differenceMs()))
                + (longer ? " longer" : " shorter")
                + (share <= 1 ? String.format(Locale.ROOT, " (%.0f %% of the difference).", 100 * share) : ".");
        return text + (part.type().equals(EXPOSED) ? call(place.run(), longer) : "");
    }

    private String call(int run, boolean longer) {
        return comparison
                .largestCallChange(run, longer)
                .map(c -> " Of the collectives, " + text(c) + " takes "
                        + ms(Math.abs(c.total().difference())) + (longer ? " more." : " less."))
                .orElse("");
    }

    private static String text(CallChange change) {
        return Words.name(change.key().text());
    }

    private static String interval(Place place) {
        double low = place.change().lowPercent();
        double high = place.change().highPercent();
        if (Double.isNaN(low)) {
            return "";
        }
        String from = String.format(Locale.ROOT, "%+.2f", low);
        String to = String.format(Locale.ROOT, "%+.2f", high);
        return " (95 % CI of the change " + from + " to " + to + " %)";
    }

    private String unsure(Place place) {
        return place.change().interval().isKnown()
                ? "Steps scatter by more than that: it may be chance"
                : UNKNOWN + comparison.unsure(List.of(0, place.run()));
    }

    private static String percent(double percent) {
        return String.format(Locale.ROOT, "%.2f %%", Math.abs(percent));
    }

    private static String ms(double ms) {
        return Words.time(Math.round(ms * NS_PER_MS));
    }

    /** The rows of these, which stand in the order of their places. */
    private Evidence rows(List<Place> places) {
        return new Evidence.Rows(
                "configurations",
                places.stream().map(comparison.places()::indexOf).toList());
    }

    private void add(Severity severity, String code, String text, String basis, Evidence evidence) {
        findings.add(new Finding(severity, code, text, basis).on(evidence));
    }
}
