// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slip beside the events costs the value that it stands in, never an event. */
class DamagedHeadTest {
    private static final int EVENTS = 14;
    private static final String LIST = IntStream.range(0, EVENTS)
            .mapToObj(i -> "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k" + i
                    + "\", \"pid\": 0, \"tid\": 7, \"ts\": " + (10 + i * 10)
                    + ", \"dur\": 5, \"args\": {\"device\": 0, \"stream\": 7, \"block\": [128, 1, 1]}}")
            .collect(Collectors.joining(",\n", "[\n", "\n]"));

    /** What stands before the events, member by member. */
    private static final List<String> HEAD = List.of(
            "\"schemaVersion\": 1",
            "\"config\": {\"lr\": 0.1, \"layers\": [1, 2, 3], \"name\": \"a, b\"}",
            "\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\"}, {\"id\": 1, \"name\": \"B\"}]",
            "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8}",
            "\"record_shapes\": 1",
            "\"note\": \"he ran it\"");

    private static Trace read(String text) {
        try {
            return TestTraces.read(text.getBytes(UTF_8), 2);
        } catch (IOException e) {
            throw new AssertionError(e.getMessage() + "\n" + text.substring(0, Math.min(text.length(), 900)), e);
        }
    }

    private static String document(List<String> head, String separator) {
        return "{" + separator.strip() + "\n" + String.join("," + separator, head) + "," + separator
                + "\"traceEvents\": " + LIST + "}";
    }

