// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.engine.RankSelection;
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
                given -> step = given);
        arguments.option(
                "--trace-name",
                "NAME",
                String.class,
                "Of several traces of a rank, take those with NAME in their names; * and ? stand for anything.",
                given -> traceName = given);
        arguments.flag("--latest", "Of several traces of a rank, take the latest.", () -> latest = true);
    }

    RankSelection selection() {
        return new RankSelection(step, traceName, latest);
    }
}
