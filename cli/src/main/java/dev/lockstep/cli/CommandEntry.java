// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.util.function.Supplier;

/**
 * A command that can be run.
 *
 * @param name what the user types, with the group's name before it where it belongs to one, as in "config run"
 * @param summary one line for the list of commands, and the first line of the command's own help
 * @param create makes the command; called only when it is the one that runs
 */
public record CommandEntry(String name, String summary, Supplier<Command> create) implements Commands.Line {

    /** The last word of the name: what the user types behind the group's name. */
    String word() {
        return name.substring(name.lastIndexOf(' ') + 1);
    }
}
