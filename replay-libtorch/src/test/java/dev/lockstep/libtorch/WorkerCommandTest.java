// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerCommandTest {
    @TempDir
    private Path home;

    @Test
    void librariesUnpackThemselvesBelowTheHome() {
        assertThat(WorkerCommand.unpacked(home)).isEqualTo(home.resolve(".javacpp/cache"));
    }

    /** Else the bindings would take a folder below the system's temporary one that anybody can make before. */
    @Test
    void withoutAUsableHomeTheyDoSoInAFolderOfThisRun() throws IOException {
        Path file = Files.createFile(home.resolve("file"));
        Path taken = Files.createDirectory(home.resolve("taken"));
        Files.createFile(taken.resolve(".javacpp"));

        for (Path unusable : List.of(Path.of("?"), file, taken)) {
            Path folder = WorkerCommand.unpacked(unusable);
            assertThat(folder).isAbsolute().isEmptyDirectory();
            assertThat(folder.getFileName().toString()).startsWith(".lockstep-");
        }
    }

    @Test
    void theWorkerIsToldWhere() {
        assertThat(WorkerCommand.of(List.of()))
                .anyMatch(
                        word -> word.startsWith("-Dorg.bytedeco.javacpp.cachedir=" + System.getProperty("user.home")));
    }
}
