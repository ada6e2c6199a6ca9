// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.reporting.ConfigurationDialect.Stages;

/** Which parts of a comparison are wanted; all, unless some are named. */
final class ConfigStages {
    private boolean all;
    private boolean timelines;
    private boolean collectives;
    private boolean finalReport;
    private boolean plots;

    void declare(Arguments arguments) {
        arguments.flag("--all", "Everything below (the default).", () -> all = true);
        arguments.flag("--gpu-timeline", "Compare timelines of devices.", () -> timelines = true);
        arguments.flag("--collective", "Compare collectives.", () -> collectives = true);
        arguments.flag(
                "--final-report",
                "Write the report that holds both comparisons. It needs both.",
                () -> finalReport = true);
        arguments.flag("--generate-plots", "Draw pictures, and a page that shows them.", () -> plots = true);
    }

    /** Whether no part was named. */
    boolean isOpen() {
        return !all && !timelines && !collectives && !finalReport && !plots;
    }

    /** All of them. */
    Stages named() {
        return new Stages(timelines(), collectives(), finalReport(), plots());
    }

    boolean timelines() {
        return all || isOpen() || timelines;
    }

    boolean collectives() {
        return all || isOpen() || collectives;
    }

    boolean finalReport() {
        return all || isOpen() || finalReport;
    }

    boolean plots() {
        return all || isOpen() || plots;
    }
}
