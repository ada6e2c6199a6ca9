// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.analyze.comm.ClockSheet;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.Throughout;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.StragglerCosts;
import dev.lockstep.path.StragglerCosts.Cost;
import dev.lockstep.ranks.ClockWords;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.RunAnswer;
import dev.lockstep.ranks.SlowRankFindings;
import dev.lockstep.ranks.trust.RunTrust;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.Subject;
import dev.lockstep.straggler.StragglerSheets.Priced;
import dev.lockstep.straggler.StragglerSheets.RankStep;
import dev.lockstep.straggler.StragglerSheets.StepTimes;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the ranks of a run cost that take longer than others, from their traces, as a report. */
public final class RankStragglerReport {
    private static final double HUNDRED = 100;
    private static final double NS_PER_MS = 1e6;
    private static final double MOST_OF_IT = 0.5;
    private static final int MOST_RANKS_DRAWN = 256;
    private static final String CHANCE =
            "Most of it lay in few ranks, as chance alone makes it in so few or so uneven steps";

    private final StragglerCosts costs;
    private final List<Finding> slow;
    private final double recorded;
    private final double replayed;
    private final double ideal;

    private RankStragglerReport(StragglerCosts costs, List<Finding> slow) {
        this.costs = costs;
        this.slow = slow;
        recorded = StragglerCosts.mean(costs.recorded());
        replayed = StragglerCosts.mean(costs.replayed());
        ideal = StragglerCosts.mean(costs.ideal());
    }

    /**
     * The report of a run. Ranks are replayed together as far as their times are compared.
     *
     * @param steps of the ranks that were read, on their own clocks
     * @param fastest whether the durations of the fastest rank are typical; else they are the usual ones
     * @param threshold the slowdown from which on it is a problem
     */
    public static Report of(MatchedRanks run, List<List<Step>> steps, boolean fastest, double threshold) {
        Collectives collectives = run.collectives();
        Section clocks = new TableSection(ClockSheet.of(collectives.clocks(), collectives.clock()));
        List<Finding> slow = slowRanks(run);
        List<Finding> more = ClockWords.unknown(run);
        Set<Integer> tied =
                run.compared().present().stream().map(RankCollectives::rank).collect(Collectors.toSet());
        if (tied.size() < 2) {
            slow.addAll(more);
            return untied(run, slow, clocks).believing(RunTrust.of(run));
        }
        List<List<Step>> ofTied = IntStream.range(0, steps.size())
                .filter(place -> tied.contains(run.present().get(place).rank()))
                .mapToObj(steps::get)
                .toList();
        RunDependencies graph = Objects.requireNonNull(run.dependencies(), "what each rank did was kept");
        return new RankStragglerReport(graph.costs(ofTied, fastest, run.threads()), slow)
                .report(run.source(), run.count(), threshold, more)
                .beginning(RunAnswer.of(run, new TreeMap<>()))
                .with(clocks)
                .believing(RunTrust.of(run));
    }

    /** Where nothing ties the clocks of the ranks, nobody can say who waited for whom. */
    private static Report untied(MatchedRanks run, List<Finding> findings, Section clocks) {
        List<Fact> facts = List.of(
                new Fact("slowdown", "unknown", "Nothing ties the clocks of the ranks."),
                new Fact("ranks", run.count(), ""));
        return new Report(
                "Stragglers",
                run.source(),
                List.of(
                        new FactsSection("Run", facts),
                        new FindingsSection("Findings", findings),
                        clocks,
                        new NotApplicable(
                                "straggler_whatif",
                                "nothing ties the clocks of the ranks: when one waited is unknown")));
    }

    /**
     * @param slow what is said of slow ranks
     * @param ranks how many ranks of the run were read, in words
     */
    static Report of(StragglerCosts costs, List<Finding> slow, String source, String ranks, double threshold) {
        return new RankStragglerReport(costs, slow).report(source, ranks, threshold, List.of());
    }

