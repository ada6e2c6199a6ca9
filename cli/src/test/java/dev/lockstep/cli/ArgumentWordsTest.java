// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Arguments that are no options are all taken, wherever options stand between them. */
class ArgumentWordsTest {
    private List<String> words = List.of();
    private final List<String> several = new ArrayList<>();

    private void parse(boolean needed, String... line) {
        CommandSpec spec = CommandSpec.create();
        Arguments arguments = new Arguments(spec, false);
        if (needed) {
            arguments.arguments("FILES", "Files.", given -> words = given);
        } else {
            arguments.words("WORDS", "Words.", given -> words = given);
        }
        arguments.flag("--flag", "A flag.", () -> {});
        arguments.option("--value", "V", String.class, "A value.", given -> {});
        arguments.several("--several", "V", false, "Values.", several::addAll);
        new CommandLine(spec).parseArgs(line);
    }

    @Test
    void optionsMayStandBetweenThem() {
        for (boolean needed : new boolean[] {true, false}) {
            parse(needed, "a", "--value", "1", "b", "c", "--flag", "d", "--", "--e");
            assertThat(words).containsExactly("a", "b", "c", "d", "--e");
        }
        parse(false, "--flag");
        parse(true, "x");
        assertThat(words).containsExactly("x");
    }

    @Test
    void valuesOfAnOptionAddUp() {
        parse(true, "a", "--several", "1", "2", "--flag", "--several", "3");
        assertThat(several).containsExactly("1", "2", "3");
    }

    /** Such numbers must not stand for "not given", which is how some are kept. */
    @Test
    void noCountTakesMinusOne(@TempDir Path folder) {
        Set<String> signed = Set.of("--seed"); // any number does
        List<String> taken = new ArrayList<>();
        numbers(folder, "-1", (option, line, status, said) -> {
            boolean whole = option.type() == Integer.class || option.type() == Long.class;
            if (whole && !signed.contains(option.longestName()) && status != ExitStatus.USAGE) {
                taken.add(line + ": " + status + " " + said);
            }
        });
        assertThat(taken).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nan", "inf", "NaN", "1e999", "seven", "99999999999999999999x", ""})
    void wordsThatAreNoNumbersAreSaidToBeNone(String word, @TempDir Path folder) {
        List<String> told = new ArrayList<>();
        numbers(folder, word, (option, line, status, said) -> {
            if (status != ExitStatus.USAGE || !said.contains("'" + word + "' is no ") || said.contains("xception")) {
                told.add(line + ": " + status + " " + said);
            }
        });
        assertThat(told).isEmpty();
    }

    private interface Tried {
        void given(OptionSpec option, List<String> line, int status, String said);
    }

    /** Gives a word to each option of each command that takes a number. */
    private static void numbers(Path folder, String word, Tried tried) {
        String none = folder.resolve("none").toString();
        Set<Class<?>> numbers = Set.of(Integer.class, Long.class, Double.class);
        Commands.runnable().forEach(entry -> {
            CommandSpec spec = Commands.line(entry, entry.create().get()).getCommandSpec();
            for (OptionSpec option : spec.options()) {
                if (numbers.contains(option.type())) {
                    List<String> line = new ArrayList<>(List.of(entry.name().split(" ")));
                    spec.positionalParameters().forEach(argument -> line.add(none));
                    spec.options().stream()
                            .filter(each -> each.required() && each != option)
                            .forEach(each -> line.add(each.longestName() + "=" + none));
                    line.add(option.longestName() + "=" + word);
                    StringWriter err = new StringWriter();
                    int status = TestProgram.run(new StringWriter(), err, line.toArray());
                    tried.given(option, line, status, err.toString());
                }
            }
        });
    }
}
