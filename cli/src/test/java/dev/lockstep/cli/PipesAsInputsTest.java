// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that a shell has made of a program's output, {@code <(jq ...)}, as settings and as what is read more than once. */
class PipesAsInputsTest {
    private static final String CONTENT = "0 ?\n";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path pipe;
    private Path trace;

    @BeforeEach
    void makePipe() throws Exception {
        pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        trace = Files.createDirectory(folder.resolve("run")).resolve("rank0.json");
        Files.writeString(trace, "{\"distributedInfo\":{\"rank\":0,\"world_size\":1},\"traceEvents\":[]}");
    }

    static Stream<String> settings() {
        return Stream.of(
                "report TRACE --arch FILE",
                "report TRACE --models FILE",
                "fleet RANKS --hosts FILE",
                "kernels extract TRACE --categories FILE",
                "goal -i RANKS -o OUT --topology FILE",
                "goal -i RANKS -o OUT --algorithm FILE",
                "goal -i RANKS -o OUT -s FILE -l FILE",
                "goal algorithms --algorithm FILE",
                "goal verify FILE",
                "sql TRACE -f FILE",
                "aiu -i TRACE -o OUT -P FILE",
                "aiu -i TRACE -o OUT -c FILE",
                "replay export FILE",
                "replay compare FILE");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aPipeIsReadAsTheFileWouldBe(String line) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), CONTENT);
        int status = run(line, file);
        String said = firstLine(file);

        Thread.ofPlatform().daemon().start(() -> {
            try {
                Files.writeString(pipe, CONTENT, StandardOpenOption.WRITE);
            } catch (IOException e) {
                // nobody has read it: what was said tells
            }
        });
        assertThat(run(line, pipe)).as("%s", err).isEqualTo(status);
        assertThat(firstLine(pipe)).isEqualTo(said);
    }

    static Stream<String> files() {
        return Stream.of(
                "report FILE",
                "info FILE",
                "diff FILE TRACE",
                "memory FILE",
                "view --no-open FILE",
                "aiu -i FILE -o OUT",
                "stragglers --table FILE",
                "gemm timestamps --base-path RANKS --input-csv FILE",
                "config run -c FILE -- true",
                "sweep run -c 28 -t 256 -f FILE -- true");
    }

    @ParameterizedTest
    @MethodSource("files")
    void whatIsReadMoreThanOnceIsNoPipe(String line) throws IOException {
        assertThat(run(line, pipe)).as("%s", err).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(err.toString())
                .startsWith("lockstep: FILE: this is a pipe or a device, expected a file\nHint: "
                        .replace("FILE", pipe + ""));
        assertThat(folder).isDirectoryNotContaining(made -> made.endsWith("out"));
    }

    @Test
    void aPipeMayHoldYaml() throws IOException {
        Path yaml = Files.writeString(folder.resolve("63"), "name: X\nmem_bw_gbps: 1000\nmax_achievable_tflops: {}\n");
        run("report TRACE --arch FILE", yaml);
        assertThat(err.toString()).doesNotContain("63:");
    }

    private int run(String line, Path file) {
        return TestProgram.run(
                out,
                err,
                List.of(line.split(" ")).stream()
                        .map(word -> switch (word) {
                            case "TRACE" -> trace;
                            case "RANKS" -> trace.getParent();
                            case "OUT" -> folder.resolve("out");
                            case "FILE" -> file;
                            default -> word;
                        })
                        .toArray());
    }

    private String firstLine(Path file) {
        return err.toString().lines().findFirst().orElse("").replace(file.toString(), "FILE");
    }
}
