// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.ProgramVersion;
import java.io.PrintWriter;

/** {@code lockstep version}. */
public final class VersionCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep version", "lockstep version --quiet");
        global = arguments.global();
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) {
        ProgramVersion.print(out);
        if (!global.quiet()) {
            out.println(ProgramVersion.javaLine());
        }
        return ExitStatus.COMPLETE;
    }
}
