// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import static dev.lockstep.testkit.TestTraces.document;
import static dev.lockstep.testkit.TestTraces.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.Track;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TraceDump;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that profilers of all versions and vendors write. */
class DialectsTest {
    private static List<String> problems(Trace trace) {
        return trace.diagnostics().problems().stream().map(Entry::code).toList();
    }

    private static Trace event(String event) {
        return parse(document(event));
    }

    @ParameterizedTest
    @CsvSource({
        "5, 7, 5000, 7000",
        "5.5, 7.125, 5500, 7125",
        "\"5.5\", \"7.125\", 5500, 7125",
        "1700000000000000.123, 0.001, 1700000000000000123, 1",
        "5.0005, 1e3, 5001, 1000000",
        "-5, 0, -5000, 0",
    })
    void timesAreExactNanoseconds(String ts, String dur, long start, long duration) {
        Trace trace = event("{\"ph\": \"X\", \"name\": \"a\", \"ts\": " + ts + ", \"dur\": " + dur + "}");
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.slices().ts(0)).isEqualTo(start);
        assertThat(trace.slices().dur(0)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({
        "\"dur\": 1, ts_missing",
        "\"ts\": 1, dur_missing",
        "\"ts\": null, ts_invalid",
        "'\"ts\": \"soon\", \"dur\": 1', ts_invalid",
        "'\"ts\": 1e400, \"dur\": 1', ts_invalid",
        "'\"ts\": 1, \"dur\": -2', negative_duration",
        "'\"ts\": 1, \"dur\": []', dur_invalid",
        "'\"ts\": 1, \"dur\": 99999999999999999999999999999999', dur_invalid",
    })
    void unusableTimesCostTheEventAndAreCounted(String fields, String code) {
        Trace trace = parse(document("{\"ph\": \"X\", \"name\": \"bad\", " + fields + "},\n"
                + "{\"ph\": \"X\", \"name\": \"good\", \"ts\": 1, \"dur\": 1}"));
        assertThat(problems(trace)).containsExactly(code);
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.counts().events()).isEqualTo(2);
        assertThat(trace.counts().complete()).isEqualTo(1);
    }

