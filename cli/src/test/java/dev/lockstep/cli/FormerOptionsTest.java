// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FormerOptionsTest {
    private static final Map<String, String> NAMES = Map.of("--old", "--new");

    private final StringWriter told = new StringWriter();

    static Stream<CommandEntry> commands() {
        return Commands.runnable();
    }

    private String[] renamed(String... args) {
        return FormerOptions.renamed(args, NAMES, new PrintWriter(told));
    }

    @Test
    void formerNamesAreTakenWithANoteUnlessAnotherToolIsReproduced() {
        assertThat(renamed("--old", "a", "--old=b", "--older")).containsExactly("--new", "a", "--new=b", "--older");
        assertThat(told.toString()).contains("note: --old is called --new now");
        told.getBuffer().setLength(0);

        assertThat(renamed("--compat=aorta", "--old")).containsExactly("--compat=aorta", "--new");
        assertThat(told.toString()).isEmpty();
    }

    @Test
    void whatAnotherProgramIsGivenStays() {
        assertThat(renamed("--old", "--", "train.py", "--old")).containsExactly("--new", "--", "train.py", "--old");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void formerNamesStandForOptionsThatThereAre(CommandEntry entry) {
        Command command = entry.create().get();
        var options = Commands.line(entry, command).getCommandSpec().optionsMap();

        assertThat(options.keySet()).containsAll(command.formerOptions().values());
        assertThat(command.formerOptions().keySet()).noneMatch(options::containsKey);
    }
}
