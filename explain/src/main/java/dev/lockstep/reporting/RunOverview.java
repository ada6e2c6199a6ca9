// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.comm.Stragglers;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.RunAnswer;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.Heat;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.OfRank;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import dev.lockstep.words.ShownNames;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The report of a whole run: its ranks side by side, by step, and what they did together. */
public final class RunOverview {
    private static final double NS_PER_MS = 1e6;
    private static final int MOST_BARS = 64;
    private static final int MOST_STEPS = 60;

    /** Peaks of memory that are further apart than this are worth a word. */
    private static final double UNEVEN = 1.1;

    private final MatchedRanks run;
    private final SortedMap<Integer, RankFigures> figures;
    private final List<Line> lines = new ArrayList<>();
    private final List<StepLine> steps = new ArrayList<>();

    /** A rank, and what others waited for it, where that is known. */
    private record Line(int rank, RankFigures figures, Stragglers.@Nullable Row waits) {
        /** Communication that nothing hides, while the rank waits for others, in ns. */
        long waiting() {
            Parts parts = figures.parts();
            return waits == null || parts == null ? 0 : Math.min(parts.exposedCommunication(), waits.exposedWait());
        }
    }

    /** A step of a rank beside the same step of the others. */
    private record StepLine(int rank, RankFigures.Step step, double period, double own, double beyond) {}

    private RunOverview(MatchedRanks run, SortedMap<Integer, RankFigures> figures) {
        this.run = run;
        this.figures = figures;
    }

    /**
     * The report of a run.
     *
     * @param figures what is known of each rank that was read, by rank
     * @param answers of the ranks, as far as they have some that are to be believed
     */
    public static Report of(
            MatchedRanks run, SortedMap<Integer, RankFigures> figures, SortedMap<Integer, Answer> answers) {
        return new RunOverview(run, figures).report(answers);
    }

    private Report report(SortedMap<Integer, Answer> answers) {
        boolean together = run.present().stream().anyMatch(rank -> rank.size() > 0);
        Map<Integer, Stragglers.Row> waits = new HashMap<>();
        if (together) {
            run.stragglers().stream().filter(Stragglers.Row::isKnown).forEach(row -> waits.put(row.rank(), row));
        }
        figures.forEach((rank, one) -> lines.add(new Line(rank, one, waits.get(rank))));
        compareSteps();
        List<Section> rest = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        Section facts = new FactsSection("Run", List.of(CollectiveReport.ranks(run.ranks())));
        if (together) {
            for (Section section : CollectiveReport.unanswered(run).sections()) {
                switch (section) {
                    case FactsSection one -> facts = one;
                    case FindingsSection one -> findings.addAll(one.findings());
                    default -> rest.add(section);
                }
            }
        } else {
            rest.add(new NotApplicable("collectives", "no rank has a collective"));
            rest.add(new TableSection(CollectiveReport.coverage(run.ranks())));
        }
        findings.addAll(findings());
        List<Section> sections = new ArrayList<>(List.of(facts, new FindingsSection("Findings", findings)));
        if (lines.stream().anyMatch(line -> line.figures.parts() != null)) {
            sections.add(new ChartSection(bars()));
        }
        if (!steps.isEmpty()) {
            sections.add(new ChartSection(heat()));
        }
        sections.add(new TableSection(ranks(), leads(lines, line -> new OfRank(line.rank, null))));
        if (!steps.isEmpty()) {
            sections.add(new TableSection(stepTable(), leads(steps, line -> new OfRank(line.rank, line.step.place()))));
        }
        if (steps.isEmpty()) {
            sections.add(new NotApplicable(
                    "rank_steps", "no two ranks recorded the same steps, or there is but one: its end is not known"));
        }
        sections.addAll(rest);
        String title = "Performance of " + Words.count(lines.size(), "rank", "ranks");
        return ShownNames.of(new Report(title, run.source(), sections).beginning(RunAnswer.of(run, answers)));
    }

    private static <T> Supplier<List<Evidence>> leads(List<T> lines, Function<T, Evidence> lead) {
        return () -> lines.stream().map(lead).toList();
    }

    /** The steps in which ranks are compared, each beside the median of the ranks of its kind. */
    private void compareSteps() {
        if (!figures.values().stream()
                .allMatch(one -> one.steps().size() == one.ofRun().size())) {
            throw new IllegalStateException("each step with activity has its own time");
        }
        FleetSteps all = run.steps();
        double[][] above = all.aboveMedian(all.own());
        for (Line line : lines) {
            int rank = Arrays.binarySearch(all.ranks(), line.rank);
            List<StepsByRank.Step> own = line.figures.ofRun();
            for (int i = 0; rank >= 0 && i < own.size(); i++) {
                int step = all.step(own.get(i));
                if (step >= 0 && !Double.isNaN(above[rank][step]) && all.steps().length > 1) {
                    steps.add(new StepLine(
                            line.rank,
                            line.figures.steps().get(i),
                            all.period()[rank][step],
                            all.own()[rank][step],
                            above[rank][step]));
                }
            }
        }
    }

