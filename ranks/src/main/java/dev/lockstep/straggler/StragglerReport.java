// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.Fact;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.straggler.StragglerFigures.Groups;
import dev.lockstep.straggler.StragglerFigures.Odd;
import dev.lockstep.straggler.StragglerFigures.Share;
import dev.lockstep.straggler.StragglerFigures.Workers;
import dev.lockstep.straggler.StragglerSheets.Priced;
import dev.lockstep.straggler.StragglerSheets.RankStep;
import dev.lockstep.straggler.StragglerSheets.StepTimes;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The figures of a job as a report: what it costs, who it is, what the model leaves open. */
public final class StragglerReport {
    private static final double NS_PER_SECOND = 1e9;
    private static final double HUNDRED = 100;
    /** From which share on a cause is named as the one. */
    private static final double MOST_OF_IT = 0.5;

    private static final double TOGETHER = 0.9;

    /** From this correlation on a tenth of what one varies by goes with the other. */
    private static final double IN_PART = 0.32;

    private static final int MOST_ROWS_DRAWN = 256;

    private final StragglerFigures figures;
    private final double idealNs;

    private StragglerReport(StragglerFigures figures) {
        this.figures = figures;
        idealNs = ns(mean(figures.idealSteps()));
    }

    /** The report of a job; {@code more} is said behind its findings, and shown behind its sheets. */
    public static Report of(StragglerFigures figures, List<Finding> more, List<Table> sheets) {
        return new StragglerReport(figures).report(more, sheets);
    }

    private Report report(List<Finding> more, List<Table> sheets) {
        List<Section> sections = new ArrayList<>();
        sections.add(new FactsSection("Job", facts()));
        List<Finding> findings = new ArrayList<>(findings());
        findings.addAll(more);
        sections.add(new FindingsSection("Findings", findings));
        sections.add(new TableSection(StragglerSheets.prices(prices(), idealNs)));
        sections.add(new TableSection(steps()));
        Workers workers = figures.workers();
        if (workers != null) {
            sections.add(new ChartSection(grid(workers)));
            if (workers.exact() && workers.ranks().length <= MOST_ROWS_DRAWN) {
                sections.add(new ChartSection(map(workers)));
            }
            sections.add(new TableSection(cells(workers)));
        }
        sheets.forEach(sheet -> sections.add(new TableSection(sheet)));
        return new Report("Stragglers", figures.job().source(), sections);
    }

    private List<Fact> facts() {
        StragglerFigures.Job job = figures.job();
        return List.of(
                new Fact("slowdown", factor(figures.slowdown()), "Step time as recorded against typical durations."),
                new Fact("steps", Integer.toString(figures.steps().length), ""),
                new Fact("data-parallel ranks", Integer.toString(job.dataParallel()), ""),
                new Fact("stages", Integer.toString(job.stages()), ""),
                new Fact("micro-batches", Integer.toString(job.microBatches()), "Of a step."),
                new Fact("ideal", ideal(), "Whose durations are taken for typical."));
    }

    private String ideal() {
        return switch (figures.job().idealOf()) {
            case ALL -> "all stages together";
            case ROLE -> "each stage for itself";
            case FASTEST -> "the fastest worker of each stage";
        };
    }

