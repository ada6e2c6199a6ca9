// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.HiddenValues;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
    @TempDir
    Path folder;

    private final StringWriter console = new StringWriter();

    @Test
    void charactersThatComeInPiecesAreShownWhole() throws IOException {
        String text = "é€😀\n" + "é".repeat(100) + "\n";

        assertThat(logged(text, -1)).isEqualTo(text);
        assertThat(console).hasToString(text);
    }

    /** Lines are cut, for nobody knows whether they end; whole characters are on both sides. */
    @Test
    void noCharacterOfALongLineIsCut() throws IOException {
        String log = logged("a" + "é".repeat(100_000) + "\n", 3);

        assertThat(log.replace("\n", "").replace("[rank3] ", "")).isEqualTo("a" + "é".repeat(100_000));
        assertThat(console).hasToString(log);
    }

    /** What is logged of a text that comes byte by byte. */
    private String logged(String text, int rank) throws IOException {
        InputStream bytewise = new FilterInputStream(new ByteArrayInputStream(text.getBytes(UTF_8))) {
            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return super.read(into, offset, 1);
            }
        };
        Path file = folder.resolve("log");
        try (RunLog log = new RunLog(file, new PrintWriter(console), HiddenValues.in(List.of()))) {
            log.copy(bytewise, rank);
        }
        return Files.readString(file);
    }
}
