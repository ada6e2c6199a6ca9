// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.lockstep.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a process of the program ends: its standard output, and signals. */
class ProgramEndTest {
    private static final int REFUSED = ErrorCode.OUTPUT_FAILED.exitStatus();

    @TempDir
    private Path folder;

    private String program = "";

    @BeforeEach
    void prepare() throws IOException {
        program = "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp \"$CP\" " + Main.class.getName() + " ";
        Files.writeString(
                folder.resolve("t.json"),
                "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1}]}");
    }

    @Test
    void aFullStandardOutputIsAFailure() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();

        assertThat(shell("info --json t.json >/dev/full")).isEqualTo(REFUSED);

        assertThat(folder.resolve("err"))
                .hasContent("lockstep: cannot write to standard output: No space left on device");
    }

    @Test
    void aReaderThatHasEnoughIsToldNothing() throws Exception {
        assertThat(shell("report t.json --json - | true; exit ${PIPESTATUS[0]}"))
                .isEqualTo(REFUSED);
        assertThat(Files.readString(folder.resolve("err"))).doesNotContain("lockstep:");
    }

    @Test
    void standardOutputTakesAResultAndNothingElse() throws Exception {
        assertThat(shell("report t.json --json - >out; exit $?")).isZero();
        assertThat(shell("report t.json --json file.json >summary; exit $?")).isZero();

        assertThat(folder.resolve("out")).hasSameTextualContentAs(folder.resolve("file.json"));
        assertThat(Files.readString(folder.resolve("summary"))).contains("Performance of");
        assertThat(folder.resolve("-")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void aSignalLeavesNothingBehind(String signal, int status) throws Exception {
        assumeThat(Processes.ignores(signal)).isFalse();
        Process process = start("synth -o made/here --ranks 2 --size 2000MB");
        while (!writes(folder.resolve("made/here"))) {
            assertThat(process.isAlive()).isTrue();
            Thread.sleep(20);
        }

        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();

        assertThat(process.waitFor()).isEqualTo(status);
        assertThat(folder.resolve("made")).doesNotExist();
        assertThat(Files.readString(folder.resolve("err"))).doesNotContain("lockstep:");
    }

    /** Its tables are made in several hidden folders, which go at the same time, and its natives are unpacked. */
    @ParameterizedTest
    @ValueSource(strings = {"libduckdb", "ds"})
    void aSignalLeavesNothingOfADatasetBehind(String sign) throws Exception {
        assumeThat(Processes.ignores("TERM")).isFalse();
        assertThat(start("synth -o in --ranks 2 --size 4MB --quiet").waitFor()).isZero();
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        program = program.replace("-cp ", "-Djava.io.tmpdir=" + temporary + " -cp ");
        Process process = start("dataset in -o made/ds");
        while (!isBelow(temporary, sign) && !isBelow(folder.resolve("made"), sign)) {
            assertThat(process.isAlive()).isTrue();
        }

        new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                .start()
                .waitFor();

        assertThat(process.waitFor()).isEqualTo(143);
        assertThat(folder.resolve("made")).doesNotExist();
        assertThat(temporary).isEmptyDirectory();
    }

    /** Of the database's code nothing stays that could not be unpacked as a whole. */
    @Test
    void whereThereIsNoRoomForNativeCodeNothingOfItStays() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        program = "ulimit -f 512; " + program.replace("-cp ", "-Djava.io.tmpdir=" + temporary + " -cp ");

        assertThat(start("sql t.json 'SELECT 1'").waitFor()).isEqualTo(ErrorCode.MODULE_MISSING.exitStatus());

        assertThat(folder.resolve("err")).content().contains("cannot be loaded: File too large");
        assertThat(temporary).isEmptyDirectory();
    }

    /** The first export cannot be read, which shows at once, while those behind it unpack the database's code. */
    @Test
    void tasksThatReadWhileAFileFailsLeaveNothingBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Path exports = Files.createDirectory(folder.resolve("exports"));
        TrainingExport.write(exports.resolve("b.sqlite"));
        for (String name : new String[] {"c", "d", "e"}) {
            Files.copy(exports.resolve("b.sqlite"), exports.resolve(name + ".sqlite"));
        }
        Files.writeString(exports.resolve("a.sqlite"), "SQLite format 3\0 and no more");
        program = program.replace("-cp ", "-Djava.io.tmpdir=" + temporary + " -cp ");

        for (int i = 0; i < 3; i++) {
            assertThat(start("goal -i exports -o made").waitFor()).isEqualTo(ExitStatus.PARTIAL);

            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void whatIsLeftOfAKilledDatasetIsNoDataset() throws Exception {
        assertThat(start("synth -o in --ranks 2 --size 4MB --quiet").waitFor()).isZero();
        Process process = start("dataset in -o made/ds");
        while (!isBelow(folder.resolve("made"), "part-0.parquet")) {
            assertThat(process.isAlive()).isTrue();
        }
        process.destroyForcibly().waitFor();
        assertThat(isBelow(folder.resolve("made"), "part-0.parquet")).isTrue();

        assertThat(shell("dataset in -o made/ds"))
                .as(Files.readString(folder.resolve("err")))
                .isZero();

        assertThat(isBelow(folder.resolve("made"), ".lockstep-")).isFalse();
    }

    private static boolean isBelow(Path parent, String name) throws IOException {
        if (!Files.isDirectory(parent)) {
            return false;
        }
        try (Stream<Path> walk = Files.walk(parent)) {
            return walk.anyMatch(file -> file.getFileName().toString().startsWith(name));
        } catch (UncheckedIOException gone) {
            return false;
        }
    }

    private static boolean writes(Path target) throws IOException {
        if (!Files.isDirectory(target)) {
            return false;
        }
        try (Stream<Path> walk = Files.walk(target)) {
            return walk.anyMatch(
                    file -> Files.isRegularFile(file) && file.toFile().length() > 0);
        }
    }

    private int shell(String arguments) throws Exception {
        return start(arguments).waitFor();
    }

    /** A process of its own; where more is to be done in the shell, below it. */
    private Process start(String arguments) throws IOException {
        boolean pipes = arguments.contains("|") || arguments.contains("exit");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", (pipes ? program.substring("exec ".length()) : program) + arguments)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("stdout").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("CP", System.getProperty("java.class.path"));
        return builder.start();
    }
}