    /** @param more what else is found */
    private Report report(String source, String ranks, double threshold, List<Finding> more) {
        List<Section> sections = new ArrayList<>();
        boolean marked = costs.steps()[0] >= 0;
        long kinds = Arrays.stream(costs.kinds()).distinct().count();
        sections.add(new FactsSection(
                "Run",
                List.of(
                        new Fact(
                                "slowdown",
                                factor(replayed / ideal),
                                "Step time as recorded against typical durations."),
                        new Fact("ranks", ranks, ""),
                        new Fact(
                                "kinds of ranks", Long.toString(kinds), "Ranks that do the same work are of one kind."),
                        new Fact("steps", marked ? Integer.toString(costs.steps().length) : "not marked", ""))));
        List<Finding> findings = findings(threshold, kinds);
        findings.addAll(more);
        sections.add(new FindingsSection("Findings", findings));
        sections.add(new TableSection(StragglerSheets.prices(prices(), ideal)));
        sections.add(new TableSection(StragglerSheets.steps(steps())));
        if (costs.ranks().length <= MOST_RANKS_DRAWN) {
            sections.add(new ChartSection(StragglerSheets.map(costs.ranks(), costs.steps(), map())));
        }
        sections.add(new TableSection(StragglerSheets.cells(cells())));
        sections.add(new NotApplicable("M_S", "traces do not say which ranks are the last stage of a pipeline"));
        if (!marked) {
            sections.add(new NotApplicable("steps", "not every rank marks its steps: the trace counts as one"));
        }
        return new Report("Stragglers", source, sections);
    }

    private List<Finding> findings(double threshold, long kinds) {
        List<Finding> found = new ArrayList<>();
        slow.forEach(one -> found.add(one.on(StragglerSheets.pricesOf(prices(), row -> isAbout(row, one)))));
        boolean uneven = replayed >= threshold * ideal;
        String cost = replayed > ideal ? Words.share(Math.round(replayed - ideal), Math.round(replayed)) : "0 %";
        String usual = kinds > 1 ? " Typical is what ranks of the same role take: there are " + kinds + " roles." : "";
        found.add(new Finding(
                        uneven ? Severity.PROBLEM : Severity.INFO,
                        "straggler_slowdown",
                        String.format(
                                Locale.ROOT,
                                "Untypical times cost %s of a step: with typical ones it takes %.3f ms instead of %.3f ms"
                                        + " (S = %.4f).%s",
                                cost,
                                ideal / NS_PER_MS,
                                replayed / NS_PER_MS,
                                replayed / ideal,
                                usual),
                        "straggler_whatif")
                .on(StragglerSheets.pricesOf(prices(), row -> row.scope().equals("job")), costliest()));
        if (costs.leftOut() > 0) {
            found.add(new Finding(
                    Severity.NOTICE,
                    "straggler_other_steps",
                    String.format(
                            Locale.ROOT,
                            "%,d of %,d steps count. Not all ranks have the others, or a trace begins in them while others"
                                    + " are under way.",
                            costs.steps().length,
                            costs.steps().length + costs.leftOut()),
                    "straggler_steps"));
        }
        if (uneven) {
            found.add(causes());
            found.add(worst());
        }
        double part = HUNDRED * (recorded / replayed - 1);
        found.add(new Finding(
                        part >= HUNDRED * (threshold - 1) ? Severity.NOTICE : Severity.INFO,
                        "straggler_unexplained",
                        String.format(
                                Locale.ROOT,
                                "The run is %+.2f %% longer than its replay. No dependency explains that part, and no"
                                        + " slowdown is known more exactly.",
                                part),
                        "straggler_steps")
                .on(Evidence.Rows.first("straggler_steps", costs.steps().length)));
        return found;
    }

    private static boolean isAbout(Priced row, Finding finding) {
        return row.scope().equals("rank")
                && switch (finding.subject()) {
                    case Subject.OfRank of -> row.subject().equals(Integer.toString(of.rank()));
                    case Subject.OfRanks of ->
                        of.ranks().stream().anyMatch(rank -> row.subject().equals(Integer.toString(rank)));
                    case null, default -> false;
                };
    }

    /** The slow ranks, and what the run gains without them: the same as every other report across ranks says. */
    private static List<Finding> slowRanks(MatchedRanks run) {
        SlowRankFindings slow = new SlowRankFindings(run.slow(), run.gains(), run.steps());
        List<Finding> found = new ArrayList<>();
        Finding together = slow.together();
        if (together != null) {
            found.add(together);
        }
        for (SlowRanks.Slow one : run.slow().slow()) {
            found.add(slow.of(one, "", run.lateStage(one)).on(new Evidence.OfRank(one.rank(), null)));
        }
        return found;
    }

