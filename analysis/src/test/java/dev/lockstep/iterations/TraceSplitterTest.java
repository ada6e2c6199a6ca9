// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceSplitterTest {
    private static final List<String> EVENTS = List.of(
            "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"tid\": 0, \"ts\": 1, \"args\": {\"name\": \"python3\"}}",
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"before\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 5}",
            "{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"around\", \"pid\": 1, \"tid\": 2, \"ts\": 110, \"dur\": 500}",
            step(0, 100),
            "{ \"ph\" : \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": 150.125, \"dur\": 5, \"args\": {\"correlation\": 7} }",
            "{\"ph\": \"s\", \"id\": 7, \"pid\": 1, \"tid\": 1, \"ts\": 150.125, \"cat\": \"ac2g\", \"name\": \"ac2g\"}",
            step(1, 200),
            // Runs while the second iteration is on the host, but the first one launched it.
            "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"late \\\"one\\\"\", \"pid\": 0, \"tid\": 7, \"ts\": 250, \"dur\": 20, \"args\": {\"correlation\": 7, \"device\": 0, \"stream\": 7}}",
            "{\"ph\": \"f\", \"id\": 7, \"pid\": 0, \"tid\": 7, \"ts\": 250, \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"}",
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"inside\", \"pid\": 1, \"tid\": 1, \"ts\": 210, \"dur\": 5}",
            "{\"ph\": \"i\", \"cat\": \"mark\", \"name\": \"mark\", \"s\": \"t\", \"pid\": 1, \"tid\": 1, \"ts\": 190}",
            step(2, 300),
            "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"behind\", \"pid\": 1, \"tid\": 1, \"ts\": 900, \"dur\": 5}");

    private static final String HEAD =
            "{\"schemaVersion\": 1, \"deviceProperties\": [ {\"id\": 0} ],\n \"traceEvents\": [\n";
    private static final String TAIL = "\n], \"traceName\": \"x\"}";

    @TempDir
    private Path folder;

    private static String step(int number, int ts) {
        return "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#" + number
                + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + ts + ", \"dur\": 80}";
    }

    private TraceSplitter.Copied split(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("t.json"), content);
        Trace trace = TestTraces.read(content);
        DerivedCache cache = new DerivedCache(trace);
        SplitPlan plan = SplitPlan.of(cache, null);
        List<SplitPart> parts = new ArrayList<>();
        for (int i = 0; i < plan.windows().size(); i++) {
            parts.add(new SplitPart("part" + i + ".json.gz", "iteration", i, i + 1));
        }
        parts.add(new SplitPart("all/of.json.gz", "all", 0, plan.windows().size()));
        EventOwners owners = EventOwners.of(cache, plan.windows());
        return new TraceSplitter(TraceInput.of(file), owners, plan.windows().size(), bytes -> {}).write(parts, folder);
    }

    private String part(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve(name)))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static byte[] document() {
        return (HEAD + String.join(",\n", EVENTS) + TAIL).getBytes(UTF_8);
    }

    @Test
    void eventsAreCopiedByteByByteIntoTheIterationThatLaunchedThem() throws IOException {
        TraceSplitter.Copied copied = split(document());

        assertThat(part("part0.json.gz")).isEqualTo("""
                        {
                        "schemaVersion": 1,
                        "deviceProperties": [ {"id": 0} ],
                        "traceEvents": [
                        %s
                        ],
                        "traceName": "x"
                        }
                        """.formatted(String.join(
                ",\n",
                EVENTS.get(0),
                EVENTS.get(3),
                EVENTS.get(4),
                EVENTS.get(5),
                EVENTS.get(7),
                EVENTS.get(8),
                EVENTS.get(10))));
        assertThat(part("part1.json.gz")).contains(EVENTS.get(9)).doesNotContain("late");
        assertThat(copied.events()).containsExactly(6, 2, 1);
        assertThat(copied.outside()).isEqualTo(3);
        assertThat(copied.everywhere()).isEqualTo(1);
        assertThat(copied.whole()).isTrue();
    }

    @Test
    void listOfEventsStaysAList() throws IOException {
        split(("[" + String.join(", ", EVENTS) + "]").getBytes(UTF_8));

        assertThat(part("part2.json.gz")).isEqualTo("[\n" + EVENTS.get(0) + ",\n" + EVENTS.get(11) + "\n]\n");
    }

    @Test
    void everyEventOfARunIsInOnePart() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withSteps(4).withPythonStacks(true);
        byte[] content = SyntheticRun.bytes(recipe, 0);
        Trace whole = TestTraces.read(content);

        TraceSplitter.Copied copied = split(content);

        assertThat(copied.events()).hasSize(4);
        assertThat(copied.all()).isEqualTo(whole.counts().events());
        long kernels = 0;
        for (int i = 0; i < 4; i++) {
            Trace part = TestTraces.read(part("part" + i + ".json.gz").getBytes(UTF_8));
            assertThat(part.diagnostics().problems()).isEmpty();
            assertThat(part.counts().events()).isEqualTo(copied.events()[i] + copied.everywhere());
            kernels += kernels(part);
        }
        assertThat(kernels).isEqualTo(kernels(whole));
        Trace all = TestTraces.read(part("all/of.json.gz").getBytes(UTF_8));
        assertThat(all.counts().events())
                .isEqualTo(Arrays.stream(copied.events()).sum() + copied.everywhere());
    }

    /** What is read although it is not quite JSON does not come out so. */
    @Test
    void partsAreStrictJson() throws IOException {
        String odd = step(0, 100).replace("}", ",\"n\": [007, -Infinity, 1.], \"a\tb\": \"c\u0000\\q\", }");
        split((HEAD.replace("{\"id\": 0}", "{\"id\": 00}").replace("schema", "sche\u0001ma")
                        + String.join(",\n", odd, step(1, 200))
                        + TAIL)
                .getBytes(UTF_8));

        Json part = Json.parse(part("part0.json.gz"));
        assertThat(part.spelt())
                .contains("\"n\":[\"007\",\"-Infinity\",\"1.\"]", "\"a\\u0009b\":\"c", "\"traceName\":\"x\"}");
    }

    @Test
    void cutFileGivesWholeDocuments() throws IOException {
        byte[] content = document();

        TraceSplitter.Copied copied = split(Arrays.copyOf(content, content.length - 60));

        assertThat(copied.whole()).isFalse();
        Trace part = TestTraces.read(part("part0.json.gz").getBytes(UTF_8));
        assertThat(part.diagnostics().problems()).isEmpty();
        assertThat(part.counts().events()).isEqualTo(7);
    }

    @Test
    void damagedValueBesideTheEventsIsLeftOutWithItsKey() throws IOException {
        String damaged = HEAD + String.join(",\n", EVENTS) + "\n], \"INFO\": [\"b \"c\":1], \"traceName\": \"x\"}";

        TraceSplitter.Copied copied = split(damaged.getBytes(UTF_8));

        assertThat(copied.whole()).isFalse();
        assertThat(part("part0.json.gz")).doesNotContain("INFO");
        Trace part = TestTraces.read(part("part0.json.gz").getBytes(UTF_8));
        assertThat(part.diagnostics().problems()).isEmpty();
    }

    @Test
    void annotationsThatRepeatMarkIterations() {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            events.append("{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"batch ")
                    .append(i)
                    .append("\", \"pid\": 1, \"tid\": 1, \"ts\": ")
                    .append(100 * i)
                    .append(", \"dur\": 70},\n");
        }
        SplitPlan plan = SplitPlan.of(new DerivedCache(TestTraces.of(events.toString())), null);

        assertThat(plan.source()).isEqualTo(SplitPlan.Source.INFERRED);
        assertThat(plan.windows()).hasSize(5);
        assertThat(plan.windows().get(1).end()).isEqualTo(200_000);
        assertThat(plan.windows().get(4).end()).isEqualTo(470_000);
    }

    /** The profiler's marks are the iterations; the engine's, one in each, say what is in the batch. */
    @Test
    void batchesInsideOfTheProfilersStepsAreKnown() {
        EventText events = new EventText();
        for (int i = 0; i < 3; i++) {
            events.annotation("ProfilerStep#" + (4 + i), 100 * i, 90)
                    .annotation("step[DECODE bs=" + (1 + i) + "]", 100 * i + 10, 70);
        }
        SplitPlan plan = SplitPlan.of(new DerivedCache(TestTraces.of(events)), null);

        assertThat(plan.source()).isEqualTo(SplitPlan.Source.STEPS);
        assertThat(plan.knowsBatches()).isTrue();
        assertThat(plan.windows()).extracting(Window::name).containsExactly("step 4", "step 5", "step 6");
        assertThat(plan.windows()).extracting(Window::requests).containsExactly(1L, 2L, 3L);
    }

    @Test
    void layersThatRepeatInOnePassAreNoIterations() {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            events.append("{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"layer ")
                    .append(i)
                    .append("\", \"pid\": 1, \"tid\": 1, \"ts\": ")
                    .append(100 * i)
                    .append(", \"dur\": 90},\n");
        }
        SplitPlan plan = SplitPlan.of(new DerivedCache(TestTraces.of(events.toString())), null);

        assertThat(plan.source()).isEqualTo(SplitPlan.Source.NONE);
        assertThat(plan.windows()).isEmpty();
    }

    private static long kernels(Trace trace) {
        long count = 0;
        for (int i = 0; i < trace.slices().size(); i++) {
            count += trace.slices().kind(i) == SliceKind.KERNEL ? 1 : 0;
        }
        return count;
    }

    @Test
    void valuesOfTheEnvironmentAreCopiedNowhere() throws IOException {
        String environment = "{\"ph\": \"M\", \"name\": \"environment\", \"pid\": 1, \"args\": {\"ZZ\": \"S3CRET1\"}}";
        TraceSplitter.Copied copied =
                split((HEAD.replace("{\"schema", "{\"env\": {\"HF_TOKEN\": \"S3CRET2\"}, \"schema") + environment
                                + ",\n" + String.join(",\n", EVENTS) + TAIL)
                        .getBytes(UTF_8));

        assertThat(copied.withheld()).isEqualTo(2);
        assertThat(part("part0.json.gz"))
                .doesNotContain("S3CRET")
                .contains("\"env\": {\"HF_TOKEN\":\"***\"}", "\"ZZ\":\"***\"");
    }
}
