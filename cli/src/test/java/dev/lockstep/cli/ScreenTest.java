// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes to a terminal takes its width and its colours; what goes into a pipe is always the same. */
class ScreenTest {
    private static final String ESCAPE = "\u001b";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true  | A=1                           | true",
                "true  | NO_COLOR=1                    | false",
                "true  | CLICOLOR=0                    | false",
                "true  | TERM=dumb                     | false",
                "true  | CLICOLOR=1                    | true",
                "true  | CLICOLOR_FORCE=1 NO_COLOR=yes | false",
                "true  | CLICOLOR_FORCE=1 CLICOLOR=0   | true",
                "false | A=1                           | false",
                "false | CLICOLOR=1                    | false",
                "false | CLICOLOR_FORCE=1              | true",
                "false | CLICOLOR_FORCE=0              | false",
                "false | CLICOLOR_FORCE=1 NO_COLOR=1   | false",
            })
    void coloursAreWhereTheyAreWanted(boolean terminal, String variables, boolean coloured) {
        assertThat(Screen.of(terminal, 80, environment(variables)).isColoured()).isEqualTo(coloured);
        assertThat(Screen.of(terminal, 80, environment(variables))
                        .coloured(Screen.Colouring.ALWAYS)
                        .isColoured())
                .isTrue();
        assertThat(Screen.of(terminal, 80, environment(variables))
                        .coloured(Screen.Colouring.NEVER)
                        .isColoured())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"20, 60", "60, 60", "80, 80", "120, 120", "200, 120", "0, 100"})
    void theWidthIsThatOfTheTerminalWithinReason(int columns, int width) {
        assertThat(Screen.of(true, columns, Map.of()).width()).isEqualTo(width);
        assertThat(Screen.of(false, columns, Map.of()).width()).isEqualTo(100);
    }

    @Test
    void columnsAreAskedOfTheEnvironmentWhereTheTerminalSaysNothing() {
        assertThat(Screen.of(true, 0, Map.of("COLUMNS", "72")).width()).isEqualTo(72);
        assertThat(Screen.of(true, 0, Map.of("COLUMNS", "wide")).width()).isEqualTo(100);
    }

    @ParameterizedTest
    @CsvSource({"LANG=C.UTF-8,true", "LANG=de_DE.utf8,true", "LANG=C,false", "LC_ALL=C LANG=C.UTF-8,false", "A=1,false"
    })
    void signsAreAsciiWhereTheLocaleIsNotUnicode(String variables, boolean unicode) {
        assertThat(Screen.of(true, 80, environment(variables)).isUnicode()).isEqualTo(unicode);
        assertThat(Screen.of(false, 80, environment(variables)).isUnicode()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"60", "80", "120"})
    void noLineOfAReportIsLongerThanTheTerminal(int width) {
        TestProgram.run(new StringWriter(), new StringWriter(), "synth", "-o", folder, "--ranks", 2, "--steps", 1);
        String first = shown(new Screen(true, width, true, true), "report", folder.resolve("rank0_trace.json"));
        assertThat(first).contains("█", "-bound: ");
        assertThat(first.replaceAll(ESCAPE + "\\[[0-9]*m", "").lines())
                .filteredOn(line -> !line.startsWith("wrote "))
                .filteredOn(line -> line.length() > width)
                .isEmpty();
        String shown = shown(new Screen(true, width, true, true), "report", "-v", folder.resolve("rank0_trace.json"));

        assertThat(shown).contains("█", ESCAPE + "[33m*");
        assertThat(shown.replaceAll(ESCAPE + "\\[[0-9]*m", "").lines())
                .filteredOn(line -> line.strip().contains(" ")) // a path or an expression is not broken
                .filteredOn(line -> !line.startsWith("wrote ") && !line.contains(folder.toString()))
                .filteredOn(line -> line.length() > width)
                .isEmpty();
        assertThat(shown(new Screen(true, width, false, false), "report", "-v", folder.resolve("rank0_trace.json")))
                .doesNotContain(ESCAPE)
                .matches("\\p{ASCII}*");
    }

    @Test
    void pipesGetNoColoursUnlessTheyAreAskedFor() {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        TestProgram.run(out, err, "report", folder.resolve("none"));
        assertThat(err.toString()).startsWith("lockstep: ");
        TestProgram.run(out, err, "report", folder.resolve("none"), "--color", "always");
        assertThat(err.toString()).startsWith(ESCAPE + "[31mlockstep:" + ESCAPE + "[0m");
        TestProgram.run(out, err, "aiu", "-i", folder.resolve("none"), "-o", folder.resolve("a.json"));
        assertThat(out + "" + err).contains("WARNING").doesNotContain(ESCAPE);
        TestProgram.run(
                out, err, "aiu", "-i", folder.resolve("none"), "-o", folder.resolve("a.json"), "--color=always");
        assertThat(out.toString()).contains(ESCAPE + "[93m WARNING" + ESCAPE);
    }

    @ParameterizedTest
    @CsvSource({"abcdefghij, 10, abcdefghij", "abcdefghijk, 10, abcde…hijk", "abc, 2, a…"})
    void longNamesLoseTheirMiddle(String name, int longest, String cut) {
        assertThat(Screen.cut(name, longest)).isEqualTo(cut);
    }

    private String shown(Screen screen, Object... words) {
        StringWriter out = new StringWriter();
        String[] arguments = new String[words.length + 2];
        for (int i = 0; i < words.length; i++) {
            arguments[i] = words[i].toString();
        }
        arguments[words.length] = "-o";
        arguments[words.length + 1] = folder.resolve("out").toString();
        assertThat(Main.said(
                        new ConsoleLines(out, false, screen), new ConsoleLines(out, true, Screen.pipe()), arguments))
                .isZero();
        return out.toString();
    }

    private static Map<String, String> environment(String variables) {
        return Arrays.stream(variables.split(" "))
                .map(variable -> variable.split("="))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }
}
