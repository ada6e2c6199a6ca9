// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Files and folders that a launch makes in the folder that was named to it. */
final class LaunchPlaces {
    private LaunchPlaces() {}

    /**
     * A file that will be written; it may be there.
     *
     * @throws UserException if a link stands there, wherever it leads
     */
    static Path file(Path file) {
        if (Files.isSymbolicLink(file)) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + file + ": a link stands there, and nobody named it",
                    "Remove the link.");
        }
        return file;
    }

    /**
     * Demands that a folder can be made, unless it is there.
     *
     * @throws UserException if something else stands there or above
     */
    static void demandFolder(Path folder) {
        for (Path at = folder; at != null; at = at.getParent()) {
            if (Files.exists(at, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(at)) {
                String place = at.equals(folder) ? "" : at + ": ";
                throw new UserException(
                        ErrorCode.OUTPUT_FAILED,
                        "cannot write " + folder + ": " + place + "what stands there is no folder",
                        "Remove it, or use another --output.");
            }
        }
    }

    /**
     * Makes a folder, and those above it, unless it is there.
     *
     * @throws UserException if something else stands there or above
     */
    static void makeFolder(Path folder) throws IOException {
        demandFolder(folder);
        Files.createDirectories(folder);
    }
}
