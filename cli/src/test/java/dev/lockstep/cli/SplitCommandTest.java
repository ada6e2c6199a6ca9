// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path trace;
    private byte[] content;

    @BeforeEach
    void writeAServingTrace() throws IOException {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            int context = i % 10 == 3 ? 1 : 0;
            events.append(event(
                            "user_annotation",
                            "execute_context_" + context + "(" + context * 50 + ")_generation_" + (8 - context) + "("
                                    + (8 - context) + ")",
                            1,
                            i * 1000,
                            900,
                            ""))
                    .append(event(
                            "cuda_runtime", "cudaLaunchKernel", 1, i * 1000 + 10, 5, "\"correlation\": " + (i + 1)))
                    .append(event("kernel", "k", 0, i * 1000 + 700, 600, "\"correlation\": " + (i + 1)));
        }
        events.setLength(events.length() - 2);
        content = ("{\"traceEvents\": [" + events + "]}").getBytes(UTF_8);
        trace = Files.write(folder.resolve("serve.json"), content);
    }

    private static String event(String category, String name, int pid, int ts, int dur, String args) {
        return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": " + pid
                + ", \"tid\": 1, \"ts\": " + ts + ", \"dur\": " + dur + ", \"args\": {" + args + "}},\n";
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private List<String> files(String name) throws IOException {
        Path root = folder.resolve(name);
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.filter(Files::isRegularFile)
                    .map(f -> root.relativize(f).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void everyIterationIsAFileByDefault() throws IOException {
        assertThat(run("split", trace, "-o", folder.resolve("o"))).isZero();

        assertThat(files("o"))
                .hasSize(43)
                .contains("serve_iteration_0.json.gz", "serve_iteration_39.json.gz", "index.json", "iterations.csv");
        assertThat(out.toString()).contains("Iterations 40 by annotations of a serving engine");
        assertThat(Files.readAllBytes(trace)).isEqualTo(content);
    }

    @Test
    void rangeIsOneFile() throws IOException {
        run("split", trace, "-o", folder.resolve("o"), "-i", "10:20");

        assertThat(files("o")).contains("serve_iterations_10-19.json.gz").hasSize(4);
        assertThat(Files.readAllLines(folder.resolve("o/files.csv")).get(1))
                .isEqualTo("serve_iterations_10-19.json.gz,iterations,10,19,10,1,9,8,30,10");
    }

    @Test
    void steadyStateHasThreeWindows() throws IOException {
        run("split", trace, "-o", folder.resolve("o"), "--find-steady-state", "--num-steps", "10");

        assertThat(files("o"))
                .contains(
                        "serve_mixed_steady_state.json.gz",
                        "serve_decode_only_steady_state.json.gz",
                        "serve_prefilldecode_steady_state.json.gz");
    }

    @Test
    void phasesHaveFolders() throws IOException {
        run("split", trace, "-o", folder.resolve("o"), "--divide-phases");

        assertThat(files("o"))
                .contains("decode_only/serve_iteration_0.json.gz", "prefilldecodemix/serve_iteration_3.json.gz");
    }

    @Test
    void emptyRangesAndUnknownOnesAreRefused() {
        assertThat(run("split", trace, "-o", folder.resolve("o"), "-i", "40")).isEqualTo(2);
        assertThat(err.toString()).contains("there are 40");
        assertThat(run("split", trace, "-o", folder.resolve("o"), "-i", "x")).isEqualTo(2);
        assertThat(folder.resolve("o")).doesNotExist();
    }

    @Test
    void traceWithoutIterationsSaysSo() throws IOException {
        Path plain = Files.writeString(
                folder.resolve("plain.json"),
                "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}]}");

        assertThat(run("split", plain, "-o", folder.resolve("o"))).isEqualTo(5);
        assertThat(err.toString()).contains("no iterations");
    }

    @Test
    void cutTraceIsPartial() throws IOException {
        Files.write(trace, java.util.Arrays.copyOf(content, content.length / 2));

        assertThat(run("split", trace, "-o", folder.resolve("o"))).isEqualTo(4);
        assertThat(files("o")).contains("serve_iteration_0.json.gz");
    }
}
