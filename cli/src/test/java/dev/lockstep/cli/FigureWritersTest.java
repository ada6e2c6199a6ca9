// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.publish.metrics.MetricRegistry;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --prometheus} and {@code --otel} write, of a rank, a run and a fleet. */
class FigureWritersTest {
    private static final Pattern SAMPLE = Pattern.compile(
            "(lockstep_[a-z_]+)\\{source=\"((?:[^\"\\\\\n]|\\\\[\\\\n\"])*)\"(?:,stat=\"(mean|max)\")?(?:,rank=\"(\\d+)\")?} ([-0-9.e]+)");

    private static final StringWriter OUT = new StringWriter();
    private static final StringWriter ERR = new StringWriter();

    @TempDir
    private static Path folder;

    private static Path run;

    @BeforeAll
    static void make() {
        run = folder.resolve("a \"run\"\\");
        assertThat(TestProgram.run(
                        OUT,
                        ERR,
                        "synth",
                        "-o",
                        run,
                        "--ranks",
                        2,
                        "--steps",
                        4,
                        "--layers",
                        2,
                        "--memory",
                        "--straggler",
                        "1:device:1.4",
                        "--quiet"))
                .isZero();
    }

    private static void write(Object... line) {
        assertThat(TestProgram.run(OUT, ERR, line)).as(ERR::toString).isZero();
    }

    private static Map<String, Double> samples(Path file) throws IOException {
        Map<String, Double> samples = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.startsWith("# ")) {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                String name = sample.group(1)
                        + (sample.group(3) == null ? "" : " " + sample.group(3))
                        + (sample.group(4) == null ? "" : " " + sample.group(4));
                assertThat(samples.put(name, Double.valueOf(sample.group(5))))
                        .as(line)
                        .isNull();
            }
        }
        return samples;
    }

    /** The cells of a column of a sheet. */
    private static List<Double> column(Path sheet, String head) throws IOException {
        List<String> lines = Files.readAllLines(sheet);
        int place = List.of(lines.getFirst().split(",")).indexOf(head);
        return lines.stream()
                .skip(1)
                .map(line -> Double.valueOf(line.split(",")[place]))
                .toList();
    }

    private static void near(Map<String, Double> samples, String name, double value) {
        assertThat(samples.get(name)).as(name).isCloseTo(value, Offset.offset(Math.abs(value) * 1e-12));
    }

    @Test
    void figuresAreThoseOfTheSheets() throws IOException {
        Path prom = folder.resolve("rank.prom");
        Path csv = folder.resolve("rank");
        write("report", run.resolve("rank0_trace.json"), "--prometheus", prom, "--csv", csv);
        Map<String, Double> samples = samples(prom);
        List<Double> steps = column(csv.resolve("gpu_timeline_by_step.csv"), "time ms");
        near(
                samples,
                "lockstep_step_time_seconds mean",
                steps.stream().mapToDouble(x -> x).average().orElseThrow() / 1e3);
        near(
                samples,
                "lockstep_step_time_seconds max",
                steps.stream().mapToDouble(x -> x).max().orElseThrow() / 1e3);
        String idle = Files.readAllLines(csv.resolve("gpu_timeline.csv")).stream()
                .filter(line -> line.startsWith("idle_time,"))
                .findFirst()
                .orElseThrow();
        near(samples, "lockstep_idle_share_ratio", Double.parseDouble(idle.split(",")[2]) / 100);
        near(
                samples,
                "lockstep_peak_memory_bytes",
                column(csv.resolve("memory_steps.csv"), "peak bytes").getFirst());
    }

    @Test
    void everyFigureHasAPlaceAndTheTwoFormsAgree() throws IOException {
        TreeSet<String> seen = new TreeSet<>();
        Path logs = folder.resolve("logs");
        write("synth", "-o", logs, "--ranks", 8, "--steps", 10, "--inspector", "none", "--quiet");
        for (String command : List.of("report rank", "report run", "fleet run", "links logs")) {
            Path input =
                    command.endsWith("rank") ? run.resolve("rank1_trace.json") : command.endsWith("logs") ? logs : run;
            Path prom = folder.resolve("x.prom");
            Path otel = folder.resolve("x.json");
            write(command.split(" ")[0], input, "--prometheus", prom, "--otel", otel);
            Map<String, Double> samples = samples(prom);
            Json.Members resource = (Json.Members) ((Json.Members) Json.parse(Files.readString(otel)))
                    .items("resourceMetrics")
                    .getFirst();
            for (Json one : ((Json.Members) resource.items("scopeMetrics").getFirst()).items("metrics")) {
                Json.Members metric = (Json.Members) one;
                String name = metric.text("name").substring("lockstep.".length());
                seen.add(name);
                List<Double> values = new ArrayList<>();
                for (Json point : metric.object("gauge").items("dataPoints")) {
                    values.add(((Json.Members) point).number("asDouble"));
                }
                assertThat(samples.entrySet().stream()
                                .filter(sample -> sample.getKey().startsWith("lockstep_" + name + "_")
                                        && !sample.getKey().endsWith(" mean")))
                        .as(name)
                        .isNotEmpty()
                        .allMatch(sample -> values.contains(sample.getValue()));
            }
        }
        assertThat(seen).containsAll(MetricRegistry.names());
        assertThat(Documents.read("docs/reference/metrics.md"))
                .contains(MetricRegistry.names().stream()
                        .map(name -> "\n| `" + name + "` | ")
                        .toArray(String[]::new));
    }
}
