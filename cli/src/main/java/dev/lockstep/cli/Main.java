// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The program's entry point: builds the command tree, runs the command, ends with its status. */
public final class Main {
    private static final String HELP_FOOTER = "%nEvery command explains itself: lockstep COMMAND --help";

    private Main() {}

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    /** Runs one command line in this process and returns its exit status. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        Failures failures = new Failures(err);
        try {
            CommandLine root = commandTree(args)
                    .setOut(out)
                    .setErr(err)
                    .setParameterExceptionHandler(failures::usage)
                    .setExecutionExceptionHandler(
                            (failure, command, parsed) -> failures.report(failure, parsed.hasMatchedOption("--debug")));
            return args.length == 0 ? help(root, out) : root.execute(args);
        } catch (Error failure) { // picocli hands on exceptions, not errors
            return failures.report(failure, List.of(args).contains("--debug"));
        } finally {
            out.flush();
            err.flush();
        }
    }

    private static int help(CommandLine root, PrintWriter out) {
        root.usage(out);
        return ExitStatus.COMPLETE;
    }

    /** The tree with the one command that {@code args} name, or with all of them, by name only, for the help. */
    private static CommandLine commandTree(String... args) {
        CommandLine root = new CommandLine(rootSpec());
        Commands.named(args.length == 0 ? "" : args[0])
                .ifPresentOrElse(
                        entry -> root.addSubcommand(entry.name(), command(entry)),
                        () -> Commands.ALL.forEach(entry -> root.addSubcommand(entry.name(), summary(entry))));
        return root;
    }

    private static CommandLine command(Commands.Entry entry) {
        CommandLine command = new CommandLine(entry.create().get());
        var usage = command.getCommandSpec().usageMessage();
        if (usage.description().length == 0) {
            usage.description(entry.summary());
        }
        return command;
    }

    private static CommandSpec summary(Commands.Entry entry) {
        CommandSpec spec = CommandSpec.create();
        spec.usageMessage().description(entry.summary());
        return spec;
    }

    private static CommandSpec rootSpec() {
        CommandSpec spec = CommandSpec.create()
                .name("lockstep")
                .version(ProgramVersion.line())
                .addOption(flag("Show this help and exit.", "-h", "--help")
                        .usageHelp(true)
                        .build())
                .addOption(flag("Show the version and exit.", "-V", "--version")
                        .versionHelp(true)
                        .build());
        spec.usageMessage()
                .description("Trace analysis for machine-learning jobs: reports, comparisons, schedules.")
                .synopsisSubcommandLabel("COMMAND")
                .commandListHeading("%nCommands:%n")
                .optionListHeading("%nOptions:%n")
                .footer(HELP_FOOTER);
        return spec;
    }

    private static OptionSpec.Builder flag(String description, String... names) {
        return OptionSpec.builder(names)
                .description(description)
                .type(boolean.class)
                .showDefaultValue(Visibility.NEVER);
    }
}
