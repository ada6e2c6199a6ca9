// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    void whatIsNoPlaceForAFileIsRefusedAtOnce() throws IOException {
        Path inside = Files.createDirectories(folder.resolve("report.html/inside"));
        Path file = Files.writeString(folder.resolve("sheets"), "mine");
        Path circle = folder.resolve("circle");
        Files.createSymbolicLink(circle, circle);
        try (Output output = new Output()) {
            demandRefusal(() -> output.file(folder.resolve("report.html")), "report.html: a folder stands there");
            demandRefusal(() -> output.directory(file), "sheets: a folder of files is written, and this is none");
            demandRefusal(() -> output.directory(Path.of("-")), "-: a folder of files is written");
            demandRefusal(() -> output.file(circle), "circle: its links lead in a circle");
            output.commit();
        }
        assertThat(inside).isDirectory();
        assertThat(names(folder)).containsExactly("sheets");
    }

    @Test
    void twoOutputsDoNotShareAPlace() throws IOException {
        Files.createSymbolicLink(folder.resolve("b"), Path.of("a"));
        try (Output output = new Output()) {
            output.file(folder.resolve("a"));
            assertThatThrownBy(() -> output.file(folder.resolve("b")))
                    .isInstanceOfSatisfying(
                            UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OPTION_INVALID))
                    .hasMessageEndingWith("b is named for two outputs");
        }
        assertThat(folder.resolve("a")).doesNotExist();
    }

    @Test
    void onePlaceIsOneHoweverItIsSpelt() throws IOException {
        Files.createSymbolicLink(folder.resolve("here"), Path.of("."));
        try (Output output = new Output()) {
            output.file(folder.resolve("o.json"));
            output.file(folder.resolve("new/x.html"));
            for (String same : List.of("./o.json", "made/../o.json", "here/o.json", "new/../new/./x.html")) {
                demandTwice(() -> output.file(folder.resolve(same)), same);
            }
        }
    }

    @Test
    void aFileIsNoFolderOfAnotherOutput() throws IOException {
        try (Output output = new Output()) {
            output.file(folder.resolve("o.svg"));
            demandTwice(() -> output.directory(folder.resolve("o.svg")), "o.svg");
            demandTwice(() -> output.directory(folder.resolve("o.svg/csv")), "csv");
            demandTwice(() -> output.file(folder.resolve("o.svg/page")), "page");
            output.directory(folder.resolve("deep/csv"));
            demandTwice(() -> output.file(folder.resolve("deep/csv")), "csv");
            Files.writeString(output.file(folder.resolve("deep/csv/readme")), "beside");
            Files.writeString(output.directory(folder.resolve("deep/csv")).resolve("b.csv"), "b");
            output.commit();
        }
        assertThat(names(folder)).containsExactly("deep/csv/b.csv", "deep/csv/readme", "o.svg");
    }

    @Test
    void noFileOfAFolderTakesThePlaceOfAnother() throws IOException {
        try (Output output = new Output()) {
            Files.writeString(output.directory(folder.resolve("all")).resolve("a"), "one");
            Files.writeString(output.directory(folder.resolve("all/../all")).resolve("a"), "other");
            demandTwice(output::commit, "a");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void nothingLeavesAFolderThroughALinkInIt() throws IOException {
        Files.createDirectories(folder.resolve("outside"));
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.createSymbolicLink(data.resolve("slices"), Path.of("../outside"));
        Files.createSymbolicLink(data.resolve("page"), Path.of("../outside/page"));
        Files.createSymbolicLink(folder.resolve("named"), Path.of("data"));
        for (Path place : List.of(data, folder.resolve("named"))) {
            try (Output output = new Output()) {
                Path staged = output.directory(place);
                Files.writeString(staged.resolve("a"), "a");
                Files.writeString(
                        Files.createDirectories(staged.resolve("slices/r2")).resolve("b"), "b");
                demandRefusal(output::commit, "slices/r2/b: a link leads out of " + place);
            }
            try (Output output = new Output(place)) {
                demandRefusal(() -> output.file(place.resolve("slices/b")), "slices/b: a link leads out of");
                demandRefusal(() -> output.directory(place.resolve("slices")), "slices: a link leads out of");
                demandRefusal(() -> output.file(place.resolve("page")), "page: a link leads out of");
                Files.writeString(output.file(place.resolve("deep/page")), "stays");
                Files.writeString(output.file(folder.resolve("beside")), "named");
                output.commit();
            }
        }
        assertThat(names(folder)).containsExactly("beside", "data/deep/page");
    }

    private static void demandTwice(ThrowingCallable step, String place) {
        assertThatThrownBy(step)
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OPTION_INVALID))
                .hasMessageEndingWith(place + " is named for two outputs");
    }

    @Test
    void aLinkStaysALinkAndItsTargetIsWritten() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("latest.json"), Path.of("runs/one.json"));
        Path directory = Files.createDirectory(folder.resolve("elsewhere"));
        Path sheets = Files.createSymbolicLink(folder.resolve("csv"), directory);
        try (Output output = new Output()) {
            Files.writeString(output.file(link), "one");
            Files.writeString(output.directory(sheets).resolve("a.csv"), "a");
            output.commit();
        }
        assertThat(link).isSymbolicLink().hasContent("one");
        assertThat(sheets).isSymbolicLink();
        assertThat(names(folder)).containsExactly("elsewhere/a.csv", "latest.json", "runs/one.json");
    }

    @Test
    void aPipeIsWrittenThrough() throws Exception {
        Path pipe = folder.resolve("pipe.json");
        assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<String> read = CompletableFuture.supplyAsync(() -> {
            try {
                return Files.readString(pipe);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (Output output = new Output()) {
            Path staged = output.file(pipe);
            assertThat(staged).hasFileName("1-pipe.json");
            Files.writeString(staged, "whole");
            output.commit();
        }
        assertThat(read.get()).isEqualTo("whole");
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
        assertThat(folder.toFile().list()).containsExactly("pipe.json");
    }

    /** The number of a file that this process has open. */
    private static Path numberOf(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(number -> Files.exists(number) && isSame(number, file))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aNumberOfAFileIsWrittenOnlyIfItIsOpenForWritingAndBehindWhatIsThere() throws IOException {
        assumeThat(Files.isDirectory(Path.of("/proc/self/fdinfo"))).isTrue();
        Path file = Files.writeString(folder.resolve("mine"), "mine");
        try (FileChannel read = FileChannel.open(file, StandardOpenOption.READ);
                Output output = new Output()) {
            Path number = numberOf(file);
            for (Path named : List.of(number, Path.of("/dev/fd").resolve(number.getFileName()))) {
                demandRefusal(() -> output.file(named), "no file is open for writing under this number");
            }
            assertThat(read.isOpen()).isTrue();
        }
        for (StandardOpenOption how : List.of(StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            try (FileChannel written = FileChannel.open(file, how);
                    Output output = new Output()) {
                if (how == StandardOpenOption.WRITE) {
                    written.position(2);
                }
                Files.writeString(output.file(numberOf(file)), "new");
                output.commit();
            }
        }
        assertThat(file).hasContent("minewnew");
    }

    @Test
    void inputsAreSparedWithinFolders() throws IOException {
        Path input =
                Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("a.csv"), "input");
        Files.createLink(folder.resolve("another"), input);
        try (Output output = new Output().sparing(List.of(folder.resolve("another"), folder.resolve("none")))) {
            Path staged = output.directory(folder.resolve("out"));
            Files.writeString(staged.resolve("0.csv"), "first");
            Files.writeString(staged.resolve("a.csv"), "second");
            assertThatThrownBy(output::commit).hasMessageContaining("a.csv is an input");
        }
        assertThat(names(folder.resolve("out"))).containsExactly("a.csv");
        assertThat(input).hasContent("input");
    }

    @Test
    void aDeviceThatIsFullFailsBeforeAnythingAppears() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).exists();
        try (Output output = new Output()) {
            Files.writeString(output.file(folder.resolve("page.html")), "page");
            Files.writeString(output.file(full), "page");
            demandRefusal(output::commit, "/dev/full: No space left on device");
        }
        assertThat(names(folder)).isEmpty();
    }

    @Test
    void foldersThatWereMadeForNothingGo() throws IOException {
        try (Output output = new Output()) {
            output.file(folder.resolve("a/b/report.html"));
            output.directory(folder.resolve("a/c/csv"));
        }
        assertThat(folder).isEmptyDirectory();
    }

    private static void demandRefusal(ThrowingCallable step, String message) {
        assertThatThrownBy(step)
                .isInstanceOfSatisfying(
                        UserException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_FAILED))
                .hasMessageContaining(message);
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
