// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.PrintWriter;

/** {@code lockstep sweep run}. */
public final class SweepRunCommand implements Command {
    @Override
    public void declare(Arguments arguments) {
        arguments.global();
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) {
        throw new UserException(ErrorCode.OPTION_INVALID, "not there yet", null);
    }
}
