// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedFilesTest {
    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        Path file = folder.resolve("a.txt");
        NamedFiles.write(file, "é\nzwei");

        assertThat(NamedFiles.text(file)).isEqualTo("é\nzwei");
        assertThat(NamedFiles.lines(file)).containsExactly("é", "zwei");
        try (BufferedReader reader = NamedFiles.reader(file)) {
            assertThat(reader.lines()).containsExactly("é", "zwei");
        }
    }

    @Test
    void halfOfASurrogatePairIsWrittenAsSomething() throws IOException {
        Path file = folder.resolve("a.txt");
        NamedFiles.write(file, "a\ud800b");
        try (var writer = NamedFiles.writer(folder.resolve("b.txt"))) {
            writer.write("a\ud800b");
        }

        assertThat(NamedFiles.text(file)).isEqualTo("a?b");
        assertThat(NamedFiles.text(folder.resolve("b.txt"))).isEqualTo("a?b");
    }

    @Test
    void missingFilesAndFoldersAreNamed() {
        Path missing = folder.resolve("missing");
        demandNamed(() -> NamedFiles.text(missing), missing, "there is no such file");
        demandNamed(() -> NamedFiles.in(missing), missing, "there is no such file");
        demandNamed(() -> NamedFiles.reader(folder), folder, "this is a directory, expected a file");
        demandNamed(() -> NamedFiles.bytes(folder), folder, "this is a directory, expected a file");
    }

    @Test
    void anAddressIsToldApartFromAFileThatIsMissing() {
        assertThatExceptionOfType(TraceFormatException.class)
                .isThrownBy(() -> NamedFiles.text(Path.of("s3a://runs/monday/rank0.json")))
                .satisfies(e -> assertThat(e.hint()).startsWith("Remote paths are not supported"));
        assertThatExceptionOfType(TraceFormatException.class)
                .isThrownBy(() -> NamedFiles.text(Path.of("C:/runs/monday/rank0.json")))
                .satisfies(e -> assertThat(e.hint()).isNull());
    }

    @Test
    void aPipeIsReadOnce() throws Exception {
        assertThat(fed("é\nzwei".getBytes(UTF_8), NamedFiles::settings)).isEqualTo("é\nzwei");
        Path pipe = folder.resolve("pipe");
        demandNamed(
                () -> fed("\u00e9tat".getBytes(ISO_8859_1), NamedFiles::text), pipe, "byte 0: expected text in UTF-8");
        demandNamed(
                () -> fed("\u00e9tat".getBytes(ISO_8859_1), file -> {
                    try (BufferedReader reader = NamedFiles.reader(file)) {
                        return reader.readLine();
                    }
                }),
                pipe,
                "expected text in UTF-8");
    }

    @Test
    void aPipeThatNobodyWritesIntoIsNotWaitedForWithoutEnd() throws Exception {
        Path pipe = pipe();
        demandNamed(
                () -> NamedFiles.in(pipe.toString(), pipe, Duration.ofMillis(50)),
                pipe,
                "nobody writes into this pipe");
        demandNamed(
                () -> NamedFiles.demandFile(pipe.toString(), pipe, "why"),
                pipe,
                "this is a pipe or a device, expected a file");
    }

    @Test
    void aDeviceThatDoesNotEndIsNoFile() {
        Path endless = Path.of("/dev/zero");
        assumeThat(endless).exists();
        demandNamed(() -> NamedFiles.bytes(endless), endless, "this is a device that does not end, expected a file");
        demandNamed(
                () -> {
                    try (InputStream in = NamedFiles.in(endless)) {
                        while (in.read() == 0) {
                            // until it is refused
                        }
                    }
                },
                endless,
                "this is a device that does not end, expected a file");
        assertThatCode(() ->
                        assertThat(NamedFiles.settings(Path.of("/dev/null"))).isEmpty())
                .doesNotThrowAnyException();
    }

    private interface Read {
        String from(Path file) throws IOException;
    }

    private Path pipe() throws Exception {
        Path pipe = folder.resolve("pipe");
        if (!Files.exists(pipe)) {
            assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        }
        return pipe;
    }

    private String fed(byte[] content, Read read) throws Exception {
        Path pipe = pipe();
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                Files.write(pipe, content, StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            return read.from(pipe);
        } finally {
            writer.join();
        }
    }

    @Test
    void theFirstByteThatIsNoTextIsNamed() throws IOException {
        for (int before : new int[] {0, 5, 8191, 8192, 20_000}) {
            Path file = folder.resolve("latin");
            Files.write(file, ("a".repeat(before) + "\u00e9tat").getBytes(ISO_8859_1));
            demandNamed(() -> NamedFiles.text(file), file, "byte " + before + ": expected text in UTF-8");
            demandNamed(
                    () -> {
                        try (BufferedReader reader = NamedFiles.reader(file)) {
                            reader.lines().toList();
                        } catch (UncheckedIOException e) {
                            throw e.getCause();
                        }
                    },
                    file,
                    "byte " + before + ": expected text in UTF-8");
        }
        Path cut = folder.resolve("cut");
        Files.write(cut, Arrays.copyOf("aé".getBytes(UTF_8), 2));
        demandNamed(() -> NamedFiles.text(cut), cut, "byte 1: expected text in UTF-8");
    }

    @Test
    void aFullDiskIsNamed() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        try (OutputStream out = NamedFiles.out(full)) {
            assertThatThrownBy(() -> out.write(new byte[10]))
                    .isInstanceOfSatisfying(
                            FileSystemException.class,
                            e -> assertThat(e.getFile()).isEqualTo("/dev/full"))
                    .hasMessageContaining("No space left");
        }
    }

    private static void demandNamed(ThrowingCallable reading, Path file, String problem) {
        assertThatThrownBy(reading).isInstanceOf(TraceFormatException.class).hasMessage(file + ": " + problem);
    }
}
