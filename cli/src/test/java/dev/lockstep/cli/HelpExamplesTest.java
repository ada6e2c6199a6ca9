// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples at the end of each command's help are command lines that it takes. */
class HelpExamplesTest {
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    static Stream<CommandEntry> commands() {
        return Commands.runnable();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandShowsExamplesThatItTakes(CommandEntry entry) {
        String help = printed((entry.name() + " --help").split(" "));
        List<String> examples = help.substring(Math.max(0, help.indexOf("\nExamples:")))
                .lines()
                .filter(line -> line.startsWith("  lockstep "))
                .map(String::strip)
                .toList();

        assertThat(examples).hasSizeGreaterThanOrEqualTo(2);
        for (String example : examples) {
            List<String> words =
                    WORD.matcher(example).results().map(HelpExamplesTest::text).toList();
            List<String> name = List.of(entry.name().split(" "));
            assertThat(words.subList(1, 1 + name.size())).as(example).isEqualTo(name);
            String[] arguments = words.subList(1 + name.size(), words.size()).toArray(String[]::new);
            Commands.line(entry, entry.create().get()).parseArgs(arguments);
        }
    }

    private static String text(MatchResult word) {
        return Stream.of(1, 2, 3)
                .map(word::group)
                .filter(group -> group != null)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void whatIsWrittenGoesWhereOSays(CommandEntry entry) {
        Set<String> besideTheirInput = Set.of("config report", "sweep report", "sweep merge", "sweep all");
        Set<String> printed =
                Set.of("ask", "gate", "goal algorithms", "goal verify", "info", "mcp", "sql", "version", "view");

        assertThat(Commands.line(entry, entry.create().get())
                        .getCommandSpec()
                        .optionsMap()
                        .containsKey("-o"))
                .isEqualTo(!besideTheirInput.contains(entry.name()) && !printed.contains(entry.name()));
    }

    @Test
    void helpOfACommandIsItsHelp() {
        assertThat(printed("help", "report")).isEqualTo(printed("report", "--help"));
        assertThat(printed("help", "config", "run")).isEqualTo(printed("config", "run", "--help"));
        assertThat(printed("help", "config")).isEqualTo(printed("config", "--help"));
        assertThat(printed("help", "help")).isEqualTo(printed("--help"));
    }

    private static String printed(String... arguments) {
        StringWriter out = new StringWriter();
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(out), arguments))
                .isZero();
        return out.toString();
    }
}