    // ---- in words ----

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        idle(findings);
        memory(findings);
        return findings;
    }

    private void idle(List<Finding> findings) {
        List<Line> known = lines.stream()
                .filter(line -> line.figures.parts() != null && share(line) >= 0)
                .sorted(Comparator.comparingDouble(RunOverview::share))
                .toList();
        if (known.isEmpty()) {
            return;
        }
        Line most = known.getLast();
        Line least = known.getFirst();
        String text = known.size() == 1
                ? String.format(Locale.ROOT, "The device of rank %d is idle %s of the time.", most.rank, idle(most))
                : String.format(
                        Locale.ROOT,
                        "Devices are idle %s (rank %d) to %s (rank %d) of the time.",
                        idle(least),
                        least.rank,
                        idle(most),
                        most.rank);
        findings.add(new Finding(Severity.INFO, "run_idle", text, "ranks: idle %")
                .on(new Evidence.Rows("ranks", List.of(lines.indexOf(most), lines.indexOf(least))))
                .on(new OfRank(most.rank, null)));
    }

    private static String idle(Line line) {
        Parts parts = Objects.requireNonNull(line.figures.parts());
        return Words.share(parts.idle(), parts.total());
    }

    private static double share(Line line) {
        Parts parts = line.figures.parts();
        return parts == null || parts.total() == 0 ? -1 : 100.0 * parts.idle() / parts.total();
    }

    private void memory(List<Finding> findings) {
        List<Line> known = lines.stream()
                .filter(line -> line.figures.peakMemory() > 0)
                .sorted(Comparator.comparingLong(line -> line.figures.peakMemory()))
                .toList();
        if (known.size() < 2) {
            return;
        }
        Line most = known.getLast();
        Line middle = known.get((known.size() - 1) / 2);
        if (most.figures.peakMemory() > UNEVEN * middle.figures.peakMemory()) {
            findings.add(new Finding(
                            Severity.NOTICE,
                            "memory_uneven",
                            "Rank " + most.rank + " needs the most memory: " + Words.bytes(most.figures.peakMemory())
                                    + " at its peak. The median rank needs "
                                    + Words.bytes(middle.figures.peakMemory()) + ".",
                            "ranks: peak memory MiB")
                    .on(new Evidence.Rows("ranks", List.of(lines.indexOf(most))))
                    .on(new OfRank(most.rank, null)));
        }
    }

    // ---- pictures ----

    private Chart bars() {
        List<Line> shown = lines.stream()
                .filter(line -> line.figures.parts() != null)
                .sorted(Comparator.comparingLong((Line line) -> -(line.waits == null ? 0 : line.waits.caused()))
                        .thenComparingInt(Line::rank))
                .limit(MOST_BARS)
                .sorted(Comparator.comparingInt(Line::rank))
                .toList();
        List<Bar> bars = new ArrayList<>();
        for (Line line : shown) {
            Parts parts = Objects.requireNonNull(line.figures.parts());
            double[] values = {
                parts.computation() / NS_PER_MS,
                (parts.exposedCommunication() - line.waiting()) / NS_PER_MS,
                line.waiting() / NS_PER_MS,
                parts.exposedMemory() / NS_PER_MS,
                parts.exposedOther() / NS_PER_MS,
                parts.idle() / NS_PER_MS
            };
            bars.add(new Bar("rank " + line.rank, values, new OfRank(line.rank, null)));
        }
        String left = shown.size() < lines.size()
                ? " Of " + lines.size() + " ranks, the " + shown.size() + " that others wait for most are drawn."
                : "";
        return new StackedBars(
                "Ranks side by side",
                "From the first to the last activity of each rank's device: computation, communication that nothing"
                        + " hides, the part of it spent waiting for the last rank, copies, and idle time. A rank that is"
                        + " waited for waits least itself." + left,
                "ms",
                List.of(
                        "computation",
                        "exposed communication",
                        "waiting for others",
                        "exposed copies",
                        "other",
                        "idle"),
                bars);
    }

    private Chart heat() {
        List<Integer> ranks = steps.stream()
                .map(StepLine::rank)
                .distinct()
                .sorted()
                .limit(MOST_BARS)
                .toList();
        List<Long> numbers = steps.stream()
                .map(line -> line.step.number())
                .distinct()
                .sorted()
                .limit(MOST_STEPS)
                .toList();
        double[][] values = new double[ranks.size()][numbers.size()];
        Evidence[] leads = new Evidence[ranks.size() * numbers.size()];
        Arrays.fill(leads, new OfRank(-1, null));
        for (double[] row : values) {
            Arrays.fill(row, Double.NaN);
        }
        for (StepLine line : steps) {
            int row = ranks.indexOf(line.rank);
            int column = numbers.indexOf(line.step.number());
            if (row >= 0 && column >= 0) {
                values[row][column] = line.beyond / NS_PER_MS;
                leads[row * numbers.size() + column] = new OfRank(line.rank, line.step.place());
            }
        }
        return new Heat(
                "Step time by rank",
                "Time of each step without exposed communication, less the median of the ranks of its kind: what the rank itself"
                        + " takes more.",
                "ms",
                ranks.stream().map(rank -> "rank " + rank).toList(),
                numbers.stream().map(number -> "step " + number).toList(),
                values,
                Chart.Scale.CHANGE,
                List.of(leads));
    }

    // ---- in numbers ----

    private Table ranks() {
        return new Fields<Line>()
                .add(ColumnSpec.id("rank", "Rank of the process."), Line::rank)
                .add(
                        time(
                                "caused waiting ms",
                                "Time that others waited because this rank came last, summed over them; missing"
                                        + " without collectives."),
                        line -> line.waits == null ? null : (Long) line.waits.caused())
                .add(
                        time(
                                "waiting for others ms",
                                "Time in which the rank did nothing but wait for the last to come; missing without"
                                        + " collectives."),
                        line -> line.waits == null ? null : (Long) line.waiting())
                .add(
                        time(
                                ColumnNames.TOTAL_TIME_MS,
                                "From the first to the last activity of its device; missing without any."),
                        line -> part(line, Parts::total))
                .add(
                        time(ColumnNames.COMPUTATION_MS, "Time with any computation."),
                        line -> part(line, Parts::computation))
                .add(
                        time(ColumnNames.EXPOSED_COMM_MS, "Communication while no computation runs, waiting included."),
                        line -> part(line, Parts::exposedCommunication))
                .add(
                        time(ColumnNames.EXPOSED_MEMCPY_MS, "Copies and fills while neither runs."),
                        line -> part(line, Parts::exposedMemory))
                .add(
                        time(ColumnNames.IDLE_MS, "Time in which the device did nothing."),
                        line -> part(line, Parts::idle))
                .add(
                        ColumnSpec.percent(ColumnNames.IDLE_PERCENT, "Share of the total that is idle."),
                        line -> share(line) < 0 ? null : share(line))
                .add(
                        ColumnSpec.count("steps", "Steps with device activity."),
                        line -> line.figures.steps().size())
                .add(
                        ColumnSpec.real(
                                "median step ms",
                                Unit.NANOSECONDS,
                                Unit.MILLISECONDS,
                                "Median step, each from the end of the step before to its own end; missing without steps."),
                        line -> median(line, StepsByRank.Step::period))
                .add(
                        ColumnSpec.real(
                                "median own ms",
                                Unit.NANOSECONDS,
                                Unit.MILLISECONDS,
                                "The same without exposed communication: what the rank itself takes."),
                        line -> median(line, StepsByRank.Step::own))
                .add(
                        ColumnSpec.whole(
                                "peak memory MiB",
                                Unit.BYTES,
                                Unit.MEBIBYTES,
                                "Most memory allocated at a time; missing when not recorded."),
                        line -> line.figures.peakMemory() < 0 ? null : (Long) line.figures.peakMemory())
                .table("ranks", "Ranks, in numbers", lines);
    }

    private static ColumnSpec time(String header, String doc) {
        return ColumnSpec.millis(header, doc);
    }

    private static @Nullable Long part(Line line, ToLongFunction<Parts> of) {
        Parts parts = line.figures.parts();
        return parts == null ? null : (Long) of.applyAsLong(parts);
    }

    private static @Nullable Double median(Line line, ToDoubleFunction<StepsByRank.Step> of) {
        double[] sorted = line.figures.ofRun().stream().mapToDouble(of).sorted().toArray();
        return sorted.length == 0 ? null : (Double) Quantiles.lowerMedian(sorted, Double.NaN);
    }

    private Table stepTable() {
        return new Fields<StepLine>()
                .add(ColumnSpec.id("rank", "Rank of the process."), StepLine::rank)
                .add(ColumnSpec.id("step", "Number of the step as its annotation counts."), line -> line.step.number())
                .add(
                        real(
                                "longer ms",
                                "What the rank itself takes more than the median of its kind in the same step."),
                        StepLine::beyond)
                .add(real("own ms", "The step without exposed communication."), StepLine::own)
                .add(real("step ms", "From the end of the step before to its own end."), StepLine::period)
                .add(
                        ColumnSpec.millis(ColumnNames.EXPOSED_COMM_MS, "Communication while no computation runs."),
                        line -> line.step.parts().exposedCommunication())
                .add(
                        ColumnSpec.millis(ColumnNames.IDLE_MS, "Time in which the device did nothing."),
                        line -> line.step.parts().idle())
                .table("rank_steps", "Steps of every rank", steps);
    }

    private static ColumnSpec real(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }
}
