// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Runs a command that a test has made itself. */
public final class TestArguments {
    private TestArguments() {}

    /** Parses the arguments for the command and runs it; failures come out as they are. */
    public static int run(Command command, PrintWriter out, String... arguments) {
        Commands.line(new CommandEntry("test", "A command.", () -> command), command)
                .parseArgs(arguments);
        try {
            return command.run(out, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
