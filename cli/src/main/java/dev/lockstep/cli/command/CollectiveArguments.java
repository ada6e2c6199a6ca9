// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.options.Statistic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The options of {@code lockstep collectives} that say what is summarised, and what is done about clocks. */
final class CollectiveArguments {
    private int gpusPerNode = -1;
    private boolean heatmap;
    private List<Statistic> statistics = CollectiveOptions.STATISTICS;
    private Alignment alignment = Alignment.AUTO;
    private boolean criticalPath;
    private boolean pipeline;
    private final List<String> whatIfs = new ArrayList<>();

    void declare(Arguments arguments) {
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
        arguments.flag(
                "--pipeline",
                "Demand a pipeline: fail and say why where none is found. Its sheets are written without it, too.",
                () -> pipeline = true);
        arguments.repeated(
                "--what-if",
                "EDIT",
                "How long the run would have taken with other durations, as in rank:3=median; may be repeated.",
                whatIfs::addAll);
    }

    /** Whether the run must have a pipeline. */
    boolean pipeline() {
        return pipeline;
    }

    /** Whether paths through the run are wanted. */
    boolean paths() {
        return criticalPath || !whatIfs.isEmpty();
    }

    /** The edits of durations whose effect is wanted. */
    List<String> whatIfs() {
        return whatIfs;
    }

    CollectiveOptions options() {
        if (gpusPerNode == 0 || gpusPerNode < -1) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--gpus-per-node wants a number of at least 1", null);
        }
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
