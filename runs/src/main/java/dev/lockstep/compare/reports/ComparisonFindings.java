// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.Lateness;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a comparison says in words: who is slower, by how much, and what made it so. */
final class ComparisonFindings {
    /** Below this many percent, two reports take the same time. */
    private static final double NOISE = 0.5;

    /** Contributions below this share of the baseline's total are not worth a sentence. */
    private static final double WORTH = 0.005;

    private static final int MOST = 3;

    /** The sheet whose latencies leave out that ranks wait for one another. */
    private static final String WITHOUT_WAITING = "nccl_summary_implicit_sync";

    private final RunComparison.Result result;
    private final Map<String, Integer> before = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    private ComparisonFindings(RunComparison.Result result) {
        this.result = result;
    }

    static List<Finding> of(RunComparison.Result result) {
        return new ComparisonFindings(result).build();
    }

    private List<Finding> build() {
        for (int i = 1; i < result.names().size(); i++) {
            if (result.same().get(i)) {
                same(i);
                continue;
            }
            total(i);
            lateness(i);
            for (Contributions contributions : result.contributions()) {
                if (contributions.candidate().equals(result.names().get(i))) {
                    largest(contributions, isUnclear(result.change(i)));
                    presence(contributions);
                    before.merge(contributions.level(), contributions.rows().size(), Integer::sum);
                }
            }
        }
        for (RunComparison.Result.Unread one : result.unread()) {
            findings.add(new Finding(Severity.PROBLEM, "times_unread", one.words() + ".", one.sheet()));
        }
        for (String name : result.mended()) {
            findings.add(new Finding(
                    Severity.INFO,
                    "units_mended",
                    name + ": its kernel tables call nanoseconds microseconds. Their times were divided by 1000.",
                    "kernel times against total_time"));
        }
        return findings;
    }

    /** A report of the same trace has the same numbers everywhere. */
    private void same(int report) {
        findings.add(new Finding(
                Severity.PROBLEM,
                "same_report",
                result.names().get(report) + " and " + result.names().getFirst()
                        + " hold the same numbers in every table: both are reports of the same trace.",
                "all tables that are compared"));
        for (Contributions contributions : result.contributions()) {
            if (contributions.candidate().equals(result.names().get(report))) {
                before.merge(contributions.level(), contributions.rows().size(), Integer::sum);
            }
        }
    }

    private void total(int report) {
        Change change = result.change(report);
        double percent = change.percent();
        String base = result.names().getFirst();
        if (Double.isNaN(percent)) {
            unknown(report, base);
            return;
        }
        String of = result.totalsOf();
        String own = (of.isEmpty()
                        ? ""
                        : "Summed up over " + of + (of.equals(WITHOUT_WAITING) ? ", which leaves waiting out, " : ", "))
                + result.names().get(report);
        String basis = of.isEmpty() ? "overview, total time ms" : of;
        long from = result.totals().getFirst();
        long to = result.totals().get(report);
        if (Math.abs(percent) < NOISE) {
            findings.add(new Finding(
                    Severity.INFO,
                    "same_time",
                    own + " takes as long as " + base + ": " + Words.time(to) + " against " + Words.time(from) + ".",
                    basis));
            return;
        }
        if (isUnclear(change)) {
            findings.add(new Finding(
                    Severity.INFO,
                    "unclear",
                    own + " differs from " + base + " only within noise: " + Words.time(to) + " against "
                            + Words.time(from) + "."
                            + String.format(
                                    Locale.ROOT,
                                    " The 95 %% CI of the change is %+.2f to %+.2f %%.",
                                    change.lowPercent(),
                                    change.highPercent()),
                    "gpu_timeline_by_step, total time ms"));
            return;
        }
        boolean slower = percent > 0;
        findings.add(new Finding(
                        slower ? Severity.PROBLEM : Severity.NOTICE,
                        slower ? "slower" : "faster",
                        own + " takes " + Words.time(Math.abs(to - from)) + " ("
                                + Words.share(Math.abs(to - from), from) + ") " + (slower ? "more" : "less") + " than "
                                + base + ": " + Words.time(to) + " against " + Words.time(from) + "."
                                + (change.interval().isKnown()
                                        ? ""
                                        : " Without steps to compare, noise cannot be ruled out."),
                        basis)
                .on(of.isEmpty() ? new Evidence.Rows("overview", List.of(report)) : new Evidence.Rows(of, List.of())));
    }

    /** Nothing is said of reports that have no total time at all: those of collectives alone. */
    private void unknown(int report, String base) {
        long from = result.totals().getFirst();
        long to = result.totals().get(report);
        if (from < 0 && to < 0 && result.unread().isEmpty()) {
            return;
        }
        String own = result.names().get(report);
        findings.add(new Finding(
                Severity.NOTICE,
                "total_unknown",
                from == 0 && to >= 0
                        ? own + " takes " + Words.time(to) + ", " + base + " no time: there is no percentage of that."
                        : "Whether " + own + " takes longer than " + base + " is unknown: no total time of "
                                + (from < 0 ? base : own) + (from < 0 && to < 0 ? " and of " + own : "") + ".",
                "overview, total time ms"));
    }

