// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns that users give, on names that they do not know: both may be what makes matching go on for ever. */
class GivenPatternsTest {
    private static final String NAME = "a".repeat(8_192);
    private static final String MODELS = """
            {"models": [{"pattern": "PATTERN", "family": "F", "category": "C", "flops": "1", "bytes": "1"}]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void longNames() throws IOException {
        Files.writeString(folder.resolve("trace.json"), """
                {"traceEvents": [
                {"ph": "X", "cat": "cpu_op", "name": "NAME", "ts": 0, "dur": 9, "pid": 1, "tid": 1,
                 "args": {"External id": 1}},
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 1, "dur": 2, "pid": 1, "tid": 1,
                 "args": {"correlation": 1, "External id": 1}},
                {"ph": "X", "cat": "kernel", "name": "NAME", "ts": 5, "dur": 5, "pid": 0, "tid": 7,
                 "args": {"device": 0, "stream": 7, "correlation": 1, "External id": 1}}]}
                """.replace("NAME", NAME));
    }

    private int run(String line, String pattern) throws IOException {
        Files.writeString(folder.resolve("rules.txt"), "gemm " + pattern + "\n");
        Files.writeString(folder.resolve("models.json"), MODELS.replace("PATTERN", pattern));
        String[] args = line.split(" ");
        for (int i = 0; i < args.length; i++) {
            args[i] = args[i].replace("HERE", folder.toString()).replace("PATTERN", pattern);
        }
        return Main.run(new PrintWriter(out), new PrintWriter(err), args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            kernels extract HERE/trace.json -o HERE/out --categories HERE/rules.txt; rules.txt, line 1:
            report HERE/trace.json -o HERE/out --models HERE/models.json; models.json:
            aiu -i HERE/trace.json -o HERE/out/a.json --event_filter name:PATTERN; the event filter:
            """)
    void matchingThatDoesNotEndIsRefused(String line, String where) throws IOException {
        assertThat(run(line, "(.|b)*c")).as(err::toString).isEqualTo(ExitStatus.USAGE);

        assertThat(err.toString())
                .contains(
                        where + " the regular expression '(.|b)*c' goes too deep in 'aaaa", "[ab]* instead of (a|b)*");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void namesWithManyStarsEnd() throws IOException {
        String stars = "*a".repeat(100) + "b";

        assertThat(run("report HERE/trace.json -o HERE/out --critical-path=all --what-if kernel:PATTERN=x0.5", stars))
                .as(err::toString)
                .isZero();
        assertThat(run("merge HERE/trace.json -o HERE/m.json --drop name=PATTERN", stars))
                .as(err::toString)
                .isZero();
    }
}
