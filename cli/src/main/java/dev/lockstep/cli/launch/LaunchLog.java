// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.cli.HiddenValues;
import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;

/** The log of a launch: what happened when, in a file and on the console. */
final class LaunchLog implements AutoCloseable {
    private final Path path;
    private final PrintWriter file;
    private final LaunchConsole console;
    private final HiddenValues secrets;

    /** @param secrets never written */
    LaunchLog(Path file, LaunchConsole console, HiddenValues secrets) throws IOException {
        this.secrets = secrets;
        this.path = file;
        this.file = new PrintWriter(NamedFiles.writer(file));
        this.console = console;
    }

    /** A line without a time. */
    void banner(String text) {
        String shown = secrets.hide(text);
        write(shown);
        console.line(shown);
    }

    void say(String text) {
        String line = stamped(secrets.hide(text));
        write(line);
        console.line(line);
    }

    /** Goes to standard error, and is never left out. */
    void problem(String text) {
        String shown = secrets.hide(text);
        write(stamped(shown));
        console.problem("lockstep: " + shown);
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
        boolean incomplete = file.checkError();
        file.close();
        if (incomplete) {
            console.problem("lockstep: " + path + " is not complete: its disk refused it");
        }
    }
}