    /** Where both are reports on collectives: how much of the communication is waiting for late ranks. */
    private void lateness(int report) {
        String own = result.names().get(report);
        String base = result.names().getFirst();
        Lateness.Side one = new Lateness.Side(own, result.lateness().get(report), 1);
        Lateness.Side other = new Lateness.Side(base, result.lateness().getFirst(), 1);
        String text = Lateness.words(one, other, one.exposedMs() - other.exposedMs(), Double.NaN);
        if (!text.isEmpty()) {
            boolean late = !one.lateness().late().isEmpty();
            findings.add(new Finding(
                    late ? Severity.PROBLEM : Severity.INFO,
                    "late_ranks",
                    own + " against " + base + ", mean over ranks." + text,
                    "straggler_summary: exposed_comm_us, exposed_wait_us, saves_together_us"));
        }
    }

    /** Whether the scatter over steps may make the whole difference. */
    private static boolean isUnclear(Change change) {
        return change.interval().isKnown() && !change.interval().excludesZero();
    }

    /** The contributions that made it slower; where nothing did, those that made it faster. */
    private void largest(Contributions contributions, boolean unclear) {
        int told = 0;
        for (Contribution row : contributions.named()) {
            boolean slower = row.differenceNs() > 0;
            if (told < MOST
                    && worth(row, contributions)
                    && !(contributions.level().equals(Contributions.IDLE_CAUSE) && result.mayBeChance(row))
                    && (slower || contributions.differenceNs() < 0)) {
                told++;
                findings.add(new Finding(
                                unclear ? Severity.INFO : Severity.NOTICE,
                                (slower ? "slower_" : "faster_")
                                        + contributions.level().replace(' ', '_'),
                                sentence(row, contributions),
                                Contributions.sheet(contributions.level()) + ", difference ms")
                        .on(rows(contributions, List.of(row))));
            }
        }
    }

    /** Where contributions stand in their sheet, which holds those of one candidate after the other. */
    private Evidence rows(Contributions of, List<Contribution> wanted) {
        int first = before.getOrDefault(of.level(), 0);
        return new Evidence.Rows(
                Contributions.sheet(of.level()),
                wanted.stream().map(row -> first + of.rows().indexOf(row)).toList());
    }

    private static String sentence(Contribution row, Contributions contributions) {
        boolean slower = row.differenceNs() > 0;
        String change = Words.time(Math.abs(row.differenceNs())) + (slower ? " more" : " less");
        String of = switch (row.presence()) {
            case "candidate only" -> " (only here)";
            case "baseline only" -> " (only in the baseline)";
            default ->
                row.baselineNs() <= 0
                        ? ""
                        : " (" + (slower ? "+" : "-") + Words.share(Math.abs(row.differenceNs()), row.baselineNs())
                                + ")";
        };
        if (contributions.level().equals(Contributions.IDLE_CAUSE)) {
            return contributions.candidate() + ": the device is idle " + Words.time(Math.abs(row.differenceNs()))
                    + (slower ? " longer" : " less") + " for " + IdleCause.words(row.what()) + ". It is "
                    + Words.time(row.candidateNs()) + " instead of " + Words.time(row.baselineNs()) + "."
                    + weight(row, contributions);
        }
        return contributions.candidate() + ", by " + contributions.level() + ": " + Words.name(Words.part(row.what()))
                + " takes "
                + change
                + of + "." + why(row) + weight(row, contributions);
    }

    /** What a contribution is of the whole difference; nothing where it is a multiple of it, or goes against it. */
    private static String weight(Contribution row, Contributions contributions) {
        double share = (double) row.differenceNs() / contributions.differenceNs();
        return share > 0 && share <= 1
                ? " That is " + Words.share(row.differenceNs(), contributions.differenceNs())
                        + " of the difference in total time."
                : "";
    }

    private static String why(Contribution row) {
        Long byCount = row.byCountNs();
        if (byCount == null || !row.presence().equals("both")) {
            return "";
        }
        if (row.baselineCount() == row.candidateCount()) {
            return " On average each one " + (row.differenceNs() > 0 ? "takes longer." : "is shorter.");
        }
        boolean mostly = Math.abs(byCount) > Math.abs(row.differenceNs() - byCount);
        String counts = Words.count(row.candidateCount()) + " instead of " + Words.count(row.baselineCount());
        return mostly ? " There are " + counts + "." : " Mostly the mean of each one changed (" + counts + ").";
    }

    /** Kernels that only one side has. */
    private void presence(Contributions contributions) {
        if (!contributions.level().equals("kernel")) {
            return;
        }
        long gone = 0;
        long fresh = 0;
        for (Contribution row : contributions.named()) {
            gone += row.presence().equals("baseline only") ? row.baselineNs() : 0;
            fresh += row.presence().equals("candidate only") ? row.candidateNs() : 0;
        }
        if (gone + fresh > WORTH * contributions.baselineNs()) {
            findings.add(new Finding(
                            Severity.NOTICE,
                            "other_kernels",
                            "Kernels of " + Words.time(gone) + " run only in the baseline, kernels of "
                                    + Words.time(fresh) + " only in " + contributions.candidate()
                                    + ". Names differ between devices and library versions.",
                            "contributions_by_kernel, in")
                    .on(rows(
                            contributions,
                            contributions.named().stream()
                                    .filter(row -> !row.presence().equals("both"))
                                    .toList())));
        }
    }

    private static boolean worth(Contribution row, Contributions contributions) {
        return Math.abs(row.differenceNs()) > WORTH * contributions.baselineNs();
    }
}
