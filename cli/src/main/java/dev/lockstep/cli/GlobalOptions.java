// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that every command has. Commands mix them in: {@code @Mixin GlobalOptions global}. */
@Command(synopsisHeading = "Usage: ", optionListHeading = "%nOptions:%n", parameterListHeading = "%n")
public final class GlobalOptions {
    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;

    @Option(names = "--quiet", description = "Print results only: no progress, no summary.")
    private boolean quiet;

    @Option(names = "--debug", description = "Show stack traces.")
    private boolean debug;

    @Option(names = "--strict", description = "Treat any damage in an input as a failure (exit status 3).")
    private boolean strict;

    @Option(names = "--allow-partial", description = "Exit with 0 instead of 4 when a part of the input is missing.")
    private boolean allowPartial;

    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--jobs", paramLabel = "N", description = "Worker threads (default: one for each core).")
    void jobs(int value) {
        if (value < 1) {
            throw new ParameterException(
                    command.commandLine(), "Invalid value for option '--jobs': " + value + " (at least 1)");
        }
        jobs = value;
    }

    public boolean quiet() {
        return quiet;
    }

    public boolean debug() {
        return debug;
    }

    public boolean strict() {
        return strict;
    }

    public boolean allowPartial() {
        return allowPartial;
    }

    /** Number of worker threads, at least one. */
    public int jobs() {
        return jobs;
    }

    /** The status of a run that is whole or not; {@code --allow-partial} accepts what is not. */
    public int status(boolean complete) {
        return complete || allowPartial ? ExitStatus.COMPLETE : ExitStatus.PARTIAL;
    }
}
