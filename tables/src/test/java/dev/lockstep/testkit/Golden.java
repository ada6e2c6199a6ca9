// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Expected outputs that lie beside their input under {@code src/test/resources/golden/<area>/<case>/} and are reviewed as
 * text. {@code -Dgolden.update=true} rewrites them; where {@code CI} is set that is refused.
 */
public final class Golden {
    private Golden() {}

    /** The folder of a case: in the module whose tests run; where that has none, in the first module beside it that does. */
    public static Path folder(String area, String name) {
        Path module = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        Path golden = Path.of("src/test/resources/golden", area, name);
        try (Stream<Path> modules = Files.list(module.getParent())) {
            return Stream.concat(Stream.of(module), modules.sorted())
                    .map(one -> one.resolve(golden))
                    .filter(Files::isDirectory)
                    .findFirst()
                    .orElse(module.resolve(golden));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compares the files of a folder, byte by byte, with those that are expected; there must be no more and no fewer. What is said in
     * {@code findings.txt} must be in plain words.
     */
    public static void check(Path actual, Path expected) throws IOException {
        Path findings = actual.resolve("findings.txt");
        if (Files.exists(findings)) {
            assertThat(Files.readAllLines(findings).stream()
                            .flatMap(line -> PlainWords.faults(line.replaceFirst("^[A-Z]+ \\w+: ", "")).stream()))
                    .isEmpty();
        }
        if (Boolean.getBoolean("golden.update")) {
            update(actual, expected);
            return;
        }
        assertThat(contents(actual))
                .as("run with -Dgolden.update=true to accept")
                .isEqualTo(contents(expected));
    }

    private static void update(Path actual, Path expected) throws IOException {
        if (System.getenv("CI") != null) {
            fail("golden files are not rewritten in continuous integration");
        }
        Files.createDirectories(expected);
        for (String name : contents(expected).keySet()) {
            Files.delete(expected.resolve(name));
        }
        for (String name : contents(actual).keySet()) {
            Files.copy(actual.resolve(name), expected.resolve(name));
        }
    }

    private static TreeMap<String, String> contents(Path folder) throws IOException {
        TreeMap<String, String> contents = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    contents.put(String.valueOf(file.getFileName()), Files.readString(file));
                }
            }
        }
        return contents;
    }
}
