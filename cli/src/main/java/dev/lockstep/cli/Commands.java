// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.cli.command.AiuCommand;
import dev.lockstep.cli.command.AskCommand;
import dev.lockstep.cli.command.CollectivesCommand;
import dev.lockstep.cli.command.CompareCommand;
import dev.lockstep.cli.command.ConfigCommand;
import dev.lockstep.cli.command.DatasetCommand;
import dev.lockstep.cli.command.DemoCommand;
import dev.lockstep.cli.command.DiffCommand;
import dev.lockstep.cli.command.FleetCommand;
import dev.lockstep.cli.command.GemmCommand;
import dev.lockstep.cli.command.GoalCommand;
import dev.lockstep.cli.command.HangsCommand;
import dev.lockstep.cli.command.InfoCommand;
import dev.lockstep.cli.command.KernelsCommand;
import dev.lockstep.cli.command.LinksCommand;
import dev.lockstep.cli.command.MemoryCommand;
import dev.lockstep.cli.command.MergeCommand;
import dev.lockstep.cli.command.RecordCommand;
import dev.lockstep.cli.command.ReplayCommand;
import dev.lockstep.cli.command.ReportCommand;
import dev.lockstep.cli.command.SplitCommand;
import dev.lockstep.cli.command.SqlCommand;
import dev.lockstep.cli.command.StragglersCommand;
import dev.lockstep.cli.command.SweepCommand;
import dev.lockstep.cli.command.SynthCommand;
import dev.lockstep.cli.command.VersionCommand;
import dev.lockstep.cli.command.ViewCommand;
import dev.lockstep.cli.gate.GateCommand;
import dev.lockstep.cli.mcp.McpCommand;
import dev.lockstep.error.FileNames;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/** Every command of the program: one line each, in the order in which the help shows them. */
final class Commands {

    /** A line of the list of commands. */
    sealed interface Line permits CommandEntry, Group {
        String name();

        String summary();
    }

    /**
     * @param name the first word of the commands of the group
     * @param summary one line for the list of commands
     * @param create makes the group; called only when one of its commands runs
     */
    record Group(String name, String summary, Supplier<CommandGroup> create) implements Line {}

    static final List<Line> ALL = List.of(
            new CommandEntry(
                    "report",
                    "Explain one rank: where the time goes, by operator, kernel, stream and step.",
                    ReportCommand::new),
            new CommandEntry(
                    "collectives",
                    "Explain collectives across ranks: bandwidth, waiting, and who was late.",
                    CollectivesCommand::new),
            new CommandEntry(
                    "stragglers",
                    "Say what uneven work costs a job, and which ranks or stages cause it.",
                    StragglersCommand::new),
            new CommandEntry(
                    "fleet",
                    "Say who is slow among very many ranks, since when, in what, and what it costs.",
                    FleetCommand::new),
            new CommandEntry(
                    "hangs",
                    "Say why a job does not go on: which rank did what instead, and who waits.",
                    HangsCommand::new),
            new CommandEntry(
                    "links", "Say which link, network adapter or node is slow, and since when.", LinksCommand::new),
            new CommandEntry(
                    "memory",
                    "Say what fills the memory of devices, what grows, and what sets two peaks apart.",
                    MemoryCommand::new),
            new CommandEntry(
                    "dataset", "Put a run into tables for SQL and notebooks, as Parquet.", DatasetCommand::new),
            new CommandEntry("merge", "Put all ranks on one timeline that loses nothing.", MergeCommand::new),
            new CommandEntry(
                    "compare",
                    "Compare finished reports with a baseline: what got slower, and what made it so.",
                    CompareCommand::new),
            new CommandEntry(
                    "gate",
                    "Say whether runs are worse than a baseline by more than a budget allows.",
                    GateCommand::new),
            new Group(
                    "config",
                    "Run training under settings of the collective library, report each, compare them.",
                    ConfigCommand::new),
            new Group(
                    "sweep",
                    "Run training under many settings of threads and channels, and say which is best and why.",
                    SweepCommand::new),
            new Group("gemm", "Find matrix multiplications whose time varies, and what slows them.", GemmCommand::new),
            new CommandEntry(
                    "split",
                    "Cut a trace into its iterations, or into windows of its steady state.",
                    SplitCommand::new),
            new CommandEntry(
                    "diff", "Compare two traces: what differs, and what each cause contributes.", DiffCommand::new),
            new Group("kernels", "List unique kernels, draw when kernels ran.", KernelsCommand::new),
            new Group(
                    "replay",
                    "Run recorded operators again, one by one, with their recorded shapes.",
                    ReplayCommand::new),
            new CommandEntry(
                    "record", "Record a small model on this machine's CPU, and replay it.", RecordCommand::new),
            new CommandEntry("aiu", "Process traces of IBM's AIU, with the options of acelyzer.", AiuCommand::new),
            new Group("goal", "Turn traces of collectives into schedules for network simulators.", GoalCommand::new),
            new CommandEntry("ask", "Answer a question about a trace or run by name, from one table.", AskCommand::new),
            new CommandEntry("sql", "Ask traces, datasets and finished reports your own questions.", SqlCommand::new),
            new CommandEntry("info", "Say what files are, and every problem in them.", InfoCommand::new),
            new CommandEntry("view", "Open a trace in the Perfetto UI of your browser.", ViewCommand::new),
            new CommandEntry(
                    "synth", "Make traces of a synthetic training run, and the truth about it.", SynthCommand::new),
            new CommandEntry(
                    "demo", "Make a small synthetic sweep and show what the program does with it.", DemoCommand::new),
            new CommandEntry("mcp", "Answer programs and agents over the Model Context Protocol.", McpCommand::new),
            new CommandEntry(
                    "completion",
                    "Print what completes command lines in bash, zsh or fish; write man pages.",
                    CompletionCommand::new),
            new CommandEntry(
                    "version", "Show the version of the program and of the Java it runs on.", VersionCommand::new));

