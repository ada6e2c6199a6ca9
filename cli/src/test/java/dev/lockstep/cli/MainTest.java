// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help", ""})
    void helpListsEveryCommand(String argument) {
        int status = argument.isEmpty() ? run() : run(argument);

        assertThat(status).isZero();
        assertThat(out.toString()).containsPattern("version +Show the version");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void everyCommandExplainsItselfAndHasTheGlobalOptions() {
        for (CommandEntry entry : Commands.runnable().toList()) {
            assertThat(run(line(entry.name() + " --help"))).isZero();
            assertThat(out.toString())
                    .contains("lockstep " + entry.name(), entry.summary())
                    .contains("--quiet", "--debug", "--strict", "--allow-partial", "--jobs");
        }
    }

    @Test
    void versionIsTheBuilds() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).startsWith("lockstep ").contains("java ").doesNotContain("${");
    }

    @Test
    void quietVersionIsOneLine() {
        assertThat(run("version", "--quiet")).isZero();
        assertThat(out.toString()).hasLineCount(1);
    }

    @Test
    void unknownCommandNamesTheNearest() {
        assertThat(run("vresion")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("unknown command 'vresion'", "did you mean 'version'?");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void unknownOptionPointsToTheHelpOfTheCommand() {
        assertThat(run("version", "--quite")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--quite", "see lockstep version --help", "did you mean --quiet");
    }

    @Test
    void namesOfChoicesMayBeSpeltAsTheHelpSpellsThem(@TempDir Path folder) {
        int status = run("synth", "-o", folder.toString(), "--ranks", "1", "--steps", "1", "--vendor", "rocm");

        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many"})
    void jobsIsAtLeastOne(String jobs) {
        assertThat(run("version", "--jobs", jobs)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--jobs", jobs);
    }

    @Test
    void groupsListTheirCommands() {
        for (String argument : new String[] {"", "--help", "-h", "help"}) {
            assertThat(run(line("config " + argument))).isZero();
        }
        assertThat(out.toString()).contains("Usage: lockstep config COMMAND").containsPattern("  run +Run training");
    }

    @Test
    void unknownCommandsOfGroupsNameTheNearest() {
        assertThat(run("sweep", "rnu")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("unknown command 'sweep rnu'", "did you mean 'sweep run'?");
        assertThat(out.toString()).isEmpty();
    }

    private static String[] line(String words) {
        return words.strip().split(" +");
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }
}
