// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

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
}