    private Finding causes() {
        String text = costs.types().stream()
                .map(type -> type.label() + " " + factor(type.mean() / ideal))
                .collect(Collectors.joining(", "));
        return new Finding(
                        Severity.NOTICE,
                        "straggler_groups",
                        "Slowdown if only one class of work stays as recorded: " + text
                                + ". Classes overlap, so these do not add up.",
                        "straggler_whatif")
                .on(StragglerSheets.pricesOf(prices(), row -> row.scope().equals("type")));
    }

    private Finding worst() {
        Set<String> worst = Arrays.stream(costs.worst())
                .mapToObj(r -> costs.byRank().get(r).label())
                .collect(Collectors.toSet());
        double gone = (replayed - costs.removed()) / (replayed - ideal);
        String names = Arrays.stream(costs.worst())
                .mapToObj(r -> "rank " + costs.ranks()[r] + " (S = "
                        + factor(costs.byRank().get(r).mean() / ideal) + ")")
                .collect(Collectors.joining(", "));
        boolean sure = gone >= MOST_OF_IT && isSure();
        String kind = sure
                ? "Most of it lies in single ranks"
                : gone >= MOST_OF_IT
                        ? CHANCE
                        : "No single rank holds most of it: the work varies over ranks"
                                + (costs.steps().length > 1 ? " and steps" : "");
        return new Finding(
                        sure ? Severity.PROBLEM : Severity.NOTICE,
                        "straggler_workers",
                        String.format(
                                Locale.ROOT,
                                "Without %s the slowdown shrinks by %.1f %% (M_W = %.3f). %s %.1f %% of the ranks. %s.",
                                names,
                                HUNDRED * gone,
                                gone,
                                costs.worst().length == 1 ? "That is" : "Those are",
                                HUNDRED * costs.worst().length / costs.ranks().length,
                                kind),
                        "straggler_heatmap")
                .on(
                        StragglerSheets.pricesOf(
                                prices(), row -> row.scope().equals("rank") && worst.contains(row.subject())),
                        costliest());
    }

    private Evidence costliest() {
        return new Evidence.OfRank(costs.worst().length == 0 ? -1 : costs.ranks()[costs.worst()[0]], null);
    }

    /** Whether each of the worst takes longer than a rank in the middle beyond chance, or is one of the slow ranks. */
    private boolean isSure() {
        boolean[] throughout = Throughout.of(costs.excess(), true);
        return Arrays.stream(costs.worst()).allMatch(r -> throughout[r] || isSlow(costs.ranks()[r]));
    }

    private boolean isSlow(int rank) {
        return slow.stream().anyMatch(finding -> finding.subject() instanceof Subject.OfRank of && of.rank() == rank);
    }

    private List<Priced> prices() {
        List<Priced> rows = new ArrayList<>();
        rows.add(new Priced("job", "all activities", replayed / ideal));
        for (Cost type : costs.types()) {
            rows.add(new Priced("type", type.label(), type.mean() / ideal));
        }
        costs.byRank().stream()
                .sorted((a, b) -> Double.compare(b.mean(), a.mean()))
                .forEach(rank -> rows.add(new Priced("rank", rank.label(), rank.mean() / ideal)));
        return rows;
    }

    private List<StepTimes> steps() {
        List<StepTimes> rows = new ArrayList<>();
        for (int s = 0; s < costs.steps().length; s++) {
            rows.add(new StepTimes(
                    costs.steps()[s],
                    costs.recorded()[s],
                    costs.replayed()[s],
                    costs.ideal()[s],
                    (double) costs.replayed()[s] / costs.ideal()[s]));
        }
        return rows;
    }

    private double[][] map() {
        double[][] cells = new double[costs.ranks().length][costs.steps().length];
        for (int r = 0; r < cells.length; r++) {
            for (int s = 0; s < cells[r].length; s++) {
                cells[r][s] = (double) costs.byRank().get(r).steps()[s] / costs.ideal()[s];
            }
        }
        return cells;
    }

    private List<RankStep> cells() {
        double[][] map = map();
        List<RankStep> rows = new ArrayList<>();
        for (int r = 0; r < map.length; r++) {
            for (int s = 0; s < map[r].length; s++) {
                rows.add(new RankStep(costs.ranks()[r], -1, -1, costs.steps()[s], map[r][s]));
            }
        }
        return rows;
    }

    private static String factor(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
