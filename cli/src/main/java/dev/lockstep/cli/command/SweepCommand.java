// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep sweep}: many settings of threads and channels: launch, report, merge, compare. */
public final class SweepCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "sweep run",
                        "Run training once for each number of threads and of channels.",
                        SweepRunCommand::new),
                new CommandEntry(
                        "sweep report",
                        "The reports of all runs of a sweep, and of every rank across thread counts.",
                        SweepReportCommand::new),
                new CommandEntry(
                        "sweep merge",
                        "Put the ranks of each configuration of a sweep on one timeline.",
                        SweepMergeCommand::new),
                new CommandEntry("sweep html", "Put two sweeps side by side on one page.", SweepHtmlCommand::new),
                new CommandEntry(
                        "sweep all",
                        "Report, compare and merge a whole sweep, and say which setting is best and why.",
                        SweepAllCommand::new));
    }
}
