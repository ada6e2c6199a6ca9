// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.testkit.RawEvents;
import dev.lockstep.testkit.TestTraces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording in begin and end events says the same as one in complete events. */
class BeginAndEndTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path complete;
    private Path pairs;

    @BeforeEach
    void writeBoth() throws IOException {
        byte[] content = SyntheticRun.bytes(SyntheticTraces.smallRecipe(2).withSteps(3), 0);
        complete =
                Files.write(Files.createDirectories(folder.resolve("complete")).resolve("t.json"), content);
        pairs = Files.write(
                Files.createDirectories(folder.resolve("pairs")).resolve("t.json"),
                RawEvents.of(content).asPairs());
        assertThat(Files.readString(pairs)).doesNotContain("\"ph\": \"X\"");
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Map<String, String> files(Path below, String... without) throws IOException {
        Map<String, String> files = new TreeMap<>(TestProgram.files(below));
        List.of(without).forEach(files::remove);
        return files;
    }

    @Test
    void reportsAreAlike() throws IOException {
        assertThat(run("report", complete, "--csv", folder.resolve("a"))).isZero();
        assertThat(run("report", pairs, "--csv", folder.resolve("b"))).isZero();
        Map<String, String> wanted = files(folder.resolve("a"), "coverage.csv");
        assertThat(wanted).containsKeys("gpu_timeline.csv", "gpu_timeline_by_step.csv", "ops_unique_args.csv");
        assertThat(files(folder.resolve("b"), "coverage.csv")).isEqualTo(wanted);
    }

    @Test
    void collectivesAreAlike() throws IOException {
        int status = run("collectives", complete, "--csv", folder.resolve("a"));
        assertThat(run("collectives", pairs, "--csv", folder.resolve("b"))).isEqualTo(status);
        assertThat(files(folder.resolve("b"), "coverage.csv")).isEqualTo(files(folder.resolve("a"), "coverage.csv"));
    }

    @Test
    void kernelsAreAlike() throws IOException {
        assertThat(run("kernels", "extract", complete, "-o", folder.resolve("a"), "--csv", folder.resolve("ac")))
                .isZero();
        assertThat(run("kernels", "extract", pairs, "-o", folder.resolve("b"), "--csv", folder.resolve("bc")))
                .isZero();
        assertThat(files(folder.resolve("bc"), "summary.json"))
                .containsKey("kernel_counts.csv")
                .isEqualTo(files(folder.resolve("ac"), "summary.json"));
    }

    @Test
    void splitsHoldBothEventsOfEachPair() throws IOException {
        assertThat(run("split", complete, "-o", folder.resolve("a"))).isZero();
        assertThat(run("split", pairs, "-o", folder.resolve("b"))).isZero();
        List<Path> parts;
        try (Stream<Path> files = Files.list(folder.resolve("a"))) {
            parts = files.filter(f -> f.toString().endsWith(".json.gz"))
                    .sorted()
                    .toList();
        }
        assertThat(parts).hasSize(3);
        for (Path part : parts) {
            Map<String, Long> wanted = phases(Files.readAllBytes(part));
            Map<String, Long> found =
                    phases(Files.readAllBytes(folder.resolve("b").resolve(part.getFileName())));
            assertThat(found.get("B")).isEqualTo(wanted.get("X")).isEqualTo(found.get("E"));
            assertThat(found.get("s")).isEqualTo(wanted.get("s"));
        }
    }

    private static Map<String, Long> phases(byte[] packed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return TestTraces.read(in.readAllBytes()).counts().byPhase();
        }
    }

    @Test
    void infoCountsPairs() {
        assertThat(run("info", complete, "--json")).isZero();
        long device = number("device");
        long slices = number("slices");
        assertThat(slices).isEqualTo(number("complete")).isPositive();
        assertThat(run("info", pairs, "--json")).isZero();
        assertThat(number("complete")).isZero();
        assertThat(number("slices")).isEqualTo(slices);
        assertThat(number("device")).isEqualTo(device).isPositive();
        assertThat(run("info", pairs)).isZero();
        assertThat(out.toString()).contains("complete 0, pairs of begin and end");
    }

    private long number(String key) {
        String text = out.toString();
        int at = text.indexOf("\"" + key + "\":") + key.length() + 3;
        return Long.parseLong(text.substring(at, text.indexOf(',', at)).strip());
    }

    @Test
    void begunButNeverEndedIsNothing() throws IOException {
        Path open = Files.write(
                folder.resolve("open.json"),
                "{\"traceEvents\": [{\"ph\": \"B\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1}]}"
                        .getBytes(StandardCharsets.UTF_8));
        for (String command : List.of("info", "report")) {
            assertThat(run(command, open)).isEqualTo(5);
        }
        assertThat(err.toString()).contains("no begin with its end");
    }
}
