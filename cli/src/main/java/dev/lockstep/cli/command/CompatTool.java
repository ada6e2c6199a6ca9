// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import org.jspecify.annotations.Nullable;

/** Reads {@code --compat} where one other tool can be reproduced. */
final class CompatTool {
    private CompatTool() {}

    /** Whether AORTA's files are wanted. */
    static boolean isAorta(@Nullable String given) {
        if (given != null && !given.equals("aorta")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + given, "known: aorta");
        }
        return given != null;
    }
}
