// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileNamesTest {
    @TempDir
    private Path folder;

    /** A file whose name has these bytes, as addresses escape them. */
    private Path file(String escaped) throws IOException {
        Path file = Path.of(URI.create(folder.toUri() + escaped));
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, escaped);
        } catch (FileSystemException e) {
            assumeThat(e).as("a file system of bytes").isNull();
            throw e;
        }
    }

    @Test
    void aNameThatIsNoTextStandsForTheFileThatIsShownSo() throws IOException {
        Path file = file("d%FF/a%FEb.json");
        assertThat(file.toString()).contains("\uFFFD");
        assertThat(FileNames.path(file.toString())).isEqualTo(file).hasContent("d%FF/a%FEb.json");
    }

    @Test
    void textIsTakenAsItIs() {
        assertThat(FileNames.path("a/b c.json")).isEqualTo(Path.of("a/b c.json"));
        assertThat(FileNames.path("")).isEqualTo(Path.of(""));
        assertThat(FileNames.path(folder + "/there is nothing\uFFFD")).doesNotExist();
        assertThat(FileNames.path("nowhere/at/all\uFFFD")).doesNotExist();
    }

    @Test
    void whatIsShownLikeAnotherIsRefused() throws IOException {
        file("a%FE.json");
        file("a%FD.json");
        assertThatThrownBy(() -> FileNames.path(folder.resolve("a\uFFFD.json").toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("several files are shown so");
    }

    @Test
    void aNameThatHasTheSignItselfIsMeantBeforeThoseThatAreShownSo() throws IOException {
        Path own = file("a%EF%BF%BD.json");
        file("a%FD.json");
        assertThat(FileNames.path(own.toString())).isEqualTo(own);
    }
}
