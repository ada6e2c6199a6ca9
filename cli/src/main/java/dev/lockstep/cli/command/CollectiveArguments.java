// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.cli.Arguments;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.options.Statistic;
import dev.lockstep.path.RankPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep collectives} that say what is summarised, and what is done about clocks. */
final class CollectiveArguments {
    private int gpusPerNode = -1;
    private boolean heatmap;
    private List<Statistic> statistics = CollectiveOptions.STATISTICS;
    private Alignment alignment = Alignment.AUTO;
    private @Nullable String criticalPath;
    private boolean pipeline;
    private final List<String> whatIfs = new ArrayList<>();

    void declare(Arguments arguments) {
        arguments.number(
                "--gpus-per-node",
                "N",
                1,
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
        arguments.optionWithDefault(
                "--critical-path",
                "all|step|NAME[#N]",
                String.class,
                ReportOptions.Paths.WHOLE,
                "Show the critical path over ranks: of the whole trace (all, the default), every step, "
                        + "or annotations called NAME.",
                given -> criticalPath = given);
        arguments.flag(
                "--pipeline",
                "Fail, and say why, where no pipeline is found. Its tables are written without it, too.",
                () -> pipeline = true);
        arguments.repeated(
                "--what-if",
                "EDIT",
                "Predict the run time with other durations, as in rank:3=median. Repeatable.",
                whatIfs::addAll);
    }

    /** Whether the run must have a pipeline. */
    boolean pipeline() {
        return pipeline;
    }

    /** What the paths that are wanted need to know of a rank. */
    RankPart part(DerivedCache trace) {
        return RankPart.of(trace, AnalysisRules.standard(), criticalPath);
    }

    /** The paths through the run that are wanted, and the edits of durations whose effect is. */
    ReportOptions.Paths paths() {
        return new ReportOptions.Paths(criticalPath, whatIfs);
    }

    CollectiveOptions options() {
        return new CollectiveOptions(gpusPerNode, heatmap, statistics, alignment);
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
