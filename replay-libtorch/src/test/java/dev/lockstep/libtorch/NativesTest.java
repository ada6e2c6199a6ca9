// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativesTest {
    @TempDir
    Path repository;

    /** Files of the right names, each a small archive. */
    private List<Path> fill() throws IOException {
        Properties known = new Properties();
        try (InputStream in = Objects.requireNonNull(Natives.class.getResourceAsStream("libtorch.properties"))) {
            known.load(in);
        }
        List<Path> files = known.getProperty("linux-x86_64")
                .lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(line -> {
                    String[] parts = line.strip().split("[: ]+");
                    String classifier = parts[3].equals("-") ? "" : "-" + parts[3];
                    return repository.resolve(parts[0].replace('.', '/') + "/" + parts[1] + "/" + parts[2] + "/"
                            + parts[1] + "-" + parts[2] + classifier + ".jar");
                })
                .toList();
        for (Path file : files) {
            Files.createDirectories(file.getParent());
            try (OutputStream out = Files.newOutputStream(file);
                    JarOutputStream jar = new JarOutputStream(out)) {
                jar.putNextEntry(new ZipEntry("part"));
                jar.write(new byte[100]);
            }
        }
        return files;
    }

    private static void needsLinux() {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "SKIPPED: other libraries belong to this kind of machine");
    }

    @Test
    void whatIsThereIsTakenWithoutAWord() throws IOException {
        needsLinux();
        List<Path> files = fill();

        Natives natives = Natives.of("cpu", repository);

        assertThat(natives.arePresent()).isTrue();
        assertThat(natives.classPath(said -> {
                    throw new AssertionError(said);
                }))
                .containsExactlyElementsOf(files);
    }

    @Test
    void aFileThatWasCutOffIsNamed() throws IOException {
        needsLinux();
        Path cut = fill().getLast();
        byte[] bytes = Files.readAllBytes(cut);
        Files.write(cut, java.util.Arrays.copyOf(bytes, bytes.length / 2));

        assertThatThrownBy(() -> Natives.of("cpu", repository).classPath(said -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(cut + " is damaged");
    }

    @Test
    void ofWhatMavenSaysTheCauseIsKept() {
        assertThat(MavenFetch.cause(
                        "\u001b[0m\u001b[0m[ERROR] Could not transfer: Unknown host -> [Help 1]\n[ERROR] advice"))
                .isEqualTo("Could not transfer: Unknown host");
    }
}
