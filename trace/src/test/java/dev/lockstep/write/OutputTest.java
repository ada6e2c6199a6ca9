// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @TempDir
    Path folder;

    @Test
    void filesAppearTogetherAndNothingElseIsLeft() throws IOException {
        try (Output output = new Output()) {
            Path page = output.file(folder.resolve("deep/report.html"));
            Path sheets = output.directory(folder.resolve("csv"));
            Files.writeString(page, "page");
            Files.writeString(sheets.resolve("a.csv"), "a");
            assertThat(folder.resolve("deep/report.html")).doesNotExist();
            output.commit();
        }

        assertThat(names(folder)).containsExactly("csv/a.csv", "deep/report.html");
        assertThat(folder.resolve("deep/report.html")).hasContent("page");
    }

    @Test
    void withoutACommitNothingIsLeft() throws IOException {
        try (Output output = new Output()) {
            Files.writeString(output.file(folder.resolve("report.html")), "half");
            Files.writeString(output.directory(folder.resolve("csv")).resolve("a.csv"), "half");
        }

        assertThat(names(folder)).isEmpty();
    }

    @Test
    void aPlaceThatIsRefusedIsTheUsersToMend() throws IOException {
        Path inTheWay = Files.writeString(folder.resolve("taken"), "a file");
        try (Output output = new Output()) {
            assertThatThrownBy(() -> output.file(inTheWay.resolve("report.html")))
                    .isInstanceOfSatisfying(
                            UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_FAILED))
                    .hasMessageContaining(inTheWay.toString());
        }
    }

    @Test
    void aFolderWhereAFileShallStandIsRefusedAtTheEnd() throws IOException {
        Path folderInTheWay = Files.createDirectories(folder.resolve("report.html/inside"));
        try (Output output = new Output()) {
            Files.writeString(output.file(folder.resolve("report.html")), "page");
            assertThatThrownBy(output::commit)
                    .isInstanceOfSatisfying(
                            UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_FAILED))
                    .hasMessageContaining("report.html");
        }
        assertThat(folderInTheWay).isDirectory();
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void severalOutputsOfOneProcessDoNotMeet() throws IOException {
        try (Output first = new Output();
                Output second = new Output()) {
            Path one = first.file(folder.resolve("a.json"));
            Path two = second.file(folder.resolve("a.json"));
            assertThat(one).isNotEqualTo(two);
        }
    }

    @Test
    void permissionsAreThoseOfAnyNewFile() throws IOException {
        Path ordinary = Files.writeString(folder.resolve("ordinary"), "");
        Path written = folder.resolve("written.csv");
        try (Output output = new Output()) {
            Files.writeString(output.file(written), "x");
            output.commit();
        }

        assertThat(Files.getPosixFilePermissions(written)).isEqualTo(Files.getPosixFilePermissions(ordinary));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            return walk.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
