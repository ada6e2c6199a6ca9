// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Unit;
import dev.lockstep.words.Words;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who kept the others of a run waiting. A rank that comes late is no property of a setting: communication that nothing hides
 * consists of waiting for the last rank and of exposed transfer, and only the second belongs to the setting. How much of a transfer is
 * exposed says nothing of how long it takes.
 *
 * @param exposedMs by rank, communication that nothing hid, ms; empty when not known
 * @param waitMs by rank, the part of it in which it waited for the last rank, ms; empty when not known
 * @param transferMs by rank, what its communication takes without waiting, hidden or not, ms; of ranks of which all waits are known
 * @param late ranks that come late, the costliest first
 * @param savesMs what the run would save if they came in time, ms
 */
public record Lateness(
        SortedMap<Integer, Double> exposedMs,
        SortedMap<Integer, Double> waitMs,
        SortedMap<Integer, Double> transferMs,
        List<Integer> late,
        double savesMs) {
    /** Nothing is known. */
    public static final Lateness UNKNOWN =
            new Lateness(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), List.of(), 0);

    private static final double NS_PER_MS = 1e6;

    /** Below this share of themselves, transfers take as long. */
    private static final double SAME = 0.01;

    public Lateness {
        exposedMs = Collections.unmodifiableSortedMap(new TreeMap<>(exposedMs));
        waitMs = Collections.unmodifiableSortedMap(new TreeMap<>(waitMs));
        transferMs = Collections.unmodifiableSortedMap(new TreeMap<>(transferMs));
        late = List.copyOf(late);
    }

    /**
     * {@return who kept the others of a run waiting}
     *
     * @param run the ranks
     */
    public static Lateness of(MatchedRanks run) {
        SortedMap<Integer, Double> exposed = new TreeMap<>();
        SortedMap<Integer, Double> waits = new TreeMap<>();
        SortedMap<Integer, Double> transfers = new TreeMap<>();
        for (Stragglers.Row row : run.stragglers()) {
            exposed.put(row.rank(), row.exposed() / NS_PER_MS);
            if (row.isKnown()) {
                waits.put(row.rank(), row.exposedWait() / NS_PER_MS);
            }
            if (row.collectives() > 0 && row.unknown() == 0) {
                transfers.put(row.rank(), (row.communication() - row.waited()) / NS_PER_MS);
            }
        }
        return new Lateness(
                exposed,
                waits,
                transfers,
                run.slow().slow().stream().map(Slow::rank).toList(),
                run.gains().togetherNs() / NS_PER_MS);
    }

    /** Whether it is known how exposed communication is made of waiting and exposed transfer. */
    public boolean isKnown() {
        return !waitMs.isEmpty();
    }

    /**
     * A run in a comparison.
     *
     * @param label what it is called
     * @param lateness who is late in it
     * @param divisor by which its times are divided: its steps, or 1
     */
    public record Side(String label, Lateness lateness, double divisor) {
        /** Communication that nothing hid, mean over ranks, ms; NaN when not known. */
        public double exposedMs() {
            return mean(lateness.exposedMs);
        }

        /** The part of it in which ranks waited for the last, mean over ranks, ms; NaN when not known. */
        public double waitMs() {
            return mean(lateness.waitMs);
        }

        /** What communication takes without waiting, hidden or not, mean over ranks, ms; NaN when not known. */
        public double transferMs() {
            return mean(lateness.transferMs);
        }

        /** What late ranks cost, ms. */
        public double lateMs() {
            return lateness.savesMs / divisor;
        }

        private double mean(SortedMap<Integer, Double> byRank) {
            return byRank.values().stream().mapToDouble(ms -> ms).average().orElse(Double.NaN) / divisor;
        }

        private @Nullable String ranks() {
            return lateness.late.isEmpty()
                    ? null
                    : lateness.late.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }

        private String late() {
            return (lateness.late.size() == 1 ? "rank " : "ranks ") + ranks()
                    + (lateness.late.size() == 1 ? " is" : " are") + " slow in " + label;
        }
    }

    /**
     * Columns about late ranks; missing where nothing is known of any run.
     *
     * @param <R> what a row is
     * @param fields to which they are added
     * @param side the run of a row
     * @param known whether anything is known of any of them
     */
    public static <R> void addColumns(Fields<R> fields, Function<R, Side> side, boolean known) {
        fields.addIf(
                        known,
                        ms(
                                "waiting for last rank ms",
                                "Communication that nothing hid, in which ranks waited for the last to come; mean over"
                                        + " ranks. Missing where no report on collectives tells it."),
                        row -> finite(side.apply(row).waitMs()))
                .addIf(
                        known,
                        ms(
                                "exposed transfer ms",
                                "The rest of communication that nothing hid. How long transfers take is another question."),
                        row -> finite(
                                side.apply(row).exposedMs() - side.apply(row).waitMs()))
                .addIf(
                        known,
                        ColumnSpec.text("late ranks", "Slow ranks, the slowest first."),
                        row -> side.apply(row).ranks())
                .addIf(
                        known,
                        ms(
                                "late ranks cost ms",
                                "What the run gains if these keep pace, by a replay of its dependency graph."),
                        row -> side.apply(row).lateness.isKnown()
                                ? (Double) side.apply(row).lateMs()
                                : null);
    }

    private static ColumnSpec ms(String header, String doc) {
        return ColumnSpec.real(header, Unit.MILLISECONDS, Unit.MILLISECONDS, doc);
    }

    private static @Nullable Double finite(double value) {
        return Double.isFinite(value) ? (Double) value : null;
    }

    /**
     * How a difference of two runs is made of waiting for late ranks, in sentences that begin with a space; empty where it is not
     * known of both.
     *
     * @param own the run that is compared
     * @param base what it is compared with
     * @param exposedMs by how much its exposed communication is more, ms
     * @param totalMs by how much its total time is more, ms; NaN when not known
     */
    public static String words(Side own, Side base, double exposedMs, double totalMs) {
        if (!own.lateness.isKnown() || !base.lateness.isKnown()) {
            return "";
        }
        double wait = own.waitMs() - base.waitMs();
        String text = " Exposed communication changes by " + signed(exposedMs) + ": " + signed(wait)
                + " of waiting for the last rank and " + signed(exposedMs - wait) + " of exposed transfer."
                + transfers(own.transferMs(), base.transferMs());
        List<String> late = List.of(own, base).stream()
                .filter(side -> !side.lateness.late.isEmpty())
                .map(Side::late)
                .toList();
        if (late.isEmpty()) {
            return text;
        }
        String all = String.join(", ", late);
        text += " " + all.substring(0, 1).toUpperCase(Locale.ROOT) + all.substring(1) + ". ";
        if (!Double.isNaN(totalMs)) {
            return text + "Without that the difference would be about " + signed(totalMs - own.lateMs() + base.lateMs())
                    + ".";
        }
        return text + "At the pace of the others, "
                + List.of(own, base).stream()
                        .filter(side -> !side.lateness.late.isEmpty())
                        .map(side -> side.label + " would save " + Words.time(Math.round(side.lateMs() * NS_PER_MS)))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    /**
     * {@return what differs between two traces of a rank, as far as it is late ranks; none where it is not known of both runs}
     *
     * @param candidate of the run that is compared
     * @param baseline of the run with which it is compared
     * @param differenceNs by how much the rank takes longer, ns
     */
    public static List<Finding> findings(Lateness candidate, Lateness baseline, long differenceNs) {
        Side own = new Side("the candidate", candidate, 1);
        Side base = new Side("the baseline", baseline, 1);
        String text = words(own, base, own.exposedMs() - base.exposedMs(), differenceNs / NS_PER_MS);
        return text.isEmpty()
                ? List.of()
                : List.of(new Finding(
                        candidate.late.isEmpty() ? Severity.INFO : Severity.PROBLEM,
                        "late_ranks",
                        "Over all ranks:" + text,
                        "straggler_summary of lockstep collectives"));
    }

    private static String transfers(double own, double base) {
        double change = own - base;
        if (Double.isNaN(change)) {
            return "";
        }
        return Math.abs(change) < SAME * base
                ? " The transfers themselves take as long."
                : " The transfers themselves change by " + signed(change) + " (mean over ranks).";
    }

    private static String signed(double ms) {
        return (ms < 0 ? "−" : "+") + Words.time(Math.round(Math.abs(ms) * NS_PER_MS));
    }
}
