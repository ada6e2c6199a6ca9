// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.error.UserException;
import dev.lockstep.fetch.Sha256;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativesTest {
    @TempDir
    Path repository;

    private final Properties known = new Properties();

    /** Two libraries of this kind of machine, as they were published. */
    @BeforeEach
    void publish() throws IOException {
        library("one", new byte[] {1});
        library("two", new byte[] {2, 2});
        known.setProperty("version", "9");
        known.setProperty(
                Natives.platform(),
                "org.example:one:1:- 1 " + Sha256.of(jar("one")) + ", org.example:two:1:- 2 " + Sha256.of(jar("two")));
    }

    private Path jar(String name) {
        return repository.resolve("org/example/" + name + "/1/" + name + "-1.jar");
    }

    private void library(String name, byte[] bytes) throws IOException {
        Files.createDirectories(jar(name).getParent());
        Files.write(jar(name), bytes);
    }

    @Test
    void whatIsThereIsTakenWithoutAWord() throws IOException {
        Natives natives = Natives.of(known, "cpu", repository);

        assertThat(natives.arePresent()).isTrue();
        assertThat(natives.classPath(said -> {
                    throw new AssertionError(said);
                }))
                .containsExactly(jar("one"), jar("two"));
    }

    @Test
    void aFileThatWasTamperedWithIsNotOpened() throws IOException {
        Files.write(jar("two"), new byte[] {2, 3});

        assertThatThrownBy(() -> Natives.of(known, "cpu", repository).classPath(said -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(jar("two") + " is damaged, or not the file that was published")
                .hasMessageContaining(Sha256.of(jar("two")));
    }

    @Test
    void aFileThatWasCutOffIsNamed() throws IOException {
        Files.write(jar("two"), new byte[] {2});

        assertThatThrownBy(() -> Natives.of(known, "cpu", repository).classPath(said -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(jar("two") + " is damaged");
    }

    @Test
    void everyLibraryHasAVersionASizeAndASum() {
        Properties shipped = Natives.known();
        for (String set : new String[] {"linux-x86_64", "linux-x86_64-gpu"}) {
            assertThat(shipped.getProperty(set).split(","))
                    .hasSizeGreaterThan(5)
                    .allSatisfy(line -> assertThat(line.strip())
                            .matches("org\\.bytedeco:[a-z]+:[0-9.-]+:[a-z0-9_-]+ [0-9]+ [0-9a-f]{64}"));
        }
    }

    private static Path executable(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script);
        assumeTrue(file.toFile().setExecutable(true), "SKIPPED: files cannot be made executable here");
        return file;
    }

    /** The program lies below a folder with a wrapper, and runs in one; the PATH is empty. */
    @Test
    void aWrapperInAFolderAboveIsNeverRun() throws IOException, InterruptedException {
        assumeTrue(
                Natives.platform().equals("linux-x86_64"), "SKIPPED: other libraries belong to this kind of machine");
        Path home = Files.createDirectories(repository.resolve("home"));
        Path ran = home.resolve("ran");
        executable(home.resolve("mvnw"), "touch " + ran + "\n");
        Path classes = home.resolve("app/lib/classes");
        copy(Path.of(System.getProperty("basedir", "."), "target/classes"), classes);
        Path empty = Files.createDirectory(repository.resolve("empty"));
        ProcessBuilder program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + File.pathSeparator + System.getProperty("java.class.path"),
                        Fetching.class.getName(),
                        empty.toString())
                .directory(home.toFile())
                .redirectErrorStream(true);
        program.environment().put("PATH", empty.toString());
        Process process = program.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();

        assertThat(ran).doesNotExist();
        assertThat(said)
                .contains("there is no mvn on the PATH")
                .contains("org/bytedeco/pytorch/2.10.0-1.5.13/pytorch-2.10.0-1.5.13-linux-x86_64.jar 90245300"
                        + " 67e9b5b7c2caf2e6ed0e81947f1ff712c9a0755faeff6a0c3436d4432a25cc06");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                if (Files.isRegularFile(file)) {
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Asks for libraries that are not there, and prints what is said. */
    static final class Fetching {
        private Fetching() {}

        public static void main(String[] words) throws IOException {
            try {
                Natives.of("cpu", Path.of(words[0])).classPath(System.out::println);
            } catch (UserException e) {
                System.out.println(e.getMessage());
                System.out.println(e.hint());
            }
        }
    }
}
