// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.error.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MavenFetchTest {
    @TempDir
    Path repository;

    @Test
    void aSumIsThatOfTheStandard() throws IOException {
        // FIPS 180-2, appendix B.1
        assertThat(Sha256.of(Files.writeString(repository.resolve("abc"), "abc")))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void onlyMvnOfAnAbsoluteFolderOfThePathIsRun() throws IOException {
        Path bin = Files.createDirectory(repository.resolve("bin"));
        Path mvn = executable(bin.resolve("mvn"), "");

        assertThat(MavenFetch.program(":.:relative:" + repository + ":" + bin)).isEqualTo(mvn);
        assertThat(MavenFetch.program("")).isNull();
        assertThat(MavenFetch.program(repository.toString())).isNull();
    }

    @Test
    void aFolderIsNoProgram() throws IOException {
        Files.createDirectories(repository.resolve("mvn"));
        assertThat(MavenFetch.program(repository.toString())).isNull();
    }

    @Test
    void aFileThatIsNotTheOnePublishedIsNotOpened() throws IOException {
        Path jar = repository.resolve("org/example/one/1/one-1.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "abc");
        String genuine = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        String list = "org.example:one:1:- 3 " + genuine;
        assertThat(new FetchedLibraries(list, repository, "a test").classPath(line -> {}))
                .containsExactly(jar);

        Files.writeString(jar, "abd");
        assertThatThrownBy(() -> new FetchedLibraries(list, repository, "a test").classPath(line -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(jar.toString())
                .hasMessageContaining("is damaged, or not the file that was published");
    }

    @Test
    void aRepositoryWhosePathEndsAClassPathsEntryIsRefused() throws IOException {
        Path odd = Files.createDirectories(repository.resolve("a" + File.pathSeparator + "b"));
        assertThatThrownBy(() -> new FetchedLibraries("org.example:one:1:- 3 00", odd, "a test").classPath(line -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot be libraries");
    }

    @Test
    void ofWhatMavenSaysTheCauseIsKept() {
        assertThat(MavenFetch.cause(
                        "\u001b[0m\u001b[0m[ERROR] Could not transfer: Unknown host -> [Help 1]\n[ERROR] advice"))
                .isEqualTo("Could not transfer: Unknown host");
    }

    private static Path executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        assumeTrue(file.toFile().setExecutable(true), "SKIPPED: files cannot be made executable here");
        return file;
    }
}
