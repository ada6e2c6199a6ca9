// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Each kind of input has one word on all help screens, and the reference says which. */
class InputWordsTest {
    private static final Set<String> INPUTS = Set.of(
            "TRACE",
            "BASELINE",
            "CANDIDATE",
            "RANKS",
            "DIR",
            "PATH",
            "REPORT",
            "SNAPSHOT",
            "DUMPS",
            "LOGS",
            "PLAN",
            "RESULT",
            "LIST",
            "FILE");

    /** What is no input. */
    private static final Set<String> OTHERS = Set.of("COMMAND", "WORDS", "QUERY", "QUESTION", "SHELL");

    @Test
    void helpScreensCallInputsByOneWordEach() {
        List<String> strange = new ArrayList<>();
        List<String> wrong = new ArrayList<>();
        Commands.runnable().forEach(entry -> {
            for (PositionalParamSpec input :
                    Commands.line(entry, entry.create().get()).getCommandSpec().positionalParameters()) {
                String meaning = String.join(" ", input.description());
                for (String word : input.paramLabel().split("[^A-Za-z]+")) {
                    if (!word.isEmpty() && !INPUTS.contains(word) && !OTHERS.contains(word)) {
                        strange.add(entry.name() + ": " + word);
                    }
                    if (word.equals("FILE") && !meaning.contains("GOAL")) {
                        wrong.add(entry.name() + ": " + meaning);
                    }
                }
            }
        });

        assertThat(strange).isEmpty();
        assertThat(wrong).as("files that are no schedules").isEmpty();
        assertThat(Documents.read("docs/reference/cli.md")).contains(INPUTS);
    }
}
