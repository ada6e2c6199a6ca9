// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.cli.command.AiuCommand;
import dev.lockstep.cli.command.CollectivesCommand;
import dev.lockstep.cli.command.CompareCommand;
import dev.lockstep.cli.command.DemoCommand;
import dev.lockstep.cli.command.DiffCommand;
import dev.lockstep.cli.command.InfoCommand;
import dev.lockstep.cli.command.MergeCommand;
import dev.lockstep.cli.command.ReportCommand;
import dev.lockstep.cli.command.SplitCommand;
import dev.lockstep.cli.command.SynthCommand;
import dev.lockstep.cli.command.VersionCommand;
import dev.lockstep.cli.command.ViewCommand;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Every command of the program: one line each, in the order in which the help shows them. */
final class Commands {

    /**
     * @param name what the user types
     * @param summary one line for the list of commands, and the first line of the command's own help
     * @param create makes the command; called only when it is the one that runs
     */
    record Entry(String name, String summary, Supplier<Command> create) {}

    static final List<Entry> ALL = List.of(
            new Entry(
                    "report",
                    "Explain one rank: where the time goes, by operator, kernel, stream and step.",
                    ReportCommand::new),
            new Entry(
                    "collectives",
                    "Explain collectives across ranks: bandwidth, waiting, and who was late.",
                    CollectivesCommand::new),
            new Entry("merge", "Put all ranks on one timeline that loses nothing.", MergeCommand::new),
            new Entry(
                    "compare",
                    "Compare finished reports with a baseline: what got slower, and what made it so.",
                    CompareCommand::new),
            new Entry(
                    "split",
                    "Cut a trace into its iterations, or into windows of its steady state.",
                    SplitCommand::new),
            new Entry("diff", "Say what sets two recordings apart, and what each cause contributes.", DiffCommand::new),
            new Entry("aiu", "Process traces of IBM's AIU, with the options of acelyzer.", AiuCommand::new),
            new Entry("info", "Say what files are, and every problem in them.", InfoCommand::new),
            new Entry("view", "Open a trace in the Perfetto UI of your browser.", ViewCommand::new),
            new Entry("synth", "Make traces of a synthetic training run, and the truth about it.", SynthCommand::new),
            new Entry("demo", "Make a small synthetic sweep and show what the program does with it.", DemoCommand::new),
            new Entry("version", "Show the version of the program and of the Java it runs on.", VersionCommand::new));

    private static final String USAGE = """
            Usage: lockstep COMMAND [ARGUMENTS]
                   lockstep [--help | --version]

            Trace analysis for machine-learning jobs: reports, comparisons, schedules.

            Commands:
            """;

    private Commands() {}

    static Optional<Entry> named(String name) {
        return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** What picocli needs to read the command's arguments. */
    static CommandLine line(Entry entry, Command command) {
        CommandSpec spec = CommandSpec.create().name("lockstep " + entry.name());
        spec.usageMessage()
                .description(entry.summary())
                .synopsisHeading("Usage: ")
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n");
        command.declare(new Arguments(spec));
        return new CommandLine(spec).setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** The program's help. Written here and not by picocli, so that no command need be created for it. */
    static int printHelp(PrintWriter out) {
        int width = ALL.stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
        out.print(USAGE);
        for (Entry entry : ALL) {
            out.println("  " + entry.name() + " ".repeat(width - entry.name().length() + 2) + entry.summary());
        }
        out.println();
        out.println("Every command explains itself: lockstep COMMAND --help");
        return ExitStatus.COMPLETE;
    }
}
