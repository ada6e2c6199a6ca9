// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IngestionTest {
    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();
    private final List<AiuEvent> events = new ArrayList<>();
    private Ingestion ingestion = ingestion(builder -> {});

    private Ingestion ingestion(Consumer<AiuOptions.Builder> change) {
        AiuOptions.Builder options = new AiuOptions.Builder().with(AiuOption.OUTPUT, "none.json");
        if (folder != null) {
            options.with(AiuOption.INPUT, folder.resolve("*.json").toString());
        }
        change.accept(options);
        return new Ingestion(options.build(), new AiuLog(AiuLog.Level.INFO, (level, line) -> said.add(line)));
    }

    /** Events of files in.json or in0.json, in1.json and so on, in the order in which they are given away. */
    private List<AiuEvent> read(Consumer<AiuOptions.Builder> change, String... files) throws IOException {
        for (int i = 0; i < files.length; i++) {
            Files.writeString(folder.resolve("in" + i + ".json"), files[i]);
        }
        ingestion = ingestion(change);
        ingestion.load(Map.of(), null);
        ingestion.run(events::add);
        ingestion.finish();
        return events;
    }

    private AiuEvent only(String members) throws IOException {
        return read(o -> {}, "[{" + members + "}]").get(0);
    }

    private static String spelled(AiuEvent event) {
        return event.phase + " " + event.name + " " + event.ts + " " + event.dur + " " + event.pid + "/" + event.tid;
    }

    private static String x(String name, double ts, double dur) {
        return "{\"ph\":\"X\",\"name\":\"" + name + "\",\"ts\":" + ts + ",\"dur\":" + dur + ",\"pid\":0,\"tid\":7}";
    }

    @Test
    void eventsOfAllFilesComeByTime() throws IOException {
        assertThat(read(
                        o -> {},
                        "[" + x("a", 1, 1) + "," + x("c", 5, 1) + "]",
                        "[" + x("b", 3, 1) + "," + x("d", 9, 1) + "]"))
                .extracting(e -> e.name + "@" + (e.job == null ? "" : e.job.title()))
                .containsExactly("a@in0.json(0)", "b@in1.json(1)", "c@in0.json(0)", "d@in1.json(1)");
        assertThat(ingestion.events()).isEqualTo(4);
        assertThat(ingestion.isComplete()).isTrue();
    }

    @Test
    void ofEqualTimesWhatWasLoadedLastGoesFirst() throws IOException {
        assertThat(read(o -> {}, "[" + x("a", 3, 1) + "]", "[" + x("b", 3, 1) + "]"))
                .extracting(e -> e.name.text())
                .containsExactly("b", "a");
    }

    @Test
    void allFiveCountersMakeAnEventOfTheDevice() throws IOException {
        AiuEvent event =
                only("\"ph\":\"X\",\"name\":\"k\",\"ts\":1,\"dur\":2,\"pid\":0,\"attr\":{\"TS1\":\"0x10\",\"TS2\":32,"
                        + "\"TS3\":\"48\",\"TS4\":64,\"TS5\":\"80\",\"Power\":\"7\",\"other\":1.5}");

        DeviceTimes device = event.device;
        assertThat(device).isNotNull();
        assertThat(device.cycles).containsExactly(16, 32, 48, 64, 80);
        assertThat(device.power).isEqualTo(7);
        assertThat(event.attr).isTrue();
        assertThat(event.get("other")).isEqualTo(1.5);
        assertThat(event.get("TS1")).isNull();
    }

    @Test
    void fewerCountersAreArguments() throws IOException {
        AiuEvent event =
                only("\"ph\":\"X\",\"name\":\"k\",\"ts\":1,\"dur\":2,\"pid\":0,\"args\":{\"TS1\":\"0x10\",\"TS2\":32,"
                        + "\"TS6\":1,\"Power\":\"x\"}");

        assertThat(event.device).isNull();
        assertThat(event.get("TS1")).isEqualTo("16");
        assertThat(event.get("TS2")).isEqualTo("32");
        assertThat(event.get("TS6")).isEqualTo(1L);
        assertThat(event.get("Power")).isEqualTo("x");
        assertThat(event.attr).isFalse();
    }

    @Test
    void powerThatIsNoNumberStaysAnArgument() throws IOException {
        AiuEvent event =
                only("\"ph\":\"X\",\"name\":\"k\",\"ts\":1,\"dur\":2,\"pid\":0,\"args\":{\"TS1\":1,\"TS2\":2,\"TS3\":3,"
                        + "\"TS4\":4,\"TS5\":5,\"Power\":\"low\"}");

        assertThat(event.device).isNotNull();
        assertThat(event.device.power).isEqualTo(-1);
        assertThat(event.get("Power")).isEqualTo("low");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"7|7", "\"8\"|8", "\"0x1f\"|31", "2.9|2", "-4|-4", "18446744073709551615|-1"})
    void numbersOfThreadsComeInManySpellings(String given, long expected) throws IOException {
        AiuEvent event = only("\"ph\":\"X\",\"name\":\"k\",\"ts\":1,\"dur\":2,\"pid\":0,\"tid\":" + given);

        assertThat(event.tid).isEqualTo(expected);
        assertThat(event.hasTid).isTrue();
        assertThat(event.wideTid).isEqualTo(given.length() > 18);
    }

    @Test
    void textsAsProcessAndThreadGetNumbersOfTheirOwn() throws IOException {
        AiuEvent event = only("\"ph\":\"X\",\"name\":\"k\",\"ts\":1,\"dur\":2,\"pid\":\"host\",\"tid\":\"main\"");

        assertThat(event.pid).isEqualTo(1_000_000_000L + ("host".hashCode() & 0x3fffffff));
        assertThat(event.tid).isEqualTo(1_000_000_000L + ("main".hashCode() & 0x3fffffff));
        assertThat(event.get("opid")).isEqualTo("host");
        assertThat(event.get("otid")).isEqualTo("main");
        assertThat(event.rank).isZero();
    }

    @Test
    void beginsAndEndsBecomeCompleteEvents() throws IOException {
        String begin = "{\"ph\":\"B\",\"name\":\"%s\",\"ts\":%d,\"pid\":0,\"tid\":%d,\"args\":{\"from\":\"begin\"}}";
        String end = begin.replace("\"B\"", "\"E\"").replace("begin", "end");
        List<String> all = List.of(
                begin.formatted("a", 1, 1),
                begin.formatted("b", 2, 2),
                begin.formatted("a", 3, 1),
                end.formatted("a", 5, 1),
                end.formatted("b", 9, 2),
                end.formatted("a", 12, 1),
                begin.formatted("open", 20, 1),
                end.formatted("shut", 30, 1));

        assertThat(read(o -> {}, "[" + String.join(",", all) + "]"))
                .extracting(IngestionTest::spelled)
                .containsExactly("X a 1.0 11.0 0/1", "X b 2.0 7.0 0/2", "X a 3.0 2.0 0/1");
        assertThat(events).allMatch(e -> "begin".equals(e.get("from")));
        assertThat(said).contains("SLICE_EXTRACT: Has Open/Close events without matching partners: 2 in in0.json");
        assertThat(ingestion.isComplete()).isFalse();
    }

    @Test
    void oddDurationsAreSaid() throws IOException {
        String device = x("z", 3, 0).replace("}", ",\"attr\":{\"TS1\":1,\"TS2\":1,\"TS3\":1,\"TS4\":1,\"TS5\":9}}");

        assertThat(read(o -> {}, "[" + x("a", 1, -1) + "," + x("b", 2, 0) + "," + device + "]"))
                .hasSize(2);
        assertThat(said)
                .contains("Ingestion: detected negative duration event(s). Events ignored:1")
                .anyMatch(line -> line.endsWith("(ph=i). Events: 2"))
                .anyMatch(line -> line.contains("Detected 1 events with zero wallclock but nonzero HW time"));
    }

    @Test
    void whatIsNoEventIsPassedOver() throws IOException {
        assertThat(read(
                        o -> {},
                        "[5," + x("a", 1, 1)
                                + ",{},{\"ph\":1,\"name\":\"p\"},{\"ph\":\"X\",\"ts\":\"soon\",\"name\":\"t\"},[1],"
                                + "{\"ph\":\"X\",\"ts\":\"2.5\",\"dur\":\"1\",\"name\":5,\"pid\":0}]"))
                .extracting(IngestionTest::spelled)
                .containsExactly("X a 1.0 1.0 0/7", "X 5 2.5 1.0 0/0");
        assertThat(said)
                .contains("Ingestion: ignored 4 entries of in0.json that are no events")
                .contains("Event failed sanityCheck:  ph is not in ");
        assertThat(ingestion.isComplete()).isFalse();
    }

    @Test
    void aTraceOfTorchHasTheRankOfItsFile() throws IOException {
        String file =
                "{\"deviceProperties\":[{\"id\":0,\"name\":\"x\"}],\"distributedInfo\":{\"rank\": 3},\"other\":[1,2],"
                        + "\"traceEvents\":[" + x("a", 1, 1).replace("}", ",\"args\":{\"device\":0}}") + ","
                        + x("b", 2, 1).replace("\"pid\":0", "\"pid\":9")
                        + ",{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":9,\"ts\":3,\"args\":{\"labels\":\"GPU"
                        + " 0\"}},"
                        + "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":0,\"ts\":4,\"args\":{\"sort_index\":1}},"
                        + "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":9,\"ts\":4,\"args\":{\"sort_index\":1}}]}";

        List<AiuEvent> read = read(o -> {}, file);

        assertThat(read).extracting(e -> e.pid).containsExactly(3L, 9L, 9L, 3L, 9L);
        assertThat(read).extracting(e -> e.rank).startsWith(3, 3);
        assertThat(read.get(0).get("device")).isEqualTo(3L);
        assertThat(read.get(2).get("labels")).isEqualTo("GPU 3");
        assertThat(read.get(3).get("sort_index")).isEqualTo(369_015L);
        assertThat(read.get(4).get("sort_index")).isEqualTo(369_000L);
        assertThat(ingestion.metadata())
                .containsEntry("deviceProperties", "[{\"id\":3,\"name\":\"x\"}]")
                .containsEntry("other", "[1,2]");
    }

    @Test
    void propertiesOfDevicesAreThoseOfAllFiles() throws IOException {
        String file = "{\"deviceProperties\":[{\"id\":0}],\"distributedInfo\":{\"rank\":%d},\"traceEvents\":["
                + x("a", 1, 1) + "]}";

        read(o -> {}, file.formatted(0), file.formatted(1), file.formatted(1), "[" + x("f", 1, 1) + "]");

        assertThat(ingestion.metadata()).containsEntry("deviceProperties", "[{\"id\":0},{\"id\":1},{}]");
    }

    @Test
    void theLastListOfEventsCounts() throws IOException {
        assertThat(read(o -> {}, "{\"traceEvents\":[" + x("a", 1, 1) + "],\"traceEvents\":[" + x("b", 1, 1) + "]}"))
                .extracting(e -> e.name.text())
                .containsExactly("b");
    }

    @Test
    void beginsOfAListThatAnotherOneReplacesAreForgotten() throws IOException {
        String begin = "{\"ph\":\"B\",\"name\":\"a\",\"ts\":1,\"pid\":0,\"tid\":7}";
        String end = "{\"ph\":\"E\",\"name\":\"a\",\"ts\":5,\"pid\":0,\"tid\":7}";

        assertThat(read(
                        o -> {},
                        "{\"traceEvents\":[" + begin + "," + x("b", 2, 1) + "],\"traceEvents\":[" + end + ","
                                + x("c", 3, 1) + "]}"))
                .extracting(IngestionTest::spelled)
                .containsExactly("X c 3.0 1.0 0/7");
        assertThat(said)
                .anyMatch(line -> line.contains("the key traceEvents stands twice") && line.endsWith("ignored:2"));
    }

    @Test
    void eventsStayAsTheyAreWhereTheyAreOnlyCounted() throws IOException {
        String begin = x("a", 1, -1).replace("\"X\"", "\"B\"");

        assertThat(read(o -> o.with(AiuOption.VERIFY, true), "[" + begin + "," + x("b", 2, -5) + "]"))
                .extracting(IngestionTest::spelled)
                .containsExactly("B a 1.0 -1.0 0/7", "X b 2.0 -5.0 0/7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   ",
                "hello",
                "{\"a\":1}",
                "[] []",
                "[{\"ph\":}]",
                "[{\"ph\":\"X\"",
                "[{\"ph\" \"X\"}]",
                "[{ph:1}]"
            })
    void whatIsNoTraceIsRefused(String text) throws IOException {
        Files.writeString(folder.resolve("in.json"), text);
        ingestion = ingestion(o -> {});

        assertThatThrownBy(() -> ingestion.load(Map.of(), null))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("in.json");
    }

    @Test
    void patternsNameFilesInOrderAndEachOnce() throws IOException {
        for (String name : List.of("b.json", "a.json", "c.txt")) {
            Files.writeString(folder.resolve(name), "[]");
        }
        AiuLog log = new AiuLog(AiuLog.Level.ERROR, (level, line) -> {});

        assertThat(InputFiles.of(
                        folder + "/*.json, " + folder + "/c.txt " + folder + "/a.json," + folder + "/none/*," + folder,
                        Map.of(),
                        log))
                .extracting(TraceInput::name)
                .containsExactly(folder + "/a.json", folder + "/b.json", folder + "/c.txt");
    }

    @Test
    void aLogAmongTheInputsIsTheCompilers() throws IOException {
        Files.writeString(folder.resolve("in.json"), "[" + x("a", 1, 1) + "]");
        Files.writeString(folder.resolve("c.log"), "12:30 [INFO] Ideal/Total Cycles\n");
        ingestion = ingestion(o -> o.with(AiuOption.INPUT, folder + "/in.json," + folder + "/c.log"));

        ingestion.load(Map.of(), null);

        assertThat(ingestion.logs()).containsExactly(folder + "/c.log");
        assertThatThrownBy(() -> ingestion(o -> o.with(AiuOption.INPUT, folder + "/c.log"))
                        .load(Map.of(), null))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("a log, no trace");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[[1]]|x.log|false",
                "[INFO] text|x.log|true",
                "[INFO] text|x.txt|false",
                "{ \"a\":1}|x.log|false",
                "====== Perf Summary End|x.txt|true",
                "DSM-AutoPilot BEGIN|x|true"
            })
    void logsAreToldByTheirContent(String text, String name, boolean log) throws IOException {
        assertThat(LogFile.is(TraceInput.of(Files.writeString(folder.resolve(name), text))))
                .isEqualTo(log);
    }
}
