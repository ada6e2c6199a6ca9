// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SettingsFileTest {
    @TempDir
    private Path folder;

    static Stream<Named<String>> hostile() {
        StringBuilder laughs = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i < 40; i++) {
            laughs.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
        }
        return Stream.of(
                Named.of("an alias to itself", "a: &a\n  b: *a\n"),
                Named.of("a list that holds itself", "- &a [*a]\n"),
                Named.of("merges", "a: &a\n  b: *a\ntraining: &t {x: *t}\n<<: *a\n"),
                Named.of("a merge of itself", "a: &a {<<: *a}\n"),
                Named.of("a key that holds itself", "&a {*a : 1}\n"),
                Named.of("aliases of aliases", laughs.toString()),
                Named.of("depth", "[".repeat(100_000)),
                Named.of("depth that ends", "[".repeat(5000) + "]".repeat(5000)),
                Named.of("depth by dashes", "- ".repeat(5000)),
                Named.of("many values", "[" + "1,".repeat(200_000) + "1]"),
                Named.of("a type of the program", "!!java.lang.ProcessBuilder [x]"),
                Named.of("no whole number", "a: !!int x"),
                Named.of("no escape", "a: \"\\x\""),
                Named.of("no number", "a: !!float x"),
                Named.of("no pairs", "a: !!omap x"),
                Named.of("no YAML", "a: [1,\n"));
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void whatNoSettingsAskForIsRefused(String text) throws IOException {
        assertThatThrownBy(() -> SettingsFile.yaml("s.yaml", text, ErrorCode.FORMAT_CORRUPT, null))
                .isInstanceOf(UserException.class)
                .message()
                .startsWith("s.yaml is neither YAML nor JSON: ")
                .doesNotContain("reader", "null", "\n");

        Path file = Files.writeString(folder.resolve("s.yaml"), text);
        Path trace = Files.writeString(folder.resolve("t.json"), "{\"traceEvents\":[]}");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        for (String option : List.of("--arch", "--models")) {
            int status = TestProgram.run(out, err, "report", trace, option, file);
            assertThat(status).as("%s", err).isIn(ExitStatus.USAGE, ExitStatus.UNREADABLE);
            assertThat(err.toString()).contains("s.yaml");
        }
    }

    /** That YAML is for {@code config run}, too, is no help where an option takes YAML. */
    @Test
    void aMistakeInAFileIsNoReasonToNameOtherCommands() throws IOException {
        Path trace = Files.writeString(folder.resolve("t.json"), "{\"traceEvents\":[]}");
        Path hosts = Files.writeString(folder.resolve("hosts.csv"), "wrong\n");
        Path device = Files.write(folder.resolve("d.yaml"), new byte[] {'a', (byte) 0xE9});
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        assertThat(TestProgram.run(out, err, "report", trace, "--arch", device)).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString()).contains("d.yaml: byte 1: ").doesNotContain("config run");
        assertThat(TestProgram.run(out, err, "fleet", folder, "--hosts=" + hosts))
                .isNotZero();
        assertThat(err.toString()).contains("hosts.csv: line 1: ").doesNotContain("compare");
    }

    @Test
    void aliasesThatSettingsUseAreRead() {
        assertThat(SettingsFile.yaml(
                        "s.yaml",
                        "base: &b {x: 1}\nall: [*b, *b]\nown: {<<: *b, y: 2}\n",
                        ErrorCode.FORMAT_CORRUPT,
                        null))
                .isEqualTo(Map.of(
                        "base", Map.of("x", 1),
                        "all", List.of(Map.of("x", 1), Map.of("x", 1)),
                        "own", Map.of("x", 1, "y", 2)));
    }

    @Test
    void whatIsTooLongIsNotReadToItsEnd() throws IOException {
        Path file = Files.writeString(folder.resolve("long.yaml"), "a: " + "x".repeat(2 << 20));

        assertThatThrownBy(() -> SettingsFile.bytes(file, null))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("long.yaml: byte 1048576: it goes on for longer than 1 MiB");
        assertThatThrownBy(() -> SettingsFile.text(file, new byte[] {'a', (byte) 0xFF}))
                .hasMessageContaining("long.yaml: byte 1: expected text in UTF-8");
    }

    /** Pieces of YAML in any order are read or refused, and nothing else happens. */
    @Test
    void anyTextIsReadOrRefused() {
        Random random = new Random(8);
        List<String> pieces = List.of(
                "a",
                ": ",
                "- ",
                "\n",
                "  ",
                "&a ",
                "*a",
                "[",
                "]",
                "{",
                "}",
                "<<: ",
                "!!",
                "? ",
                "|\n",
                ">-\n",
                "'",
                "\"",
                "#",
                "%YAML 1.1\n",
                "---\n",
                "...",
                "\t",
                "0x",
                "1e9",
                "~",
                ",",
                "\u0000",
                "\ud800",
                "=",
                "2001-01-01");
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(25); i >= 0; i--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            try {
                SettingsFile.yaml("s.yaml", text.toString(), ErrorCode.FORMAT_CORRUPT, null);
            } catch (UserException expected) {
                assertThat(expected.getMessage())
                        .startsWith("s.yaml is neither YAML nor JSON: ")
                        .doesNotContain("reader", "null");
            }
        }
    }
}
