// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.compare.sheets.Amount;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What adds up to the difference between the baseline and a candidate, at one level of detail.
 *
 * @param level what a contribution is: {@code part}, {@code category}, {@code operator}, {@code kernel}, {@code idle
 *     cause}
 * @param candidate name of the report that is compared
 * @param baselineNs what the contributions of the baseline add up to
 * @param candidateNs what those of the candidate add up to
 * @param rows largest difference first, then what is left over; their differences add up to that of the totals
 */
public record Contributions(
        String level, String candidate, long baselineNs, long candidateNs, List<Contribution> rows) {
    private static final int MOST_STEPS = 12;
    private static final int LONGEST_LABEL = 70;
    private static final double NS_PER_MS = 1e6;
    private static final String OVERLAP = "(overlap and work not listed)";
    private static final String IDLE = "(idle)";
    private static final String BUSY = "(busy)";

    /** The level of what filled idle time. */
    static final String IDLE_CAUSE = "idle cause";

    public Contributions {
        rows = List.copyOf(rows);
    }

    public long differenceNs() {
        return candidateNs - baselineNs;
    }

    /** Those that stand for something in the reports, without what is left over. */
    public List<Contribution> named() {
        return rows.stream().filter(row -> !row.presence().isEmpty()).toList();
    }

    /** By parts of the timeline. */
    static Contributions ofParts(String candidate, TimeParts a, TimeParts b) {
        List<Contribution> rows = new ArrayList<>();
        for (int i = 0; i < TimeParts.NAMES.size(); i++) {
            if (a.ns()[i] != 0 || b.ns()[i] != 0) {
                rows.add(new Contribution(candidate, TimeParts.NAMES.get(i), "both", a.ns()[i], b.ns()[i], -1, -1));
            }
        }
        rows.sort(LARGEST_FIRST);
        return new Contributions("part", candidate, a.totalNs(), b.totalNs(), rows);
    }

    /**
     * By the rows of a sheet.
     *
     * @param report place of the candidate in the comparison of the sheet
     */
    static Contributions of(String level, String candidate, SheetComparison sheet, int report) {
        List<Contribution> rows = new ArrayList<>();
        for (SheetComparison.Row row : sheet.rows()) {
            Amount base = row.amounts()[0];
            Amount own = row.amounts()[report];
            if (base != null || own != null) {
                rows.add(Contribution.of(candidate, String.join(" · ", row.key()), base, own));
            }
        }
        rows.sort(LARGEST_FIRST);
        return new Contributions(level, candidate, sheet.total(0), sheet.total(report), rows);
    }

    /** With what the rows do not hold, up to the whole time of the baseline and of the candidate. */
    Contributions upTo(TimeParts a, TimeParts b) {
        List<Contribution> all = new ArrayList<>(rows);
        if (level.equals(IDLE_CAUSE)) {
            all.add(Contribution.rest(candidate, BUSY, a.busyNs(), b.busyNs()));
            if (a.idleNs() != baselineNs || b.idleNs() != candidateNs) {
                all.add(Contribution.rest(candidate, IDLE, a.idleNs() - baselineNs, b.idleNs() - candidateNs));
            }
            return new Contributions(level, candidate, a.totalNs(), b.totalNs(), all);
        }
        all.add(Contribution.rest(candidate, OVERLAP, a.busyNs() - baselineNs, b.busyNs() - candidateNs));
        all.add(Contribution.rest(candidate, IDLE, a.idleNs(), b.idleNs()));
        return new Contributions(level, candidate, a.totalNs(), b.totalNs(), all);
    }

    private static final Comparator<Contribution> LARGEST_FIRST = Comparator.comparingLong(
                    (Contribution c) -> -Math.abs(c.differenceNs()))
            .thenComparing(Contribution::what);

    /** A row of the table, with the difference of which it is a share. */
    private record Shared(Contribution row, long whole) {}

    /** The contributions of all candidates as one sheet. */
    static Table table(List<Contributions> all) {
        String level = all.getFirst().level;
        List<Shared> rows = new ArrayList<>();
        for (Contributions one : all) {
            one.rows.forEach(row -> rows.add(new Shared(row, one.differenceNs())));
        }
        Fields<Shared> fields = new Fields<Shared>()
                .add(
                        ColumnSpec.text("candidate", "The report that is compared with the baseline."),
                        r -> r.row.candidate())
                .add(
                        ColumnSpec.text(
                                level,
                                "What the row is about. In parentheses: what no row names. Overlap: work that runs at"
                                        + " the same time counts once in the total and in every row; it is what the rows"
                                        + " exceed the busy time by, less what they leave out."),
                        r -> r.row.what())
                .add(
                        ColumnSpec.text("in", "Which of the two reports has it; empty for what is left over."),
                        r -> r.row.presence())
                .add(millis("baseline ms", "Time in the baseline."), r -> r.row.baselineNs())
                .add(millis("candidate ms", "Time in the candidate."), r -> r.row.candidateNs())
                .add(
                        millis(
                                "difference ms",
                                "Candidate minus baseline. Those of one candidate add up to the difference of the"
                                        + " total times."),
                        r -> r.row.differenceNs())
                .add(
                        ColumnSpec.percent(
                                "difference %", "The difference in percent of the baseline; missing where that is 0."),
                        r -> percent(r.row.differenceNs(), r.row.baselineNs()))
                .add(
                        ColumnSpec.percent(
                                "share of difference %",
                                "The difference in percent of that of the total times; negative where it points the"
                                        + " other way."),
                        r -> percent(r.row.differenceNs(), r.whole))
                .add(
                        count(ColumnNames.BASELINE_COUNT, "How many in the baseline; missing when unknown."),
                        r -> known(r.row.baselineCount()))
                .add(
                        count("candidate count", "How many in the candidate; missing when unknown."),
                        r -> known(r.row.candidateCount()))
                .add(
                        millis(
                                "by count ms",
                                "The part of the difference that comes from there being more or fewer, at the"
                                        + " baseline's mean time."),
                        r -> r.row.byCountNs())
                .add(
                        millis(
                                "by duration ms",
                                "The rest of the difference: on average each takes longer or shorter."),
                        r -> r.row.byDurationNs());
        return fields.table(sheet(level), "Contributions by " + level, rows);
    }

    /**
     * From the baseline's total to the candidate's, over the largest contributions.
     *
     * @param first which row of the sheet is the first of these
     */
    Chart.Waterfall chart(String baseline, int first) {
        List<Chart.Contribution> steps = new ArrayList<>();
        List<Integer> left = new ArrayList<>();
        long others = 0;
        for (int i = 0; i < rows.size(); i++) {
            Contribution row = rows.get(i);
            boolean rest = row.presence().isEmpty();
            if (steps.size() < MOST_STEPS || rest) {
                if (rest && !left.isEmpty()) {
                    steps.add(step("(" + left.size() + " others)", others, left));
                    left = new ArrayList<>();
                }
                if (row.differenceNs() != 0) {
                    steps.add(step(label(row.what()), row.differenceNs(), List.of(first + i)));
                }
            } else {
                others += row.differenceNs();
                left.add(first + i);
            }
        }
        if (!left.isEmpty()) {
            steps.add(step("(" + left.size() + " others)", others, left));
        }
        return new Chart.Waterfall(
                "From " + baseline + " to " + candidate + ", by " + level,
                "Each step is what this " + level + " adds to the time of " + baseline
                        + ", or takes away; the steps add up to " + candidate + ".",
                "ms",
                baseline,
                baselineNs / NS_PER_MS,
                candidate,
                steps,
                new Evidence.Rows(
                        sheet(level),
                        IntStream.range(first, first + rows.size()).boxed().toList()));
    }

    private Chart.Contribution step(String label, long ns, List<Integer> lines) {
        return new Chart.Contribution(label, ns / NS_PER_MS, new Evidence.Rows(sheet(level), lines));
    }

    static String sheet(String level) {
        return "contributions_by_" + level.replace(' ', '_');
    }

    private static String label(String what) {
        return what.length() <= LONGEST_LABEL ? what : what.substring(0, LONGEST_LABEL - 1) + "…";
    }

    private static @Nullable Long known(long count) {
        return count < 0 ? null : (Long) count;
    }

    private static @Nullable Double percent(long part, long whole) {
        return whole == 0 ? null : (Double) (100.0 * part / whole);
    }

    private static ColumnSpec count(String header, String doc) {
        return ColumnSpec.count(header, doc);
    }
}
