// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import java.nio.file.Path;

/**
 * A table that lies beside a schedule and says what its operations were.
 *
 * @param file where it lies
 * @param head its first line
 */
public record SideTable(Path file, String head) {
    /**
     * {@return what is thrown where a line does not hold what the head promises}
     *
     * @param line its number, the head's being 1
     */
    public TraceFormatException corrupt(long line) {
        return corrupt(line, "expected " + head.replace('\t', ' '));
    }

    /**
     * {@return what is thrown where something else is wrong with a line}
     *
     * @param line its number, the head's being 1
     * @param what what is wrong
     */
    public TraceFormatException corrupt(long line, String what) {
        return new TraceFormatException(
                ErrorCode.FORMAT_CORRUPT,
                file.toString(),
                -1,
                "line " + line + ": " + what,
                "Make the schedule again, or remove this file.");
    }
}
