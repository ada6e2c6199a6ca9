// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Pages for {@code man}, one for each command: what picocli makes needs a further program to become one. */
final class ManPages {
    private ManPages() {}

    /** The pages by the names of their files. */
    static Map<String, String> of(CommandSpec program) {
        Map<String, String> pages = new LinkedHashMap<>();
        add(program, "lockstep", pages);
        return pages;
    }

    private static void add(CommandSpec command, String name, Map<String, String> pages) {
        pages.put(name.replace(' ', '-') + ".1", page(command, name));
        command.subcommands().forEach((word, line) -> add(line.getCommandSpec(), name + " " + word, pages));
    }

    private static String page(CommandSpec command, String name) {
        StringBuilder out = new StringBuilder();
        String summary = CompletionCommand.text(List.of(command.usageMessage().description()));
        out.append(".TH ").append(name.replace(' ', '-').toUpperCase(Locale.ROOT));
        out.append(" 1 \"\" \"Lockstep ").append(ProgramVersion.number()).append("\"\n");
        heading(out, "NAME");
        out.append(roff(name.replace(' ', '-')))
                .append(" \\- ")
                .append(roff(summary))
                .append('\n');
        heading(out, "SYNOPSIS");
        out.append(".B ")
                .append(roff(name))
                .append('\n')
                .append(roff(synopsis(command)))
                .append('\n');
        if (!command.subcommands().isEmpty()) {
            heading(out, "COMMANDS");
            command.subcommands().forEach((word, line) -> entry(out, word, description(line)));
        }
        if (!command.positionalParameters().isEmpty()) {
            heading(out, "ARGUMENTS");
            for (PositionalParamSpec argument : command.positionalParameters()) {
                entry(out, argument.paramLabel(), CompletionCommand.text(List.of(argument.description())));
            }
        }
        if (!command.options().isEmpty()) {
            heading(out, "OPTIONS");
            for (OptionSpec option : command.options()) {
                entry(out, names(option), CompletionCommand.text(List.of(option.description())));
            }
        }
        if (command.usageMessage().footer().length > 0) {
            heading(out, "EXAMPLES");
            for (String line : command.usageMessage().footer()) {
                out.append(".PP\n")
                        .append(roff(line.strip().replace("%%", "%")))
                        .append('\n');
            }
        }
        return out.toString();
    }

    private static String description(CommandLine line) {
        return CompletionCommand.text(
                List.of(line.getCommandSpec().usageMessage().description()));
    }

    private static String synopsis(CommandSpec command) {
        String arguments = command.positionalParameters().stream()
                .map(PositionalParamSpec::paramLabel)
                .collect(Collectors.joining(" "));
        String parts = command.subcommands().isEmpty() ? "" : "COMMAND ";
        return parts + (arguments.isEmpty() ? "" : arguments + " ") + "[OPTIONS]";
    }

    private static String names(OptionSpec option) {
        String names = String.join(", ", option.names());
        String value = new CommandLine.Help(option.command())
                .createDefaultParamLabelRenderer()
                .renderParameterLabel(option, Ansi.OFF, List.of())
                .toString();
        return names + value;
    }

    private static void heading(StringBuilder out, String name) {
        out.append(".SH ").append(name).append('\n');
    }

    private static void entry(StringBuilder out, String name, String description) {
        out.append(".TP\n.B ")
                .append(roff(name))
                .append('\n')
                .append(roff(description))
                .append('\n');
    }

    /** Text as {@code man} shows it: no word of it is a request, and dashes stay what is typed. */
    static String roff(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^([.'])", "\\\\&$1");
    }
}
