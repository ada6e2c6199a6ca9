// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Other processes, as tests see them. */
final class Processes {
    private Processes() {}

    /** Writes a program. */
    static Path script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Whether there is such a process that does something; one that nobody has asked about does nothing. */
    static boolean isRunning(long pid) throws IOException {
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (ProcessHandle.of(pid).isEmpty()) {
            return false;
        }
        return !Files.exists(stat)
                || !Files.readString(stat).replaceFirst("(?s).*\\) ", "").startsWith("Z");
    }

    /** Whether this process is deaf to a signal, as one may be that a script started in the background; so are those it starts. */
    static boolean ignores(String signal) throws IOException {
        int number = List.of("", "HUP", "INT").indexOf(signal);
        Path status = Path.of("/proc/self/status");
        return number > 0
                && Files.exists(status)
                && Files.readString(status)
                        .lines()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & (1L << (number - 1))) != 0);
    }
}
