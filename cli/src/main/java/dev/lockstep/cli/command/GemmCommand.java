// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.CommandEntry;
import dev.lockstep.cli.CommandGroup;
import java.util.List;

/** {@code lockstep gemm}: matrix multiplications whose time varies, over a whole sweep. */
public final class GemmCommand implements CommandGroup {
    @Override
    public List<CommandEntry> parts() {
        return List.of(
                new CommandEntry(
                        "gemm variance",
                        "List the matrix multiplications that lose most time by varying.",
                        GemmVarianceCommand::new),
                new CommandEntry(
                        "gemm plot", "Draw how they vary by threads, channels and rank.", GemmPlotCommand::new),
                new CommandEntry(
                        "gemm timestamps",
                        "Add when the shortest and the longest instance of each ran.",
                        GemmTimestampsCommand::new),
                new CommandEntry(
                        "gemm overlap",
                        "Add which collectives ran at the same time, and whether they slow it.",
                        GemmOverlapCommand::new));
    }
}
