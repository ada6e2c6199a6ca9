// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep config}: one configuration of the collective library against another: launch, report, compare. */
public final class ConfigCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "config run",
                        "Run training once for each pair of compute units and threads.",
                        ConfigRunCommand::new),
                new CommandEntry(
                        "config report",
                        "The reports of one run: ranks, collectives, timelines over ranks.",
                        ConfigReportCommand::new));
    }
}
