// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Completion for fish, for which picocli has none: a line for each command and option. */
final class FishCompletion {
    /** Holds where these words, and so many in all, stand before the cursor; options count as no words. */
    private static final String FUNCTIONS = """
            # Completes lockstep in fish.
            function __lockstep_words
                string match --invert -- '-*' (commandline --tokenize --cut-at-cursor --current-process)[2..-1]
            end
            function __lockstep_in
                set --local words (__lockstep_words)
                test "$words[1..$(count $argv)]" = "$argv"
            end
            function __lockstep_next
                test "$(__lockstep_words)" = "$argv"
            end
            """;

    private FishCompletion() {}

    static String of(CommandSpec program) {
        StringBuilder out = new StringBuilder(FUNCTIONS);
        add(program, "", out);
        return out.toString();
    }

    private static void add(CommandSpec command, String name, StringBuilder out) {
        for (Map.Entry<String, CommandLine> entry : command.subcommands().entrySet()) {
            CommandSpec part = entry.getValue().getCommandSpec();
            out.append("complete -c lockstep -n '__lockstep_next").append(name).append("' -a ");
            out.append(entry.getKey())
                    .append(summary(part.usageMessage().description()))
                    .append('\n');
            add(part, name + " " + entry.getKey(), out);
        }
        for (OptionSpec option : command.options()) {
            out.append("complete -c lockstep -n '__lockstep_in").append(name).append('\'');
            for (String word : option.names()) {
                out.append(word.startsWith("--") ? " -l " : word.length() > 2 ? " -o " : " -s ")
                        .append(word.replaceFirst("^--?", ""));
            }
            out.append(option.arity().min() > 0 ? " -r" : "")
                    .append(summary(option.description()))
                    .append('\n');
        }
    }

    /** The first sentence. */
    private static String summary(String... description) {
        String text = CompletionCommand.text(List.of(description));
        String first = text.split("(?<=[.;:]) ", 2)[0].replaceFirst("[.;:]$", "");
        return " -d '" + first.replace("\\", "\\\\").replace("'", "\\'").replace('\n', ' ') + "'";
    }
}
