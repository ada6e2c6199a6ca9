// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** The log of a launch: what happened when, in a file and on the console. */
final class LaunchLog implements AutoCloseable {
    private final PrintWriter file;
    private final LaunchConsole console;

    LaunchLog(Path file, LaunchConsole console) throws IOException {
        this.file = new PrintWriter(Files.newBufferedWriter(file));
        this.console = console;
    }

    /** A line without a time. */
    void banner(String text) {
        write(text);
        console.line(text);
    }

    void say(String text) {
        String line = stamped(text);
        write(line);
        console.line(line);
    }

    /** Goes to standard error, and is never left out. */
    void problem(String text) {
        write(stamped(text));
        console.problem("lockstep: " + text);
    }

    /** A line of another program's output, which is part of a problem. */
    void quote(String text) {
        write("    " + text);
        console.problem("    " + text);
    }

    private static String stamped(String text) {
        return "[" + Clock.log(LocalDateTime.now(ZoneId.systemDefault())) + "] " + text;
    }

    private void write(String line) {
        file.println(line);
        file.flush();
    }

    @Override
    public void close() {
        file.close();
    }
}
