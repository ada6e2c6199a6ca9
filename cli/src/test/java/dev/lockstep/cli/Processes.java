// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

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
}
