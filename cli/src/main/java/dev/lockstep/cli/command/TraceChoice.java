// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Configuration;
import dev.lockstep.session.RankSelection;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.PassOptions.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options that say which traces are meant where there are several of a rank. */
final class TraceChoice {
    private long step = -1;
    private @Nullable String traceName;
    private boolean latest;

    void declare(Arguments arguments) {
        arguments.option(
                "--step",
                "N",
                Long.class,
                "Of several traces of a rank, take those with this step in their paths.",
                given -> step = known(given));
        arguments.option(
                "--trace-name",
                "NAME",
                String.class,
                "Of several traces of a rank, use those with NAME in their names. * and ? match anything.",
                given -> traceName = given);
        arguments.flag("--latest", "Use the newest trace of each rank.", () -> latest = true);
    }

    private static long known(long step) {
        if (step < 0) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--step wants a number of at least 0", null);
        }
        return step;
    }

    RankSelection selection() {
        return new RankSelection(step, traceName, latest);
    }

    /** As another program is told. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (step >= 0) {
            words.addAll(List.of("--step", Long.toString(step)));
        }
        if (traceName != null) {
            words.addAll(List.of("--trace-name", traceName));
        }
        if (latest) {
            words.add("--latest");
        }
        return words;
    }

    /** How the traces of these configurations are read. */
    PassOptions reading(List<Configuration> configurations, GlobalOptions global, Progress progress)
            throws IOException {
        List<Path> files = configurations.stream()
                .flatMap(one -> one.traces().files().stream())
                .toList();
        return new PassOptions(selection(), Source.ANY, global.strict(), progress.reading(files));
    }
}
