// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep goal}: schedules for network simulators. */
public final class GoalCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "goal generate",
                        "Make schedules of the collectives in traces. The word may be left out.",
                        GoalGenerateCommand::new),
                new CommandEntry(
                        "goal export",
                        "Write what ranks did as execution traces for ASTRA-sim.",
                        GoalExportCommand::new),
                new CommandEntry(
                        "goal verify",
                        "Prove that a schedule runs to its end, with every message received.",
                        GoalVerifyCommand::new),
                new CommandEntry(
                        "goal simulate",
                        "Say how long a schedule takes on a network, and on a faster one.",
                        GoalSimulateCommand::new),
                new CommandEntry(
                        "goal report",
                        "Show what a schedule moves, and how it would run: a page and tables.",
                        GoalReportCommand::new),
                new CommandEntry(
                        "goal algorithms",
                        "List collective algorithms, and check files that state them.",
                        GoalAlgorithmsCommand::new));
    }

    @Override
    public CommandEntry itself() {
        return parts().getFirst();
    }
}
