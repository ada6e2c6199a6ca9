// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import java.io.PrintWriter;

/** {@code lockstep kernels gantt}: when kernels ran. */
public final class KernelsGanttCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) {
        return 0;
    }
}
