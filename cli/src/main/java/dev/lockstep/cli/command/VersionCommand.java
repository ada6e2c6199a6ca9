// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.ProgramVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lockstep version}. */
@Command
public final class VersionCommand implements Callable<Integer> {
    @Mixin
    private GlobalOptions global;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        var out = spec.commandLine().getOut();
        ProgramVersion.print(out);
        if (!global.quiet()) {
            out.println(ProgramVersion.javaLine());
        }
        return ExitStatus.COMPLETE;
    }
}
