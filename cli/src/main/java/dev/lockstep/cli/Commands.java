// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.cli.command.VersionCommand;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Every command of the program: one line each, in the order in which the help shows them. */
final class Commands {

    /**
     * @param name what the user types
     * @param summary one line for the list of commands, and the first line of the command's own help
     * @param create makes the command; called only when it is the one that runs
     */
    record Entry(String name, String summary, Supplier<Callable<Integer>> create) {}

    static final List<Entry> ALL = List.of(
            new Entry("version", "Show the version of the program and of the Java it runs on.", VersionCommand::new));

    private Commands() {}

    static Optional<Entry> named(String name) {
        return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }
}
