// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceDump;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is kept of a file beyond what analyses use. */
class RecordedTest {
    private static Trace everything(String events) throws IOException {
        return TestTraces.read(TestTraces.document(events).getBytes(StandardCharsets.UTF_8), 1, Keep.EVERYTHING);
    }

    private static Recorded recorded(Trace trace) {
        return Objects.requireNonNull(trace.recorded());
    }

    private static String text(RecordedTexts texts, int row) {
        RecordedTexts.Cursor at = texts.cursor();
        if (!at.move(row)) {
            return "nothing";
        }
        String arguments = new String(at.bytes, at.arguments, at.argumentsEnd - at.arguments, StandardCharsets.UTF_8);
        String fields = new String(at.bytes, at.fields, at.fieldsEnd - at.fields, StandardCharsets.UTF_8);
        return (at.hasArguments ? '{' + arguments + '}' : "") + fields;
    }

    private static String slice(String members) throws IOException {
        Trace trace = everything("{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2, " + members + "}");
        return text(recorded(trace).slices(), 0);
    }

    @Test
    void argumentsAndOtherFieldsOfSlicesStayAsTheyAre() throws IOException {
        assertThat(
                        slice(
                                "\"args\": {\"correlation\" : 7,\n \"x\": {\"y\": [1, \"\\u00e9\"]}}, \"id\": \"0x1\", \"cname\": \"bad\""))
                .isEqualTo("{\"correlation\":7,\"x\":{\"y\": [1, \"\\u00e9\"]}}\"cname\":\"bad\",\"id\":\"0x1\"");
        assertThat(slice("\"args\": {}")).isEqualTo("{}");
        assertThat(slice("\"tid\": 1")).isEqualTo("nothing");
    }

    @Test
    void whatIsNotQuiteJsonIsMended() throws IOException {
        assertThat(slice(
                        "\"args\": {\"a\": NaN, \"b\": -Infinity, \"c\": \"x\ny\", \"d\": \"q \"r\" s\", \"e\": true}"))
                .isEqualTo(
                        "{\"a\":\"NaN\",\"b\":\"-Infinity\",\"c\":\"x\\u000ay\",\"d\":\"q \\\"r\\\" s\",\"e\":true}");
    }

    @Test
    void numbersThatJsonDoesNotKnowBecomeTexts() throws IOException {
        assertThat(slice(
                        "\"args\": {\"correlation\": 007, \"a\": 01, \"b\": -02, \"c\": [1,02], \"d\": 1.2.3, \"e\": [5-8],"
                                + " \"stream\": 07, \"f\": 0.50}, \"id\": 09"))
                .isEqualTo(
                        "{\"correlation\":\"007\",\"a\":\"01\",\"b\":\"-02\",\"c\":[1,\"02\"],\"d\":\"1.2.3\",\"e\":[\"5-8\"],"
                                + "\"stream\":\"07\",\"f\":0.50}\"id\":\"09\"");
    }

    @Test
    void idsOfMarksAreMended() throws IOException {
        Trace trace = everything("""
                {"ph": "b", "name": "a", "pid": 1, "tid": 2, "ts": 1, "cat": "c", "id": "x\ty"},
                {"ph": "e", "name": "a", "pid": 1, "tid": 2, "ts": 2, "cat": "c", "id": NaN}
                """.replace("\\t", "\t"));
        assertThat(text(recorded(trace).marks(), 0)).isEqualTo("\"id\":\"x\\u0009y\"");
        assertThat(text(recorded(trace).marks(), 1)).isEqualTo("\"id\":\"NaN\"");
    }

    @Test
    void flowsHaveNamesAndBindingsButNoSecondId() throws IOException {
        Trace trace = everything(
                "{\"ph\": \"f\", \"id\": 3, \"pid\": 1, \"tid\": 2, \"ts\": 5, \"cat\": \"ac2g\", \"name\": \"n\", \"bp\": \"e\"}");
        assertThat(trace.strings().get(recorded(trace).flowName(0))).isEqualTo("n");
        assertThat(text(recorded(trace).flows(), 0)).isEqualTo("\"bp\":\"e\"");
    }