    @Test
    void everyKnownPhaseIsSilent() {
        StringBuilder events = new StringBuilder();
        for (char phase : "XBEiICMstfbenRSTFpPNODMVvc()".toCharArray()) {
            events.append(
                    "{\"ph\": \"" + phase
                            + "\", \"name\": \"n\", \"cat\": \"c\", \"id\": 1, \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1},\n");
        }
        Trace trace = parse(document(events.toString()));
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.counts().events()).isEqualTo(28);
        assertThat(trace.counts().byPhase()).containsEntry("X", 1L).containsEntry("M", 2L);
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.marks().size()).isEqualTo(3);
        assertThat(trace.flows().size()).isEqualTo(3);
    }

    /** JSON lets any letter be spelled by its number. */
    @Test
    void keysAndValuesMeanTheSameHoweverTheyAreSpelled() {
        String plain = document("""
                {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 5}},
                {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 90, "dur": 5, "args": {"correlation": 5}},
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 80, "dur": 25, "args": {"External id": 5, "Input Dims": [[2, 3], [3, 4]]}},
                {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "ts": 0, "args": {"name": "main"}},
                {"ph": "s", "cat": "ac2g", "id": 5, "name": "ac2g", "pid": 1, "tid": 1, "ts": 91},
                {"ph": "f", "cat": "ac2g", "id": 5, "name": "ac2g", "pid": 0, "tid": 7, "ts": 100, "bp": "e"}""");
        String expected = TraceDump.of(parse(plain));
        assertThat(expected).contains("aten::mm", "main", "device 0/7");
        Matcher text = Pattern.compile("\"([^\"]+)\"").matcher(plain);
        String all = text.replaceAll(found -> Matcher.quoteReplacement('"' + numbered(found.group(1)) + '"'));
        assertThat(TraceDump.of(parse(all))).isEqualTo(expected);
        text.reset();
        while (text.find()) {
            String one = plain.substring(0, text.start(1)) + numbered(text.group(1)) + plain.substring(text.end(1));
            assertThat(TraceDump.of(parse(one))).as(one).isEqualTo(expected);
        }
    }

    private static String numbered(String text) {
        return text.chars().mapToObj(c -> String.format("\\u%04x", c)).collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource({
        "'\"ph\": \"?\"', ph_unknown",
        "'\"ph\": \"XX\"', ph_missing",
        "'\"ph\": 5', ph_missing",
        "'\"name\": \"a\"', ph_missing"
    })
    void unknownPhasesAreCounted(String phase, String code) {
        Trace trace = event("{" + phase + ", \"ts\": 1, \"dur\": 1}");
        assertThat(problems(trace)).containsExactly(code);
        assertThat(trace.counts().events()).isEqualTo(1);
    }

    @Test
    void theEmptyEventThatEndsAListIsNoProblem() {
        Trace trace = event("{}");
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.diagnostics().observations()).extracting(Entry::code).contains("empty_event");
    }

    @ParameterizedTest
    @CsvSource({
        "cpu_op, CPU_OP",
        "Operator, CPU_OP",
        "cuda_runtime, RUNTIME_CALL",
        "hip_runtime, RUNTIME_CALL",
        "mtia_runtime, RUNTIME_CALL",
        "xpu_runtime, RUNTIME_CALL",
        "cuda_driver, DRIVER_CALL",
        "xpu_driver, DRIVER_CALL",
        "python_function, PYTHON",
        "user_annotation, ANNOTATION",
        "gpu_user_annotation, DEVICE_ANNOTATION",
        "kernel, KERNEL",
        "Kernel, KERNEL",
        "mtia_ccp_events, KERNEL",
        "gpu_memcpy, MEMCPY",
        "Memcpy, MEMCPY",
        "gpu_memset, MEMSET",
        "Memset, MEMSET",
        "cuda_sync, DEVICE_SYNC",
        "overhead, OVERHEAD",
        "Trace, PROFILER_SPAN",
        "something_new, HOST_OTHER"
    })
    void categoriesOfAllVendorsAreKnown(String category, SliceKind kind) {
        Trace trace = event("{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}");
        assertThat(trace.slices().kind(0)).isEqualTo(kind);
        assertThat(trace.counts().device()).isEqualTo(kind.isDeviceActivity() ? 1 : 0);
        assertThat(trace.counts().byCategory()).isEqualTo(Map.of(category, 1L));
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "\"7\", 7", "18446744073709551615, -1", "\"0x1F\", 31", "null, -1", "\"many\", -1", "1.5, -1"})
    void numbersInArgumentsMayBeTextUnsignedOrHexadecimal(String text, long wanted) {
        Trace trace = event(
                "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a\", \"ts\": 1, \"dur\": 1, \"args\": {\"correlation\": "
                        + text + ", \"External id\": " + text + ", \"stream\": " + text + "}}");
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.slices().correlation(0)).isEqualTo(wanted);
        assertThat(trace.slices().externalId(0)).isEqualTo(wanted);
        assertThat(trace.view(DeviceDetails.KEY).stream(0)).isEqualTo(wanted);
    }

    @Test
    void idsOfFlowsMayBeAnything() {
        Trace trace = parse(document("""
                {"ph": "s", "id": 5, "ts": 1, "cat": "ac2g"},
                {"ph": "f", "id": "5", "ts": 1, "cat": "ac2g"},
                {"ph": "s", "id": "0xffffffffffffffff", "ts": 1, "cat": "ac2g"},
                {"ph": "f", "id": 18446744073709551615, "ts": 1, "cat": "ac2g"},
                {"ph": "s", "id": "some text", "ts": 1, "cat": "ac2g"},
                {"ph": "f", "id": "some text", "ts": 1, "cat": "ac2g"},
                {"ph": "f", "id": "other text", "ts": 1, "cat": "ac2g"}
                """));
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.flows().id(0)).isEqualTo(5).isEqualTo(trace.flows().id(1));
        assertThat(trace.flows().id(2)).isEqualTo(-1).isEqualTo(trace.flows().id(3));
        assertThat(trace.flows().id(4))
                .isEqualTo(trace.flows().id(5))
                .isNotEqualTo(trace.flows().id(6));
    }

    @Test
    void processesAndThreadsMayBeTexts() {
        Trace trace = parse(document("""
                {"ph": "X", "name": "a", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 1, "dur": 1},
                {"ph": "X", "name": "b", "pid": 3, "tid": 4, "ts": 2, "dur": 1},
                {"ph": "X", "name": "c", "pid": "3", "tid": "4", "ts": 3, "dur": 1},
                {"ph": "X", "name": "d", "ts": 4, "dur": 1},
                {"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "python3"}},
                {"ph": "M", "name": "process_labels", "pid": 3, "args": {"labels": "CPU"}},
                {"ph": "M", "name": "thread_name", "pid": "3", "tid": 4, "args": {"name": "main"}},
                {"ph": "M", "name": "process_sort_index", "pid": 3, "args": {"sort_index": 1}},
                {"ph": "M", "name": "unknown_metadata", "pid": 3, "args": {"name": "x"}}
                """));
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.tracks())
                .containsExactly(
                        new Track("Spans", "PyTorch Profiler", null, null, null),
                        new Track("3", "4", "python3", "CPU", "main"),
                        new Track("", "", null, null, null));
    }

    @Test
    void argumentsOfOperatorsAreCompactJson() {
        Trace trace = event("""
                {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {
                  "External id": 9, "Sequence number": 12, "Fwd thread id": 0,
                  "Input Dims": [[ 2,3 ],
                                 [], [[1], [2,4]]], "Input type": ["float","c10::BFloat16 x, y"],
                  "Input Strides": [[3 ,1]], "Concrete Inputs": ["", "[1, 2]", "a\\"b"], "Output type": ["float"]}}
                """);
        OpDetails details = trace.view(OpDetails.KEY);
        assertThat(trace.strings().get(details.inputDims(0))).isEqualTo("[[2, 3], [], [[1], [2, 4]]]");
        assertThat(trace.strings().get(details.inputTypes(0))).isEqualTo("[\"float\", \"c10::BFloat16 x, y\"]");
        assertThat(trace.strings().get(details.inputStrides(0))).isEqualTo("[[3, 1]]");
        assertThat(trace.strings().get(details.concreteInputs(0))).isEqualTo("[\"\", \"[1, 2]\", \"a\\\"b\"]");
        assertThat(trace.strings().get(details.outputTypes(0))).isEqualTo("[\"float\"]");
        assertThat(details.sequence(0)).isEqualTo(12);
    }

    @Test
    void argumentsOfCollectivesAreKept() {
        Trace trace = event("""
                {"ph": "X", "cat": "kernel", "name": "ncclDevKernel", "pid": 0, "tid": 20, "ts": 1, "dur": 1, "args": {
                  "Collective name": "_allgather_base", "In msg nelems": 8, "Out msg nelems": 64, "Group size": 8,
                  "dtype": "BFloat16", "In split size": "[]", "Out split size": [1, 2], "Process Group Name": "3",
                  "Process Group Description": "fsdp", "Process Group Ranks": "[0, 1, ...]", "Seq": 41, "Src Rank": 2, "stream": 20}}
                """);
        CollectiveDetails c = trace.view(CollectiveDetails.KEY);
        assertThat(trace.strings().get(c.collective(0))).isEqualTo("_allgather_base");
        assertThat(trace.strings().get(c.groupName(0))).isEqualTo("3");
        assertThat(trace.strings().get(c.groupDescription(0))).isEqualTo("fsdp");
        assertThat(trace.strings().get(c.groupRanks(0))).isEqualTo("[0, 1, ...]");
        assertThat(trace.strings().get(c.dtype(0))).isEqualTo("BFloat16");
        assertThat(trace.strings().get(c.inSplit(0))).isEqualTo("[]");
        assertThat(trace.strings().get(c.outSplit(0))).isEqualTo("[1, 2]");
        assertThat(c.groupSize(0)).isEqualTo(8);
        assertThat(c.inElements(0)).isEqualTo(8);
        assertThat(c.outElements(0)).isEqualTo(64);
        assertThat(c.sequence(0)).isEqualTo(41);
        assertThat(c.peer(0)).isEqualTo(2);
    }

    @Test
    void topLevelTellsRankDevicesAndClock() {
        Trace trace = parse("""
                {"distributedInfo": {"rank": 3, "world_size": 8, "backend": "nccl"},
                 "deviceProperties": [{"id": 0, "name": "AMD Instinct", "numSms": 304}, {"id": 1, "name": "AMD Instinct"}],
                 "traceEvents": [{"ph": "X", "name": "a", "ts": 1, "dur": 1}],
                 "baseTimeNanoseconds": 1767189312000000000, "displayTimeUnit": "ms", "trace_id": "F00"}
                """);
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.info().rank()).isEqualTo(new Rank(3, Rank.Origin.TRACE));
        assertThat(trace.info().worldSize()).isEqualTo(8);
        assertThat(trace.info().originNs()).isEqualTo(1767189312000000000L);
        assertThat(trace.info().devices())
                .containsExactly(new TraceInfo.Device(0, "AMD Instinct"), new TraceInfo.Device(1, "AMD Instinct"));
        assertThat(trace.info().metadata()).containsEntry("trace_id", "\"F00\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"distributedInfo\": [3, 8]|metadata_invalid|no_rank",
                "\"distributedInfo\": \"rank 3\"|metadata_invalid|no_rank",
                "\"distributedInfo\": {\"backend\": \"nccl\"}||no_rank",
                "\"distributedInfo\": {\"rank\": 3, \"world_size\": 3}|rank_invalid|",
                "\"distributedInfo\": {\"rank\": 0, \"world_size\": 0}|rank_invalid|",
                "\"deviceProperties\": {\"0\": {\"id\": 0}}|metadata_invalid|no_rank",
                "\"deviceProperties\": [7, {\"id\": 0}]|metadata_invalid|no_rank",
                "\"baseTimeNanoseconds\": 1.7e18|metadata_invalid|no_rank",
                "\"baseTimeNanoseconds\": \"-1700000000000000000\"||no_rank"
            })
    void whatStandsBesideTheEventsAndCannotBeIsSaid(String member, String problem, String observation) {
        Trace trace =
                parse("{" + member + ", \"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}]}");
        assertThat(problems(trace)).isEqualTo(problem == null ? List.of() : List.of(problem));
        assertThat(trace.diagnostics().problems()).allMatch(entry -> entry.count() == 1);
        assertThat(trace.diagnostics().observations().stream().map(o -> o.code()))
                .isEqualTo(observation == null ? List.of() : List.of(observation));
        assertThat(trace.info().worldSize()).isEqualTo(-1);
        assertThat(trace.info().devices()).hasSize(member.contains("[7") ? 1 : 0);
        assertThat(trace.info().originNs()).isEqualTo(member.contains("-17") ? -1_700_000_000_000_000_000L : 0);
    }

    @Test
    void bytesOfAnAllocatorThatCannotBeAreCounted() {
        StringBuilder events = new StringBuilder();
        for (String bytes : List.of("512", "\"-512\"", "null", "9223372036854775807", "1.5")) {
            events.append("{\"ph\": \"i\", \"name\": \"[memory]\", \"ts\": 1, \"args\": {\"Bytes\": " + bytes + "}},");
        }
        Trace trace =
                parse("{\"traceEvents\": [" + events + "{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}]}");
        assertThat(trace.view(MemoryDetails.KEY))
                .isNotNull()
                .satisfies(m -> assertThat(m.size()).isEqualTo(2));
        assertThat(trace.diagnostics().problems()).singleElement().satisfies(p -> {
            assertThat(p.code()).isEqualTo("bytes_invalid");
            assertThat(p.count()).isEqualTo(3);
        });
    }

    @Test
    void nullIsNoNameOfACollective() {
        Trace trace = parse("""
                {"traceEvents": [{"ph": "X", "cat": "kernel", "name": "nccl", "ts": 1, "dur": 1,
                 "args": {"Collective name": null, "dtype": null, "In msg nelems": 4}}]}
                """);
        assertThat(trace.view(CollectiveDetails.KEY)).isNotNull().satisfies(c -> {
            assertThat(c.collective(0)).isEqualTo(-1);
            assertThat(c.dtype(0)).isEqualTo(-1);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"rank\": -1}",
                "{\"rank\": \"three\"}",
                "{\"rank\": 99999999999}",
                "{\"rank\": 123456789012345678901234567890}",
                "{\"rank\": 1.5}"
            })
    void nonsensicalRanksAreNotBelieved(String info) {
        Trace trace =
                parse("{\"distributedInfo\": " + info + ", \"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}]}");
        assertThat(trace.info().rank().index()).isZero();
        assertThat(problems(trace))
                .isNotEmpty()
                .allMatch(c -> c.equals("rank_invalid") || c.equals("metadata_invalid"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[%s]",
                "[%s",
                "\uFEFF{\"traceEvents\": [%s]}",
                "  \n{\"traceEvents\": [%s]}\n\n",
                "{\"traceEvents\": null, \"x\": {\"traceEvents\": []}, \"traceEvents\": [%s]}"
            })
    void documentsOfAllForms(String form) {
        Trace trace = parse(String.format(form, "{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}\n"));
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(problems(trace)).isEmpty();
    }

    @Test
    void layoutMakesNoDifference() {
        EventText events = new EventText();
        for (int i = 0; i < 50; i++) {
            events.op("op" + i, i * 100, 90, "\"Input Dims\": [[1, 2], []], \"Concrete Inputs\": [\"a, b\", \"\"]")
                    .launch("k" + i, i * 100 + 10, i * 100 + 50, 20, i + 1, 7);
        }
        String document = document(events.toString());
        String wanted = TraceDump.withoutPlaces(parse(document));
        String indented = document.replace("{", "{\n    ")
                .replace(", \"", ",\n    \"")
                .replace("[", "[\n  ")
                .replace("]", "\n  ]");
        assertThat(TraceDump.withoutPlaces(parse(indented))).isEqualTo(wanted);
        assertThat(TraceDump.withoutPlaces(parse(indented.replace("\n", "\r\n"))))
                .isEqualTo(wanted);
        assertThat(TraceDump.withoutPlaces(parse(document.replace(": ", ":").replace("\n", ""))))
                .isEqualTo(wanted);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void orderOfKeysMakesNoDifference(long seed) {
        List<String> fields = new ArrayList<>(List.of(
                "\"ph\": \"X\"",
                "\"cat\": \"kernel\"",
                "\"name\": \"k\"",
                "\"pid\": 0",
                "\"tid\": 7",
                "\"ts\": 1.5",
                "\"dur\": 2",
                "\"args\": {\"stream\": 7, \"correlation\": 5, \"grid\": [1, 1, 1]}",
                "\"unknown\": {\"ph\": \"M\", \"a\": [1]}",
                "\"id\": 3"));
        String wanted = TraceDump.withoutPlaces(event("{" + String.join(", ", fields) + "}"));
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            Collections.shuffle(fields, random);
            assertThat(TraceDump.withoutPlaces(event("{" + String.join(", ", fields) + "}")))
                    .isEqualTo(wanted);
        }
    }

    @Test
    void textsAreDecoded() {
        Trace trace = event("{\"ph\": \"X\", \"name\": \"a\\u00e9é\\n\\\"\\ud83d\\ude00\", \"ts\": 1, \"dur\": 1}");
        assertThat(trace.name(0)).isEqualTo("aéé\n\"😀");
    }

    @Test
    void oddTextsAreMendedAndCounted() {
        Trace trace = parse(document("""
                {"ph": "X", "name": "lone \\ud800", "ts": 1, "dur": 1},
                {"ph": "X", "name": "bad \\q escape", "ts": 2, "dur": 1},
                {"ph": "X", "name": "a "quoted" word", "ts": 3, "dur": 1},
                {"ph": "X", "name": "tab\there", "ts": 4, "dur": 1, "args": {"x": NaN}}
                """));
        assertThat(problems(trace))
                .containsExactly(
                        "control_character", "invalid_escape", "invalid_number", "lone_surrogate", "unescaped_quote");
        assertThat(trace.diagnostics().hasLoss()).isFalse();
        assertThat(trace.name(0)).isEqualTo("lone \uFFFD");
        assertThat(trace.name(1)).isEqualTo("bad \\q escape");
        assertThat(trace.name(2)).isEqualTo("a \"quoted\" word");
        assertThat(trace.name(3)).isEqualTo("tab\there");
    }

    @Test
    void aDamagedEventCostsItselfAlone() {
        Trace trace = parse(document("""
                {"ph": "X", "name": "a", "ts": 1, "dur": 1},
                {"ph": "X", "name": "b", "ts": [{, "dur": 1},
                {"ph": "X", "name": "c", "ts": 3, "dur": 1},,
                {"ph": "X", "name": "d", "ts": 4, "dur": 1}
                {"ph": "X", "name": "e", "ts": 5, "dur": 1},
                17,
                {"ph": "X", "name": "f", "ts": 6, "dur": 1}
                """));
        assertThat(TraceDump.slices(trace)).hasSize(5);
        assertThat(problems(trace)).contains("syntax", "not_an_event");
        assertThat(trace.diagnostics().hasLoss()).isTrue();
    }

    @Test
    void aLossBehindARepairIsALoss() {
        Trace trace = parse(document("""
                {"ph": "X", "name": "a", "ts": 1, "dur": 1},,
                {"ph": "X", "name": "b", "ts": [{, "dur": 1},
                {"ph": "X", "name": "c", "ts": 3, "dur": 1}
                """));
        assertThat(trace.diagnostics().hasLoss()).isTrue();
    }

    @Test
    void severalDocumentsAreTold() {
        String one = document("{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1}");
        Trace two = parse(one + one);
        assertThat(problems(two)).containsExactly("second_document");
        assertThat(two.slices().size()).isEqualTo(1);
        Trace twice = parse(
                "{\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}], \"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}]}");
        assertThat(problems(twice)).containsExactly("duplicate_key");
        assertThat(twice.slices().size()).isEqualTo(2);
        assertThat(problems(parse(one + "garbage"))).containsExactly("trailing_data");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|traceEvents",
                "{\"a\": 1}|traceEvents",
                "{\"traceEvents\": 5}|traceEvents",
                "{\"traceEvents\": {}}|traceEvents",
                "{\"a\" 1}|byte 5",
                "{\"traceEvents\"|before any event",
                "{nonsense|byte 1"
            })
    void whatIsNoTraceIsRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .hasMessageStartingWith("trace.json: byte ")
                .hasMessageContaining(reason);
    }

    @Test
    void deepArgumentsAreRead() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        Trace trace = event("{\"ph\": \"X\", \"name\": \"a\", \"args\": {\"x\": " + deep + ", \"Input Dims\": " + deep
                + "}, \"ts\": 1, \"dur\": 1}");
        assertThat(problems(trace)).isEmpty();
        assertThat(trace.slices().size()).isEqualTo(1);
    }
}