    private static List<String> with(int place, String member) {
        List<String> members = new ArrayList<>(HEAD);
        members.set(place, member);
        return members;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"config\": {\"lr\": 0.1,}",
                "\"config\": {\"lr\": 0.1,, \"x\": 2}",
                "\"config\": {,\"lr\": 0.1}",
                "\"config\": [1,2,,3]",
                "\"config\": [1,2,3,]",
                "\"config\": \"{\"lr\": 0.1}\"",
                "\"config\": \"{\"lr\": 0.1, \"b\": {\"c\": [1, 2]}}\"",
                "\"config\": \"[{\"lr\": 0.1}, {\"lr\": 2}]\"",
                "\"config\": \"he said \"hi\", and \"bye\" to all\"",
                "\"config\": \"he said \"hi\"\"",
                "\"con\"fi\"g\": 1",
                "\"config\": ",
                "\"config\"",
                "\"config\" 1",
                "\"config\": {\"lr\": }",
                "\"config\": True",
                "\"config\": {\"shapes\": True, \"with_stack\": False, \"rank\": None}",
                "\"config\": {'lr': 0.1, 'name': 'x'}",
                "\"config\": (1, 2)",
                "\"config\": NaN",
                "\"config\": -Infinity",
                "\"config\": 0x1F",
                "\"config\": 1.2.3",
                "\"config\": nothing at all",
                "\"config\": {\"lr\": 0.1",
                "\"config\": {\"a\": {\"lr\": 0.1}",
                "\"config\": [1, 2",
                "\"config\": [1, 2}",
                "\"config\": {\"a\": 1]",
                "\"config\": {\"a\": 1}}",
                "\"config\": [1]]",
                "\"config\": \"cut",
                "\"config: 1",
                "config\": 1",
                "config: 1",
                "'config': 'x'",
                "\"config\": 1 // why",
                "\"config\": /* why */ 1",
                "// \"config\": 1",
                "\"config\": 12\"",
                "\"config\": \"C:\\dir\\\"",
                "\"config\": \"a\u0000b\"",
                "\u0000",
                "WARNING: 1 event was dropped",
                "",
                "\"config\":: 1",
                "\"config\": {{\"lr\": 1}}",
                "\"config\": <object at 0x7f>",
                "\"config\": datetime.date(2024, 1, 2)"
            })
    void aSlipInAMemberCostsAtMostThatMember(String damaged) {
        for (int place : new int[] {0, 1, 4, 5}) {
            for (String separator : List.of("\n", "\n  ", " ", "")) {
                if (separator.length() < 2 && damaged.contains("//")) {
                    continue; // the comment goes on to the end of the text
                }
                Trace trace = read(document(with(place, damaged), separator));

                assertThat(trace.counts().complete()).as(damaged).isEqualTo(EVENTS);
                assertThat(trace.info().rank().index()).as(damaged).isEqualTo(3);
                assertThat(trace.info().worldSize()).as(damaged).isEqualTo(8);
                assertThat(trace.info().devices()).as(damaged).hasSize(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"traceEvents\" ",
                "\"traceEvents: ",
                "traceEvents\": ",
                "traceEvents: ",
                "'traceEvents': ",
                "\"traceEvents\":: ",
                "\"traceEvents\": ,",
                "\"traceEvents\" = "
            })
    void aSlipInTheKeyOfTheEventsCostsNoEvent(String key) {
        Trace trace = read("{" + String.join(",", HEAD) + "," + key + LIST + "}");

        assertThat(trace.counts().complete()).isEqualTo(EVENTS);
        assertThat(trace.info().rank().index()).isEqualTo(3);
        assertThat(trace.info().devices()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO: 12 events\n", "// made by hand\n", "W0101 {x} y\n\n", "}\n"})
    void textBeforeTheDocumentCostsNoEvent(String before) {
        Trace trace = read(before + document(HEAD, "\n"));

        assertThat(trace.counts().complete()).isEqualTo(EVENTS);
        assertThat(trace.info().rank().index()).isEqualTo(3);
        assertThat(trace.diagnostics().hasLoss()).isFalse();
    }

    @Test
    void aMissingBracketBeforeTheEventsCostsNoEvent() {
        Trace trace = read("{" + String.join(",", HEAD) + ",\"traceEvents\": " + LIST.substring(1) + "}");

        assertThat(trace.counts().complete()).isEqualTo(EVENTS);
    }

    @Test
    void aSlipBehindTheEventsCostsItsOwnValue() {
        for (String damaged : List.of("\"config\": [1,,2]", "\"config\": \"{\"lr\": 0.1}\"", "\"config\": ", "x")) {
            Trace trace = read("{\"traceEvents\": " + LIST + ", " + String.join(", ", with(1, damaged)) + "}");

            assertThat(trace.counts().complete()).isEqualTo(EVENTS);
            assertThat(trace.info().rank().index()).as(damaged).isEqualTo(3);
            assertThat(trace.diagnostics().problems()).isNotEmpty();
        }
    }

    @Test
    void aHeadWithManyNamesOfEventsInItsTextIsReadInLinearTime() {
        String many = "\"traceEvents\": \"[{\"".repeat(60_000);

        assertThat(read("{\"config\": " + many + ", \"traceEvents\": " + LIST + "}")
                        .counts()
                        .events())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"block\": [128, 1, 1, ]",
                "\"block\": [128,, 1, 1]",
                "\"block\": [, 128, 1, 1]",
                "\"block\": [128, 1, 1],",
                ",\"block\": [128, 1, 1]",
                "\"block\": [128 1, 1]",
                "\"block\": [128, 1, 1",
                "\"block\": [128, 1, 1}",
                "\"block\": ",
                "\"block\"",
                "\"block: [128, 1, 1]",
                "\"shapes\": True",
                "\"note\": \"{\"lr\": 0.1, \"b\": 2}\"",
                "\"note\": \"cut",
                "\"note\": 'x'",
                "\"note\": 1 /* why */",
                "\"note\": {\"a\": [1, {\"b\": }]}"
            })
    void aSlipAmongTheArgumentsCostsAtMostItsValue(String damaged) {
        String text = "{\"traceEvents\": " + LIST.replace("\"block\": [128, 1, 1]", damaged + ", \"queued\": 3") + "}";

        Trace trace = read(text);

        assertThat(trace.counts().complete()).isEqualTo(EVENTS);
        assertThat(trace.counts().device()).isEqualTo(EVENTS);
        assertThat(trace.name(0)).isEqualTo("k0");
        assertThat(trace.diagnostics().problems()).extracting(Entry::code).containsAnyOf("syntax", "unescaped_quote");
        assertThat(trace.diagnostics().problems().getFirst().count()).isEqualTo(EVENTS);
    }

    /** Any one slip at any place before the first event: all events are read, or the message says where the slip is. */
    @Test
    void oneSlipAtAnyPlaceCostsNoEvent() {
        Random random = new Random(41);
        String[] slips = {
            ",", "\"", "'", "}", "]", "{", "[", ":", "\\", "NaN", "x", "//", "\u0000", "\uFEFF", "\n", "0", "-"
        };
        String sound = document(HEAD, "\n");
        int end = sound.indexOf("\"traceEvents\"");
        List<String> lost = new ArrayList<>();
        for (int round = 0; round < 4_000; round++) {
            int place = 1 + random.nextInt(end - 1);
            String slip = slips[random.nextInt(slips.length)];
            int removed = random.nextInt(3) == 0 ? random.nextInt(3) : 0;
            String text = sound.substring(0, place)
                    + (removed > 0 ? "" : slip)
                    + sound.substring(Math.min(place + removed, end));
            try {
                Trace trace = TestTraces.read(text.getBytes(UTF_8), 1);
                if (trace.counts().complete() != EVENTS) {
                    lost.add(trace.counts().complete() + " events: " + text.substring(0, place + 20));
                }
            } catch (TraceFormatException e) {
                lost.add(e.getMessage() + ": " + text.substring(0, place + 20));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        assertThat(lost).isEmpty();
    }
}
