// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.dataset.DatasetContent;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep dataset}: where the run goes, under which name, and how much of it. */
final class DatasetArguments {
    /** Of more files than this, single slices are kept on request only. */
    private static final int MOST_IN_FULL = 512;

    private static final String ARGS = "args";

    @SuppressWarnings("NullAway.Init") // a required option
    private DatasetFolder folder;

    private @Nullable String run;
    private @Nullable Level level;
    private boolean findings;
    private boolean arguments;

    void declare(Arguments arguments) {
        arguments.required(
                "-o,--output",
                "DIR",
                Path.class,
                "Where the dataset goes.",
                given -> folder = new DatasetFolder(given));
        arguments.writes("-o");
        arguments.option(
                "--run",
                "NAME",
                String.class,
                "Name of the run; adds it to the dataset where there is one (default: the first trace's directory's"
                        + " name, for a new dataset).",
                given -> run = given);
        arguments.option(
                "--level",
                "LEVEL",
                String.class,
                "full: single slices, allocations and queues, too; sketch: sums only (default: full up to "
                        + MOST_IN_FULL + " files).",
                given -> level = level(given));
        arguments.option(
                "--with",
                "WHAT",
                String.class,
                "args: slices with their arguments as recorded, for --level full.",
                given -> {
                    if (!given.equals(ARGS)) {
                        throw new UserException(
                                ErrorCode.OPTION_INVALID, "--with does not know '" + given + "'", "known: " + ARGS);
                    }
                    this.arguments = true;
                });
        arguments.flag("--findings", "Also make the report of each rank, for what it finds.", () -> findings = true);
    }

    DatasetFolder folder() {
        return folder;
    }

    /** The name of the run, under which it can be added. */
    String run(RankArguments ranks) throws IOException {
        String name = run == null ? DatasetFolder.nameOf(ranks.runName()) : run;
        folder.demandFree(name, run != null);
        return name;
    }

    /** How much of so many files is kept. */
    Level level(int files) {
        return level != null ? level : files > MOST_IN_FULL ? Level.SKETCH : Level.FULL;
    }

    /** What of each rank is wanted; without single slices there is nothing that has arguments. */
    DatasetContent content(Level chosen) {
        return new DatasetContent(chosen, findings, arguments && chosen == Level.FULL);
    }

    private static Level level(String given) {
        return Arrays.stream(Level.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(given))
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.OPTION_INVALID, "--level does not know '" + given + "'", "known: sketch, full"));
    }
}