    private List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        Groups kept = figures.kept();
        double slowdown = figures.slowdown();
        String cost = slowdown > 1 ? String.format(Locale.ROOT, "%.1f %%", HUNDRED * (1 - 1 / slowdown)) : "0 %";
        found.add(new Finding(
                        slowdown >= StragglerOptions.THRESHOLD ? Severity.PROBLEM : Severity.INFO,
                        "straggler_slowdown",
                        String.format(
                                Locale.ROOT,
                                "Untypical durations cost %s of a step: with typical ones it takes %.1f ms instead of"
                                        + " %.1f ms (S = %.4f). Typical durations are those of %s.",
                                cost,
                                idealNs / 1e6,
                                idealNs / 1e6 * slowdown,
                                slowdown,
                                ideal()),
                        "straggler_whatif")
                .on(rows("job", any -> true)));
        Workers workers = figures.workers();
        Share worst = figures.worst();
        if (kept != null && workers != null && worst != null) {
            found.add(who(kept));
            found.add(workers(workers, worst));
        }
        found.add(lastStage());
        if (kept != null && worst != null) {
            found.add(kind(worst));
        }
        found.add(unexplained());
        odd(found);
        return found;
    }

    private Finding who(Groups kept) {
        String types = kept.types().stream()
                .limit(2)
                .map(one -> one.label() + " " + factor(one.price()))
                .collect(Collectors.joining(", "));
        return new Finding(
                        Severity.NOTICE,
                        "straggler_groups",
                        "Largest slowdown if only one group stays as recorded: by type " + types + ", stage "
                                + kept.stages().getFirst().label() + " "
                                + factor(kept.stages().getFirst().price()) + ", data-parallel rank "
                                + kept.dataParallelRanks().getFirst().label() + " "
                                + factor(kept.dataParallelRanks().getFirst().price())
                                + ". Groups overlap, so these do not add up.",
                        "straggler_whatif")
                .on(StragglerSheets.pricesOf(
                        prices(),
                        row -> Set.of("type", "stage", "data-parallel rank").contains(row.scope())));
    }

    /** Rows of the sheet of prices. */
    private Evidence rows(String scope, Predicate<String> subject) {
        return StragglerSheets.pricesOf(prices(), row -> row.scope().equals(scope) && subject.test(row.subject()));
    }

    private Finding workers(Workers workers, Share worst) {
        String names = Arrays.stream(workers.chosen()).mapToObj(this::named).collect(Collectors.joining(", "));
        double share = HUNDRED * workers.chosen().length / workers.ranks().length;
        return new Finding(
                        worst.gone() >= MOST_OF_IT ? Severity.PROBLEM : Severity.INFO,
                        "straggler_workers",
                        String.format(
                                Locale.ROOT,
                                "The slowest %.1f %% of the workers explain %.1f %% of the slowdown (M_W = %.3f): %s. With"
                                        + " them alone as recorded, %.1f %% of it remains.%s",
                                share,
                                HUNDRED * worst.gone(),
                                worst.gone(),
                                names,
                                HUNDRED * worst.there(),
                                workers.exact()
                                        ? ""
                                        : " Workers were not replayed one by one: each counts as the better of its"
                                                + " stage and its data-parallel rank. One where a slow stage and a slow"
                                                + " rank meet may be blamed without fault."),
                        "straggler_heatmap")
                .on(rows(
                        "rank",
                        Arrays.stream(workers.chosen())
                                .mapToObj(worker -> Integer.toString(workers.ranks()[worker]))
                                .collect(Collectors.toSet())::contains));
    }

    private String named(int worker) {
        int stages = figures.job().stages();
        Workers workers = Objects.requireNonNull(figures.workers());
        return "rank " + workers.ranks()[worker] + " (stage " + worker % stages + ", data-parallel rank "
                + worker / stages + ")";
    }

    private Finding lastStage() {
        Share share = figures.lastStage();
        boolean known = figures.kept() != null
                && share.original() > share.ideal()
                && figures.slowdown() - 1 > Math.abs(figures.unexplained() - 1);
        String caveat = switch (figures.job().idealOf()) {
            case ALL -> "";
            case ROLE, FASTEST -> " More work by design does not count here: an ideal over all roles prices that.";
        };
        return new Finding(
                        known && share.gone() >= MOST_OF_IT ? Severity.PROBLEM : Severity.INFO,
                        "straggler_last_stage",
                        known
                                ? String.format(
                                        Locale.ROOT,
                                        "The last stage explains %.1f %% of the slowdown (M_S = %.3f). With it alone as"
                                                + " recorded, %.1f %% of it remains.%s",
                                        HUNDRED * share.gone(),
                                        share.gone(),
                                        HUNDRED * share.there(),
                                        caveat)
                                : "The share of the last stage (M_S) is unknown. Typical durations gain too little, or"
                                        + " less than the model leaves unexplained.",
                        "straggler_whatif")
                .on(rows("stage", Integer.toString(figures.job().stages() - 1)::equals));
    }

    /** Of very many workers no single replays are there; their worst are too many to be so by chance. */
    private static boolean isSure(@Nullable Workers workers) {
        return workers != null
                && (!workers.exact()
                        || StandingOut.isSure(
                                workers.replays().stream()
                                        .map(GroupSlowdown::times)
                                        .toList(),
                                workers.chosen()));
    }

    private Finding kind(Share worst) {
        boolean most = worst.gone() >= MOST_OF_IT;
        boolean worker = most && isSure(figures.workers());
        boolean stage = figures.lastStage().gone() >= MOST_OF_IT;
        double together = figures.findings().workVaries();
        boolean workload = together >= TOGETHER;
        String kind = worker
                ? "Single workers are slow."
                : stage ? "Most of it lies in the last stage." : "No single worker or stage holds most of it.";
        if (worker && stage) {
            kind = "Most of it lies in single workers, and in the last stage (they may be the same).";
        }
        if (most && !worker) {
            kind += " Most of it lay in few workers, as chance alone makes it in so few or so uneven steps.";
        }
        String work = Double.isNaN(together)
                ? ""
                : String.format(
                        Locale.ROOT,
                        " Forward and backward passes of a micro-batch %s (correlation %.2f).",
                        workload
                                ? "are long together, so the work itself varies"
                                : together >= IN_PART ? "are long together in part" : "do not vary together",
                        together);
        return new Finding(
                Severity.NOTICE, "straggler_kind", kind + work, "M_W and M_S from 0.5 on, correlation from 0.9 on");
    }

    private Finding unexplained() {
        double part = HUNDRED * (figures.unexplained() - 1);
        return new Finding(
                        Math.abs(part) >= HUNDRED * (StragglerOptions.THRESHOLD - 1) ? Severity.NOTICE : Severity.INFO,
                        "straggler_unexplained",
                        String.format(
                                Locale.ROOT,
                                "The run is %+.2f %% longer than its replay without delays. The model does not explain that"
                                        + " part, and no slowdown is known more exactly.",
                                part),
                        "straggler_steps")
                .on(Evidence.Rows.first("straggler_steps", figures.steps().length));
    }

    private void odd(List<Finding> found) {
        Odd odd = figures.findings();
        if (odd.backwards() > 0) {
            found.add(notice(String.format(
                    Locale.ROOT,
                    "%,d communications end before the last of their group has begun, by %.3f ms at most. Clocks"
                            + " differ, so their transfers count as nothing or less.",
                    odd.backwards(),
                    ns(odd.worst()) / 1e6)));
        }
        if (!odd.reordered().isEmpty()) {
            String who = odd.reordered().entrySet().stream()
                    .limit(5)
                    .map(e -> "rank " + e.getKey() + " in " + e.getValue() + " of " + figures.steps().length + " steps")
                    .collect(Collectors.joining(", "));
            int others = odd.reordered().size() - 5;
            found.add(notice(
                    "The replay follows the order of operations of data-parallel rank 0 in the first step. Other orders"
                            + " have: " + who + (others > 0 ? " and " + others + " more" : "") + "."));
        }
        if (odd.unmodelled() > 0) {
            found.add(notice(String.format(
                    Locale.ROOT,
                    "%,d collectives of data-parallel groups are left out: there is only one data-parallel rank.",
                    odd.unmodelled())));
        }
        for (Map.Entry<Long, String> left : odd.left().entrySet()) {
            found.add(notice("Step " + left.getKey() + " is left out: " + left.getValue() + "."));
        }
    }

    private static Finding notice(String text) {
        return new Finding(Severity.NOTICE, "straggler_input", text, "the table of operations");
    }

    private List<Priced> prices() {
        List<Priced> rows = new ArrayList<>();
        rows.add(new Priced("job", "all operations", figures.slowdown()));
        Groups kept = figures.kept();
        if (kept != null) {
            add(rows, "type", kept.types());
            add(rows, "stage", kept.stages());
            add(rows, "data-parallel rank", kept.dataParallelRanks());
        }
        Workers workers = figures.workers();
        if (workers != null) {
            IntStream.range(0, workers.ranks().length)
                    .boxed()
                    .sorted((a, b) -> Double.compare(workers.scores()[b], workers.scores()[a]))
                    .forEach(w ->
                            rows.add(new Priced("rank", Integer.toString(workers.ranks()[w]), workers.scores()[w])));
        }
        return rows;
    }

    private static void add(List<Priced> rows, String scope, List<GroupSlowdown> slowdowns) {
        slowdowns.forEach(one -> rows.add(new Priced(scope, one.label(), one.price())));
    }

    private Table steps() {
        List<StepTimes> rows = new ArrayList<>();
        for (int s = 0; s < figures.steps().length; s++) {
            rows.add(new StepTimes(
                    figures.steps()[s],
                    whole(figures.recorded()[s]),
                    whole(figures.replayed()[s]),
                    whole(figures.ideal()[s]),
                    figures.replayedSteps()[s] / figures.idealSteps()[s]));
        }
        return StragglerSheets.steps(rows);
    }

    private Table cells(Workers workers) {
        List<RankStep> rows = new ArrayList<>();
        int stages = figures.job().stages();
        for (int w = 0; w < workers.ranks().length; w++) {
            for (int s = 0; s < rowsOf(workers); s++) {
                rows.add(new RankStep(
                        workers.ranks()[w],
                        w % stages,
                        w / stages,
                        workers.exact() ? figures.steps()[s] : -1,
                        workers.exact() ? at(workers, w, s) : workers.scores()[w]));
            }
        }
        return StragglerSheets.cells(rows);
    }

    /** How many rows of the sheet of cells a worker has. */
    private int rowsOf(Workers workers) {
        return workers.exact() ? figures.steps().length : 1;
    }

    private double at(Workers workers, int worker, int step) {
        return workers.replays().get(worker).times()[step] / figures.idealSteps()[step];
    }

    private Chart.Heat grid(Workers workers) {
        StragglerFigures.Job job = figures.job();
        double[][] values = new double[job.stages()][job.dataParallel()];
        for (int w = 0; w < workers.scores().length; w++) {
            values[w % job.stages()][w / job.stages()] = workers.scores()[w];
        }
        return new Chart.Heat(
                "Cost of each worker",
                "By how much a step is longer than the ideal one with one worker as recorded among typical ones.",
                "%",
                IntStream.range(0, job.stages()).mapToObj(s -> "stage " + s).toList(),
                IntStream.range(0, job.dataParallel()).mapToObj(d -> "dp " + d).toList(),
                StragglerSheets.cost(values),
                Chart.Scale.MAGNITUDE,
                IntStream.range(0, job.stages() * job.dataParallel())
                        .map(cell -> cell % job.dataParallel() * job.stages() + cell / job.dataParallel())
                        .mapToObj(w -> StragglerSheets.cells(w * rowsOf(workers), rowsOf(workers)))
                        .toList());
    }

    private Chart.Heat map(Workers workers) {
        double[][] values = new double[workers.ranks().length][figures.steps().length];
        for (int w = 0; w < values.length; w++) {
            for (int s = 0; s < values[w].length; s++) {
                values[w][s] = at(workers, w, s);
            }
        }
        return StragglerSheets.map(workers.ranks(), figures.steps(), values);
    }

    private double ns(double time) {
        return time / figures.second() * NS_PER_SECOND;
    }

    private long whole(double time) {
        return Math.round(ns(time));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static String factor(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
