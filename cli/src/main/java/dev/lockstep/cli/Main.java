// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.cli.launch.NsysExport;
import dev.lockstep.error.FileNames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;

/** The program's entry point: finds the command, lets picocli parse for it and run it, ends with its status. */
public final class Main {
    /** How standard output is named as the place of a result. */
    private static final Set<String> STANDARD_OUTPUT = Set.of("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");

    private static final int PIPED_HELP = 80;
    private static final String NSYS = "nsys";

    /** What a trace in place of a command gets. */
    private static final String REPORT = "report";

    private Main() {}

    public static void main(String[] args) {
        StandardOutput standard = new StandardOutput();
        ConsoleLines out = new ConsoleLines(
                new PrintWriter(standard, false, StandardCharsets.UTF_8), false, Screen.ofProcess(Screen.OUT));
        ConsoleLines err = new ConsoleLines(
                new PrintWriter(System.err, true, StandardCharsets.UTF_8), true, Screen.ofProcess(Screen.ERR));
        int status = said(out, err, args);
        Ending.end(new Failures(err, args).printed(standard.failure(), status));
    }

    /** Runs one command line in this process, as if it printed into pipes, and returns its exit status. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return said(new ConsoleLines(out, false, Screen.pipe()), new ConsoleLines(err, true, Screen.pipe()), args);
    }

    /** Runs one command line in this process and returns its exit status. */
    static int said(ConsoleLines out, ConsoleLines err, String... args) {
        Failures failures = new Failures(err, args);
        try {
            WorkingFolder.demand(System.getProperty("user.dir"), Path.of("/proc/self/cwd"));
            if (args.length > 1 && args[0].equals("help")) {
                return said(out, err, helpOf(rest(args)));
            }
            String first = args.length == 0 ? "--help" : args[0];
            return switch (first) {
                case "--help", "-h", "help" -> Commands.printHelp(out);
                case "--version", "-V" -> ProgramVersion.print(out);
                default ->
                    Commands.named(first)
                            .map(line -> run(line, rest(args), out, err))
                            .orElseGet(() -> isThere(first)
                                    ? run(Commands.named(REPORT).orElseThrow(), args, out, err)
                                    : failures.unknownCommand("", first, Commands.names(Commands.ALL)));
            };
        } catch (Throwable failure) {
            return Ending.hasBegun() // then it is a consequence, and the status is the signal's
                    ? ExitStatus.BUG
                    : failures.report(failure, List.of(args).contains("--debug"));
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** What {@code help COMMAND} means: the command with {@code --help}. */
    private static String[] helpOf(String[] command) {
        String[] asked = Arrays.copyOf(command, command.length + 1);
        asked[command.length] = "--help";
        return asked;
    }

    /** Whether standard output takes a result, so that it must not hold anything else. */
    private static boolean isResult(String[] args) {
        return Arrays.stream(args)
                .takeWhile(argument -> !argument.equals("--"))
                .map(argument -> argument.startsWith("--") ? argument.substring(argument.indexOf('=') + 1) : argument)
                .anyMatch(STANDARD_OUTPUT::contains);
    }

    private static boolean isThere(String name) {
        try {
            return !name.isEmpty() && Files.exists(FileNames.path(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static String[] rest(String[] args) {
        return Arrays.copyOfRange(args, 1, args.length);
    }

    private static int run(Commands.Line line, String[] args, ConsoleLines out, ConsoleLines err) {
        return switch (line) {
            case CommandEntry entry -> run(entry, args, out, err);
            case Commands.Group group -> run(group, args, out, err);
        };
    }

    private static int run(Commands.Group group, String[] args, ConsoleLines out, ConsoleLines err) {
        CommandGroup made = group.create().get();
        List<CommandEntry> parts = made.parts();
        CommandEntry itself = made.itself();
        String first = args.length == 0 ? "--help" : args[0];
        if (first.equals("--help") || first.equals("-h") || first.equals("help")) {
            return Commands.printHelp(out, group, parts);
        }
        if (itself != null && first.startsWith("-")) {
            return run(itself, args, out, err);
        }
        for (CommandEntry part : parts) {
            if (part.word().equals(first)) {
                return run(part, rest(args), out, err);
            }
        }
        List<String> known = parts.stream().map(CommandEntry::word).toList();
        return new Failures(err, args).unknownCommand(group.name() + " ", first, known);
    }

    private static int run(CommandEntry entry, String[] args, ConsoleLines out, ConsoleLines err) {
        Commands.Declared declared = Commands.declared(entry, args);
        CommandLine line = declared.line();
        line.setUsageHelpWidth(out.screen().isTerminal() ? out.screen().width() : PIPED_HELP);
        try {
            String[] renamed = FormerOptions.renamed(args, declared.command().formerOptions(), err);
            CommandLine.ParseResult given = line.parseArgs(renamed);
            if (given.isUsageHelpRequested()) {
                boolean coloured = out.screen().coloured(declared.colouring()).isColoured();
                line.usage(out, coloured ? Ansi.ON : Ansi.OFF);
                return ExitStatus.COMPLETE;
            }
            out.colour(declared.colouring());
            err.colour(declared.colouring());
            if (declared.arguments().exports()) {
                String[] exported = new NsysExport(NSYS).of(renamed, err);
                declared = Commands.declared(entry, exported);
                given = declared.line().parseArgs(exported);
            }
            declared.arguments().demandNoInputWritten(given);
            return declared.command().run(isResult(args) ? err : out, err);
        } catch (ParameterException e) {
            return new Failures(err, args).usage(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
