// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code lockstep completion SHELL}: what shells and {@code man} know of the program, from the declarations of its commands. */
final class CompletionCommand implements Command {
    private static final String BASH = "bash-completion/completions/lockstep";

    /** Zsh loads the functions of bash for it. */
    private static final String ZSH_HEAD = "#compdef lockstep\n";

    private String shell = "";
    private @Nullable Path folder;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep completion bash", "lockstep completion -o ~/.local/share");
        global = arguments.global();
        arguments.words("SHELL", "bash, zsh or fish: print what completes command lines there.", given -> {
            if (given.size() > 1) {
                throw invalid("completion takes one shell");
            }
            shell = given.getFirst();
        });
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Write the completions of all shells, and man pages, where they look below a folder share.",
                given -> folder = given);
        arguments.writes("-o");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Path place = folder;
        if (shell.isEmpty() == (place == null)) {
            throw invalid("completion wants a shell, or a folder with -o");
        }
        CommandLine program = program();
        if (place == null) {
            out.print(of(shell, program));
            return ExitStatus.COMPLETE;
        }
        Map<String, String> files = new LinkedHashMap<>();
        files.put(BASH, of("bash", program));
        files.put("zsh/site-functions/_lockstep", of("zsh", program));
        files.put("fish/vendor_completions.d/lockstep.fish", of("fish", program));
        ManPages.of(program.getCommandSpec()).forEach((name, text) -> files.put("man/man1/" + name, text));
        try (Output output = new Output()) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                try (Writer text = NamedFiles.writer(output.file(place.resolve(file.getKey())))) {
                    text.write(file.getValue());
                }
            }
            output.commit();
        }
        if (!global.quiet()) {
            out.println("wrote " + place);
        }
        return ExitStatus.COMPLETE;
    }

    private static String of(String shell, CommandLine program) {
        return switch (shell) {
            case "bash" -> bash(program);
            case "zsh" -> ZSH_HEAD + bash(program);
            case "fish" -> FishCompletion.of(program.getCommandSpec());
            default -> throw invalid("unknown shell '" + shell + "'; known: bash, zsh, fish");
        };
    }

    /** The library turns names of functions into capitals by the rules of the user's language. */
    private static String bash(CommandLine program) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.ROOT);
        try {
            return AutoComplete.bash("lockstep", program);
        } finally {
            Locale.setDefault(before);
        }
    }

    /** The program as one tree of declarations. */
    static CommandLine program() {
        CommandSpec root = CommandSpec.create().name("lockstep");
        root.usageMessage().description("Trace analysis for machine-learning jobs: reports, comparisons, sweeps.");
        CommandLine program = new CommandLine(root);
        for (Commands.Line line : Commands.ALL) {
            switch (line) {
                case CommandEntry entry -> root.addSubcommand(entry.name(), declared(entry));
                case Commands.Group group -> root.addSubcommand(group.name(), declared(group));
            }
        }
        return program;
    }

    private static CommandLine declared(Commands.Group group) {
        CommandGroup made = group.create().get();
        CommandEntry itself = made.itself();
        CommandLine line = itself != null
                ? declared(itself)
                : new CommandLine(CommandSpec.create().name("lockstep " + group.name()));
        line.getCommandSpec().usageMessage().description(group.summary());
        made.parts().forEach(part -> line.getCommandSpec().addSubcommand(part.word(), declared(part)));
        return line;
    }

    private static CommandLine declared(CommandEntry entry) {
        return Commands.line(entry, entry.create().get());
    }

    /** Texts of declarations are patterns, in which a percent sign stands twice. */
    static String text(List<String> lines) {
        return String.join(" ", lines).replace("%n", "\n").replace("%%", "%");
    }

    private static UserException invalid(String message) {
        return new UserException(ErrorCode.OPTION_INVALID, message, null);
    }
}
