// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the commands of a replay say about files. */
final class ReplayFiles {
    private ReplayFiles() {}

    /** An output must not be an input. */
    static void demandDistinct(Path output, @Nullable Path... inputs) throws IOException {
        for (Path input : inputs) {
            if (input != null && Files.exists(output) && Files.exists(input) && Files.isSameFile(output, input)) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        output + " is an input and would be overwritten",
                        "Name another file.");
            }
        }
    }
}
