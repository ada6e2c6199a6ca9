// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.launch.SparkTrial;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.sql.FleetTables;
import dev.lockstep.sql.QuerySources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code lockstep fleet} reads, a dataset or traces, and what it finds there. */
final class FleetInputs {
    private final RankArguments ranks = new RankArguments();

    void declare(Arguments arguments) {
        ranks.declare(arguments);
    }

    /** What must not be overwritten. */
    List<Path> files() throws IOException {
        return isDataset() ? new DatasetFolder(dataset()).files() : ranks.files();
    }

    /** What to call the run. */
    String name() throws IOException {
        return isDataset()
                ? String.valueOf(dataset().toAbsolutePath().normalize().getFileName())
                : ranks.runName();
    }

    /** Whether tables are read, whose traces may be elsewhere. */
    boolean isDataset() {
        return ranks.inputs().size() == 1 && new DatasetFolder(dataset()).exists();
    }

    private Path dataset() {
        return FileNames.path(ranks.inputs().getFirst());
    }

    /** Of ranks with several traces the latest count: thousands of others should not have to wait for that. */
    QuerySources open(Lockstep lockstep, Progress progress) throws IOException {
        if (isDataset()) {
            return QuerySources.of(lockstep, ranks.inputs(), null);
        }
        Run run = ranks.run(lockstep, progress);
        try {
            return QuerySources.fleet(run);
        } catch (UserException e) {
            if (e.code() != ErrorCode.RANK_AMBIGUOUS) {
                throw e;
            }
            return QuerySources.fleet(ranks.latest(lockstep, progress));
        }
    }

    /** Analyses the tables. */
    FleetAnalysis analyse(QuerySources sources, FleetArguments asked) throws IOException {
        List<String> candidates = isDataset()
                ? List.of()
                : ranks.files().stream().map(Path::toString).toList();
        if (isDataset()) {
            DatasetFolder dataset = new DatasetFolder(dataset());
            for (String run : dataset.runs()) {
                if (asked.run() == null || run.equals(asked.run())) {
                    dataset.demandWhole(run, FleetTables.tables());
                }
            }
        }
        return FleetAnalysis.of(FleetTables.of(sources.database(), asked.run()), asked.places(), candidates);
    }

    /** Analyses traces on Spark. */
    FleetAnalysis onSpark(FleetArguments asked, SparkTrial spark, Progress progress) throws IOException {
        if (isDataset()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    source() + ": Spark reads traces, and this is a dataset",
                    "A dataset needs no engine but the one of this machine: leave the engine out.");
        }
        List<String> words = new ArrayList<>();
        ranks.inputs().forEach(input -> words.add(asPath(input)));
        words.addAll(ranks.words());
        words.addAll(asked.words());
        return spark.run(words, files -> progress.counting("files", files));
    }

    /** What was named. */
    String source() {
        return String.join(" ", ranks.inputs());
    }

    /** An input that the job takes for no option, and for no address where it is a file here. */
    static String asPath(String input) {
        return input.startsWith("-") || Files.exists(Path.of(".", input)) && input.contains(":") ? "./" + input : input;
    }
}
