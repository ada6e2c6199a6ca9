// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep replay}: recorded operators, run again one by one. */
public final class ReplayCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "replay plan",
                        "Say what of a trace can be run again, with which inputs, and what cannot.",
                        ReplayPlanCommand::new),
                new CommandEntry(
                        "replay run", "Run the operators of a plan and say what each takes.", ReplayRunCommand::new),
                new CommandEntry(
                        "replay export",
                        "Make a plan a program of its own, in Python or C++.",
                        ReplayExportCommand::new),
                new CommandEntry(
                        "replay power", "Sample the power of devices while a command runs.", ReplayPowerCommand::new),
                new CommandEntry(
                        "replay energy",
                        "Join the windows of a replay with power: what each part takes.",
                        ReplayEnergyCommand::new),
                new CommandEntry(
                        "replay compare",
                        "Say whether parts measured alone add up to the whole, and why not.",
                        ReplayCompareCommand::new));
    }
}
