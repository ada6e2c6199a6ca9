// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Model.OptionSpec;

class CompletionCommandTest {
    @TempDir
    Path folder;

    /** What bash offers behind these words. */
    @ParameterizedTest
    @CsvSource({
        "'lockstep rep', report",
        "'lockstep config ', compare",
        "'lockstep report --json-s', --json-summary",
        "'lockstep config run --dry', --dry-run"
    })
    void bashOffersCommandsAndOptions(String typed, String offered) throws Exception {
        assertThat(status("-o", folder.toString(), "--quiet")).isZero();
        String script = "source \"$1\"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<\"$2\";"
                + " [[ $2 != *' ' ]] || COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                + " _complete_lockstep; printf '%s\\n' \"${COMPREPLY[@]}\"";

        assertThat(printed("bash", "-c", script, "bash", place("bash-completion/completions/lockstep"), typed))
                .contains(offered);
    }

    @Test
    void fishAndManKnowEveryOptionOfEveryCommand() throws IOException {
        assertThat(status("-o", folder.toString(), "--quiet")).isZero();
        String fish = Files.readString(Path.of(place("fish/vendor_completions.d/lockstep.fish")));
        for (CommandEntry entry : Commands.runnable().toList()) {
            String man = Files.readString(
                    Path.of(place("man/man1/lockstep-" + entry.name().replace(' ', '-') + ".1")));
            for (OptionSpec option :
                    Commands.line(entry, entry.create().get()).getCommandSpec().options()) {
                String name = option.longestName();
                assertThat(man).contains("\n.B " + ManPages.roff(String.join(", ", option.names())));
                assertThat(fish.lines())
                        .anyMatch(line -> line.contains("'__lockstep_in " + entry.name() + "'")
                                && (line + " ").contains(" " + name.replaceFirst("^--?", "") + " "));
            }
        }
    }

    /** A line that begins with a dot would be an order to man. */
    @Test
    void manPagesHoldNoOtherRequests() throws IOException {
        assertThat(status("-o", folder.toString(), "--quiet")).isZero();
        for (String page : List.of("lockstep.1", "lockstep-report.1", "lockstep-sql.1", "lockstep-goal.1")) {
            assertThat(Files.readAllLines(Path.of(place("man/man1/" + page))))
                    .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                    .allMatch(line -> line.matches("\\.(TH|SH|TP|PP|B)( .*)?"));
        }
    }

    @Test
    void aShellOrAFolderIsWanted() {
        assertThat(status()).isEqualTo(ExitStatus.USAGE);
        assertThat(status("tcsh")).isEqualTo(ExitStatus.USAGE);
        assertThat(status("bash", "zsh")).isEqualTo(ExitStatus.USAGE);
        assertThat(status("zsh")).isZero();
    }

    private String place(String file) {
        return folder.resolve(file).toString();
    }

    private static int status(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "completion";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        StringWriter said = new StringWriter();
        return Main.run(new PrintWriter(said), new PrintWriter(said), line);
    }

    private static String printed(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }
}
