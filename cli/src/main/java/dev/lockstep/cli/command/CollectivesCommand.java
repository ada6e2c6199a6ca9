// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.Statistic;
import dev.lockstep.path.RankPart;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.CollectiveReport;
import dev.lockstep.reporting.CollectiveStyle;
import dev.lockstep.reporting.OwnCollectives;
import dev.lockstep.reporting.RunPaths;
import dev.lockstep.session.RankSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code lockstep collectives RANKS}: reads all ranks of a run, and explains what they did together. */
public final class CollectivesCommand implements Command {
    private final RankArguments ranks = new RankArguments();
    private final ReportTargets targets = new ReportTargets();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private int gpusPerNode = -1;
    private boolean heatmap;
    private List<Statistic> statistics = CollectiveOptions.STATISTICS;
    private Alignment alignment = Alignment.AUTO;
    private boolean criticalPath;
    private final List<String> whatIfs = new ArrayList<>();

    /** What is kept of a rank. */
    private record Kept(
            RankCollectives collectives, @Nullable RankPart part) {}

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        ranks.declare(arguments);
        targets.declare(arguments, "the first trace's directory's name with _collectives");
        arguments.option(
                "--gpus-per-node",
                "N",
                Integer.class,
                "Ranks of a node (default: by host names, else by the devices that the traces list).",
                given -> gpusPerNode = given);
        arguments.flag(
                "--all2allv-heatmap",
                "Show who sent how much to whom in variable all-to-alls (always on without --compat).",
                () -> heatmap = true);
        arguments.option(
                "--agg-metrics",
                "S,...",
                String.class,
                "Statistics of summaries: mean, median, std, min, max, sum (default: mean,median,min,max).",
                given -> statistics = statistics(given));
        arguments.option(
                "--align",
                "HOW",
                String.class,
                "Correct clocks that differ between ranks: auto, none, collectives (default: auto).",
                given -> alignment = alignment(given));
        arguments.flag(
                "--critical-path",
                "Show what held the run up, from rank to rank, over the whole recording.",
                () -> criticalPath = true);
        arguments.repeated(
                "--what-if",
                "EDIT",
                "How long the run would have taken with other durations, as in rank:3=median; may be repeated.",
                whatIfs::addAll);
        compat.declare(arguments, "tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        CollectiveStyle style = compat.or(new OwnCollectives(), CollectiveStyle.class);
        if (gpusPerNode == 0 || gpusPerNode < -1) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--gpus-per-node wants a number of at least 1", null);
        }
        CollectiveOptions options = new CollectiveOptions(gpusPerNode, heatmap, statistics, alignment);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            boolean paths = criticalPath || !whatIfs.isEmpty();
            RankSet<Kept> kept = ranks.run(lockstep, progress).readEach(trace -> keep(trace, style, paths));
            RankSet<RankCollectives> read = kept.withKept(member -> Objects.requireNonNull(member.kept()).collectives);
            demandKernels(CollectiveReport.present(read));
            progress.step("analysing");
            Report report = style.report(read, source(), options);
            if (paths) {
                report = RunPaths.add(
                        report,
                        read,
                        kept.withKept(member -> Objects.requireNonNull(Objects.requireNonNull(member.kept()).part)),
                        options,
                        whatIfs);
            }
            progress.step("writing");
            List<Path> written = targets.write(
                    lockstep.session(), report, ranks.files(), Path.of(stem() + "_collectives"), style.cells());
            progress.close();
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
            RankArguments.report(read, err);
            return global.status(read.isComplete());
        }
    }

    private static Kept keep(Trace trace, CollectiveStyle style, boolean paths) {
        DerivedCache cache = new DerivedCache(trace);
        return new Kept(cache.get(style.kernels()), paths ? RankPart.of(cache, AnalysisRules.standard()) : null);
    }

    private void demandKernels(List<RankCollectives> present) {
        if (present.stream().allMatch(rank -> rank.size() == 0)) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    source() + ": no rank has a communication kernel",
                    Inputs.RECORD_DEVICES + " A run of one rank has none.");
        }
    }

    private String source() {
        List<String> inputs = ranks.inputs();
        return inputs.size() == 1 ? inputs.getFirst() : inputs.getFirst() + " and " + (inputs.size() - 1) + " more";
    }

    private String stem() throws IOException {
        Path parent = ranks.files().getFirst().toAbsolutePath().normalize().getParent();
        return parent == null || parent.getFileName() == null
                ? "run"
                : parent.getFileName().toString();
    }

    private static List<Statistic> statistics(String given) {
        List<Statistic> statistics = new ArrayList<>();
        for (String word : given.split(",")) {
            statistics.add(Arrays.stream(Statistic.values())
                    .filter(s -> s.word().equals(word.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UserException(
                            ErrorCode.OPTION_INVALID,
                            "--agg-metrics does not know '" + word + "'",
                            "known: mean, median, std, min, max, sum")));
        }
        return statistics;
    }

    private static Alignment alignment(String given) {
        return Arrays.stream(Alignment.values())
                .filter(a -> a.name().toLowerCase(Locale.ROOT).equals(given))
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID,
                        "--align does not know '" + given + "'",
                        "known: auto, none, collectives"));
    }
}