    @Test
    void everyOtherPhaseBecomesAMark() throws IOException {
        Trace trace = everything("""
                {"ph": "C", "name": "bytes", "pid": 1, "ts": 5, "args": {"v": 1.50}},
                {"ph": "i", "name": "now", "pid": 1, "tid": 2, "ts": 6, "s": "g"},
                {"ph": "b", "name": "wait", "cat": "async", "id": "0xa", "pid": 1, "tid": 2, "ts": 7},
                {"ph": "O", "name": "thing", "id": 9, "pid": 1, "tid": 2, "ts": 8, "args": {"snapshot": {}}},
                {"ph": "B", "name": "open", "pid": 1, "tid": 3, "ts": 9, "args": {"k": 1}},
                """);
        List<String> marks = new ArrayList<>();
        for (int i = 0; i < trace.marks().size(); i++) {
            marks.add(trace.marks().phase(i) + " " + text(recorded(trace).marks(), i));
        }
        assertThat(marks)
                .containsExactly(
                        "C {\"v\":1.50}",
                        "i \"s\":\"g\"",
                        "b \"id\":\"0xa\"",
                        "O {\"snapshot\":{}}\"id\":9",
                        "B {\"k\":1}");
    }

    @Test
    void aSliceOfBeginAndEndHasTheArgumentsOfBoth() throws IOException {
        Trace trace = everything("""
                {"ph": "B", "name": "outer", "pid": 1, "tid": 3, "ts": 1, "args": {"k": 1}, "cname": "x"},
                {"ph": "B", "name": "inner", "pid": 1, "tid": 3, "ts": 2},
                {"ph": "E", "pid": 1, "tid": 3, "ts": 3},
                {"ph": "E", "pid": 1, "tid": 3, "ts": 4, "args": {"l": 2}},
                """);
        assertThat(trace.name(0)).isEqualTo("outer");
        assertThat(text(recorded(trace).slices(), 0)).isEqualTo("{\"k\":1,\"l\":2}\"cname\":\"x\"");
        assertThat(text(recorded(trace).slices(), 1)).isEqualTo("nothing");
    }

    @Test
    void metadataEventsStay() throws IOException {
        Trace trace = everything(
                "{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": 1, \"tid\": 7, \"args\": {\"sort_index\": -3}}");
        Recorded recorded = recorded(trace);
        assertThat(recorded.metadataCount()).isEqualTo(1);
        assertThat(trace.strings().get(recorded.metadataName(0))).isEqualTo("thread_sort_index");
        assertThat(trace.strings().get(recorded.metadataThread(0))).isEqualTo("7");
        assertThat(text(recorded.metadata(), 0)).isEqualTo("{\"sort_index\":-3}");
    }

    @Test
    void blocksReadAtTheSameTimeKeepTheirTexts() throws IOException {
        byte[] content = manyEvents(3 * ChunkReader.BLOCK);
        Trace one = TestTraces.read(content, 1, Keep.EVERYTHING);
        Trace two = TestTraces.read(content, 2, Keep.EVERYTHING);
        Trace plain = TestTraces.read(content, 1);
        assertThat(content.length).isGreaterThan(2 * ChunkReader.BLOCK);
        assertThat(plain.recorded()).isNull();
        assertThat(TraceDump.of(one)).isEqualTo(TraceDump.of(plain));
        RecordedTexts.Cursor ours = recorded(one).slices().cursor();
        RecordedTexts.Cursor theirs = recorded(two).slices().cursor();
        for (int i = 0; i < one.slices().size(); i++) {
            assertThat(theirs.move(i)).isEqualTo(ours.move(i));
            assertThat(new String(
                            theirs.bytes,
                            theirs.arguments,
                            theirs.fieldsEnd - theirs.arguments,
                            StandardCharsets.UTF_8))
                    .isEqualTo(new String(
                            ours.bytes, ours.arguments, ours.fieldsEnd - ours.arguments, StandardCharsets.UTF_8));
        }
    }

    /** A document of at least so many bytes; every event has arguments of its own. */
    private static byte[] manyEvents(int bytes) {
        StringBuilder events = new StringBuilder(bytes + 1_000);
        for (int i = 0; events.length() < bytes; i++) {
            events.append("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::op")
                    .append(i % 97)
                    .append("\", \"pid\": 1, \"tid\": ")
                    .append(i % 3)
                    .append(", \"ts\": ")
                    .append(10L * i)
                    .append(", \"dur\": 5, \"args\": {\"External id\": ")
                    .append(i)
                    .append(", \"Input Dims\": [[")
                    .append(i % 13)
                    .append(", 4096], []], \"note\": \"")
                    .append(Integer.toHexString(i))
                    .append("\"}},\n");
        }
        return TestTraces.document(events.toString()).getBytes(StandardCharsets.UTF_8);
    }
}
