// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import org.jspecify.annotations.Nullable;

/** The option {@code --compat} where one other tool can be reproduced. */
final class CompatTool {
    private final String tool;
    private @Nullable String given;

    /** @param tool the one that can be reproduced */
    CompatTool(String tool) {
        this.tool = tool;
    }

    void declare(Arguments arguments) {
        arguments.option(
                "--compat", "TOOL", String.class, "Reproduce another tool: " + tool + ".", name -> given = name);
    }

    /** Whether the tool's files are wanted; fails where another one is named. */
    boolean isWanted() {
        if (given != null && !given.equals(tool)) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + given, "known: " + tool);
        }
        return given != null;
    }
}
