// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.TableBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlPromptTest {
    @TempDir
    private Path folder;

    private Path history = Path.of("");

    @BeforeEach
    void prepare() {
        history = folder.resolve("history");
    }

    private String typed(String keys) throws IOException {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        try (Terminal terminal = new ExternalTerminal(
                        "test",
                        "ansi",
                        new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                        screen,
                        StandardCharsets.UTF_8);
                QueryDatabase database = QueryDatabase.seeing(List.of())) {
            database.add(
                    "kernels",
                    new TableBuilder("kernels", "", new Schema(List.of(ColumnSpec.count("launches", "A number."))))
                            .row(41L)
                            .build());
            assertThat(SqlPrompt.run(database, terminal, history)).isZero();
        }
        return screen.toString(StandardCharsets.UTF_8).replace("\r", "").replaceAll("\u001b\\[[?0-9]*[a-zA-Z]", "");
    }

    @Test
    void queriesEndWithASemicolonAndMayHaveSeveralLines() throws IOException {
        assertThat(typed("SELECT launches + 1\nAS n FROM kernels;\nexit\n"))
                .contains("Tables: kernels", " n\n--\n42\n");
    }

    @Test
    void commandsOfOtherPromptsSayWhatThereIs() throws IOException {
        for (String asked : List.of("help", ".tables", "\\d", "?")) {
            String screen = typed(asked + "\nSELECT 7 * 6 AS n;\n");
            assertThat(screen).contains(" n\n--\n42\n");
            assertThat(screen.split("Tables: kernels", -1)).hasSize(3);
        }
    }

    @Test
    void anErrorIsSaidAndTheNextQueryTaken() throws IOException {
        assertThat(typed("SELECT x FROM kernels;\nSELECT 7 * 6 AS n;\n"))
                .contains("line 1, column 8: ", "^", " n\n--\n42\n");
    }

    @Test
    void whatWasAskedIsRemembered() throws IOException {
        typed("SELECT 1 AS remembered;\nquit;\n");
        assertThat(Files.readString(folder.resolve("history"))).contains("SELECT 1 AS remembered;");
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("history"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void withoutAPlaceForItNothingIsRemembered() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        history = folder.resolve("file/history");
        assertThat(typed("SELECT 7 * 6 AS n;\n")).contains(" n\n--\n42\n");
    }

    @Test
    void aDamagedHistoryIsLeftAlone() throws IOException {
        for (String damaged : List.of("SELECT 1;\n", "x:SELECT 1;\n", "99999999999999999999:a\n", "1:caf\u00e9\n")) {
            byte[] bytes = damaged.getBytes(StandardCharsets.ISO_8859_1);
            Files.write(history, bytes);
            assertThat(typed("SELECT 7 * 6 AS n;\n")).contains(" n\n--\n42\n", "history is damaged");
            assertThat(history).hasBinaryContent(bytes);
        }
    }

    @Test
    void wordsOfTheTablesAreCompleted() throws IOException {
        assertThat(typed("SELECT laun\t FROM kern\t;\n")).contains("launches\n--------\n      41\n");
    }
}
