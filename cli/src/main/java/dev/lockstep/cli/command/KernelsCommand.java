// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep kernels}: what ran on devices, kernel by kernel. */
public final class KernelsCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "kernels extract",
                        "List the unique kernels of a trace, for a replay.",
                        KernelsExtractCommand::new),
                new CommandEntry(
                        "kernels gantt",
                        "Draw when kernels ran, on which device and stream.",
                        KernelsGanttCommand::new));
    }
}