    private static final String USAGE = """
        Usage: lockstep COMMAND [ARGUMENTS]
               lockstep TRACE|RANKS
               lockstep [--help | --version]

        Trace analysis for machine-learning jobs: reports, comparisons, sweeps.

        Commands:
        """;

    private Commands() {}

    static Optional<Line> named(String name) {
        return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    static List<String> names(List<Line> lines) {
        return lines.stream().map(Line::name).toList();
    }

    /** Every command that can be run, those of groups among them. */
    static Stream<CommandEntry> runnable() {
        return ALL.stream().flatMap(line -> switch (line) {
            case CommandEntry entry -> Stream.of(entry);
            case Group group -> group.create().get().parts().stream();
        });
    }

    /** A command that is ready to take arguments. */
    record Declared(Command command, CommandLine line, Arguments arguments) {
        /** What was asked for, once the arguments have been read. */
        Screen.Colouring colouring() {
            return arguments.colouring();
        }
    }

    /** The command with all options that these arguments may need. */
    static Declared declared(CommandEntry entry, String[] given) {
        Command command = entry.create().get();
        Arguments arguments = new Arguments(spec(entry), false);
        CommandLine line = line(command, arguments);
        if (arguments.lackFor(given)) {
            command = entry.create().get();
            arguments = new Arguments(spec(entry), true);
            line = line(command, arguments);
        }
        return new Declared(command, line, arguments);
    }

    /** What picocli needs to read the command's arguments, all of them. */
    static CommandLine line(CommandEntry entry, Command command) {
        return line(command, new Arguments(spec(entry), true));
    }

    private static CommandLine line(Command command, Arguments arguments) {
        command.declare(arguments);
        return new CommandLine(arguments.spec())
                .setExpandAtFiles(false) // a word may be the name of a file, and no file's content becomes options
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Integer.class, word -> number(word, "no whole number of 32 bits", Integer::valueOf))
                .registerConverter(Long.class, word -> number(word, "no whole number of 64 bits", Long::valueOf))
                .registerConverter(Double.class, word -> number(word, "no finite number", Commands::finite))
                .registerConverter(Path.class, Commands::path); // picocli's own forgets why
    }

    private static Path path(String word) {
        if (word.isEmpty()) {
            throw new TypeConversionException(Arguments.NO_NAME);
        }
        return FileNames.path(word);
    }

    private static double finite(String word) {
        double value = Double.parseDouble(word);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(word);
        }
        return value;
    }

    /** Picocli's own tell which exceptions they met. */
    private static <T> T number(String word, String otherwise, Function<String, T> read) {
        try {
            return read.apply(word);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + word + "' is " + otherwise);
        }
    }

    private static CommandSpec spec(CommandEntry entry) {
        CommandSpec spec = CommandSpec.create().name("lockstep " + entry.name());
        spec.usageMessage()
                .description(entry.summary())
                .synopsisHeading("Usage: ")
                .parameterListHeading("%n")
                .optionListHeading("%nOptions:%n");
        return spec;
    }

    /** The program's help. Written here and not by picocli, so that no command need be created for it. */
    static int printHelp(ConsoleLines out) {
        out.print(USAGE);
        printLines(out, ALL, Line::name);
        out.println();
        out.println("Every command explains itself: lockstep COMMAND --help");
        return ExitStatus.COMPLETE;
    }

    /** The help of a group. */
    static int printHelp(ConsoleLines out, Group group, List<CommandEntry> parts) {
        String command = "lockstep " + group.name();
        out.println("Usage: " + command + " COMMAND [ARGUMENTS]");
        out.println();
        out.println(group.summary());
        out.println();
        out.println("Commands:");
        printLines(out, parts, CommandEntry::word);
        out.println();
        out.println("Every command explains itself: " + command + " COMMAND --help");
        return ExitStatus.COMPLETE;
    }

    private static <T extends Line> void printLines(ConsoleLines out, List<T> lines, Function<T, String> name) {
        int width =
                lines.stream().mapToInt(line -> name.apply(line).length()).max().orElse(0);
        for (T line : lines) {
            String word = name.apply(line);
            String mark = "  " + word + " ".repeat(width - word.length() + 2);
            if (out.screen().isTerminal()) {
                out.screen().wrapped(mark, line.summary()).forEach(out::println);
            } else {
                out.println(mark + line.summary());
            }
        }
    }
}
