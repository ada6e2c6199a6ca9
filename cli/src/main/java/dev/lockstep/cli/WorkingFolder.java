// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * The folder that relative names start from. Java knows it by a text, and where the locale lacks characters of its name, by a
 * text that names another folder.
 */
final class WorkingFolder {
    /** What to do where a name has characters that the locale lacks. */
    static final String LOCALE = "The locale lacks its characters. LC_ALL=C.UTF-8 has them all.";

    private WorkingFolder() {}

    /**
     * Demands that the folder is the one that the program was started in.
     *
     * @param known as Java knows it
     * @param actual as the system does; where it does not say, this is not looked at
     * @throws UserException when they differ
     */
    static void demand(String known, Path actual) {
        try {
            if (!Files.exists(actual) || Files.isSameFile(Path.of(known), actual)) {
                return;
            }
        } catch (AccessDeniedException e) {
            return; // then no relative name leads anywhere
        } catch (InvalidPathException | IOException e) {
            // the text names nothing
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID,
                "the working folder cannot be named: " + known,
                LOCALE + " Where its name is no UTF-8, start from another folder.");
    }
}
