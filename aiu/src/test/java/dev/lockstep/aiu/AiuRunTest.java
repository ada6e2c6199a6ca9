// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import static dev.lockstep.testkit.AiuRuns.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.testkit.AiuRuns;
import dev.lockstep.write.BlockMakers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AiuRunTest {
    @TempDir
    Path folder;

    private AiuRuns runs;
    private List<String> lines;

    @BeforeEach
    void prepare() {
        runs = new AiuRuns(folder);
        lines = runs.lines();
    }

    private String run(String trace, Consumer<AiuOptions.Builder> change) throws IOException {
        return runs.run(change, trace);
    }

    private String runOn(String name, Consumer<AiuOptions.Builder> change) throws IOException {
        return runs.runOn(name, change);
    }

    private static String counters(long... cycles) {
        return AiuRuns.attr(cycles);
    }

    /** Of PyTorch's events, those without a thread: all would meet on one row for ever. */
    @Test
    void whatOverlapsWithoutARowGetsOne() throws IOException {
        String event = "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"ts\":%d,\"dur\":10,\"args\":{}}";
        String out = run(
                "{\"schemaVersion\":1,\"deviceProperties\":[],\"distributedInfo\":{\"rank\":0},\"traceEvents\":["
                        + event.formatted("a", 10) + "," + event.formatted("b", 15) + "]}",
                o -> {});

        assertThat(out)
                .contains(
                        "\"ts\":10.0,\"dur\":10.0,\"pid\":1,\"args\"", "\"ts\":15.0,\"dur\":10.0,\"pid\":1,\"tid\":1,");
        assertThat(lines).contains("WARNING Partial-overlap slices resolved: 1");
    }

    @Test
    void whatOverlapsPartlyMovesToAnotherRow() throws IOException {
        String out = run("[" + x("a", 60, 5, "") + "," + x("b", 61, 9, "") + "," + x("c", 61.5, 2, "") + "]", o -> {});

        assertThat(out)
                .contains(
                        "\"name\":\"a\",\"cat\":\"cpu_op\",\"ph\":\"X\",\"ts\":60.0,\"dur\":5.0,\"pid\":1000,\"tid\":1000")
                .contains("\"ts\":61.0,\"dur\":9.0,\"pid\":1000,\"tid\":1001")
                .contains("\"ts\":61.5,\"dur\":2.0,\"pid\":1000,\"tid\":1000");
        assertThat(lines).contains("WARNING Partial-overlap slices resolved: 1");
    }

    @Test
    void moreRowsAreMadeThanWerePrepared() throws IOException {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            events.add(x("e" + i, 10 + i, 100, ""));
        }

        String out = run("[" + String.join(",", events) + "]", o -> o.with(AiuOption.MAX_TID_STREAMS, 2));

        assertThat(out).contains("\"tid\":1008");
        assertThat(lines).anyMatch(line -> line.contains("POD: insufficient dynamic range"));
    }

    @Test
    void anExecutionEndsWhenTheHostSaysAndLastsAsLongAsItsCycles() throws IOException {
        // 50,000 cycles of 500 MHz are 100 us; the host saw 120 us and the end at 1120.
        String out = run("[" + x("mm_1 Cmpt Exec", 1000, 120, counters(1000, 1000, 2000, 52000, 52100)) + "]", o -> {});

        assertThat(out).contains("\"ts\":1020.0,\"dur\":100.0,\"pid\":0");
        assertThat(Files.readString(folder.resolve("out_summary.csv")))
                .contains("100.000")
                .contains("mm_[N] Cmpt Exec");
    }

    @Test
    void endsBelongToTheLatestOpenBeginOfTheirName() throws IOException {
        String out = run(
                "[" + x("a", 1, 0, "").replace("\"X\"", "\"B\"").replace(",\"dur\":0.0", "")
                        + "," + x("b", 2, 0, "").replace("\"X\"", "\"B\"").replace(",\"dur\":0.0", "")
                        + "," + x("b", 3, 0, "").replace("\"X\"", "\"E\"").replace(",\"dur\":0.0", "")
                        + "," + x("a", 4, 0, "").replace("\"X\"", "\"E\"").replace(",\"dur\":0.0", "") + "]",
                o -> {});

        assertThat(out).contains("\"ts\":1.0,\"dur\":3.0").contains("\"ts\":2.0,\"dur\":1.0");
    }

    @Test
    void anEventOnBothSidesOfAWrapKeepsItsEpoch() throws IOException {
        long wrap = 1L << 32;
        double wrapUs = wrap / 500.0;
        // Zero of the counter is at 1000 us; the second event reaches from 1,000 cycles before the wrap over it.
        String first = x("k_1 Cmpt Exec", 1100, 10, counters(50000, 50000, 50000, 55000, 55000));
        double end = 1000 + wrapUs + 8;
        String second = x("k_2 Cmpt Exec", end - 10, 10, counters(wrap - 1000, wrap - 1000, wrap - 1000, 4000, 4000));
        String late = x("k_3 Cmpt Exec", end - 9.5, 10, counters(wrap - 750, wrap - 750, wrap - 750, 4250, 4250));

        String right = run("[" + first + "," + second + "," + late + "]", o -> {});

        assertThat(right).contains("\"OVC\":0").doesNotContain("\"OVC\":1");
        assertThat(right).contains("\"TS3\":\"" + (wrap - 1000) + "\"").contains("\"TS4\":\"" + (wrap + 4000) + "\"");
    }

    @Test
    void eachProcessOfAFileIsARank() throws IOException {
        String other = x("b", 20, 5, "").replace("\"pid\":0", "\"pid\":1");

        assertThat(run("[" + x("a", 10, 5, "") + "," + other + "]", o -> {}))
                .contains("\"pid\":1001")
                .contains("Host1");
    }

    /** A launch on the host, its arrow and its kernel, with a sample of memory, as a torch profile of one device. */
    private static String torch(int hostProcess, String distributed) {
        return """
            {"deviceProperties":[{"id":0,"name":"AIU"}],%s"traceEvents":[
            {"ph":"X","cat":"cuda_runtime","name":"aiuLaunchControlBlocks","pid":%2$d,"tid":9,"ts":10,"dur":2,
             "args":{"correlation":5}},
            {"ph":"s","id":5,"pid":%2$d,"tid":9,"ts":10,"cat":"ac2g","name":"ac2g"},
            {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":1,"ts":14,"dur":3,"args":{"device":0,"correlation":5}},
            {"ph":"f","id":5,"bp":"e","pid":0,"tid":1,"ts":14,"cat":"ac2g","name":"ac2g"},
            {"ph":"C","name":"used","pid":0,"ts":15,"args":{"bytes":1}}]}
            """.formatted(distributed, hostProcess);
    }

    @Test
    void allThatATorchFileHoldsIsOfItsRank() throws IOException {
        String third = "\"distributedInfo\":{\"rank\":3,\"world_size\":4},";
        String all = runs.run(o -> o.with(AiuOption.TENSOR_BOARD, true), torch(3, ""), torch(3, third));

        String first = worker(0);
        String last = worker(3);
        assertThat(first)
                .contains("\"id\":0,\"name\":\"AIU\"")
                .doesNotContain("\"pid\":3,")
                .contains("\"pid\":1000003");
        assertThat(last)
                .contains("\"id\":3,\"name\":\"AIU\"")
                .contains("\"distributedInfo\":{\"rank\":3,\"world_size\":4}")
                .contains("\"pid\":2000003")
                .doesNotContain("\"pid\":0,");
        for (String rank : List.of(first, last)) {
            assertThat(rank).contains("\"aiuLaunchControlBlocks\"", "\"k\"", "\"used\"");
        }
        assertThat(Pattern.compile("\"ph\":\"s\"[^}]*\"id\":(\\d+)")
                        .matcher(all)
                        .results()
                        .map(arrow -> arrow.group(1)))
                .doesNotHaveDuplicates();
    }

    private String worker(int rank) throws IOException {
        return Files.readString(folder.resolve("out_worker_" + rank + ".pt.trace.json"))
                .replaceAll("\\s+", "");
    }

    @Test
    void ranksThatNoFileTellsAreInTheirNames() throws IOException {
        for (int rank = 4; rank < 6; rank++) {
            Files.writeString(folder.resolve("t-rank" + rank + ".json"), torch(77, ""));
        }
        runOn("t-rank*.json", o -> o.with(AiuOption.TENSOR_BOARD, true));

        assertThat(worker(4)).contains("\"pid\":77,");
        assertThat(worker(5)).contains("\"pid\":1000077,");
    }

    /** Ranks of FLEX name no device; that of each is known where it was seen at work. */
    @Test
    void everyWorkerOfFlexHasItsDevice() throws IOException {
        for (int rank = 0; rank < 3; rank++) {
            String counters = IntStream.rangeClosed(1, 5)
                    .mapToObj(i -> "\"TS%d\":\"%d\"".formatted(i, 560_000 + 1_000 * i))
                    .collect(Collectors.joining(","));
            String host = rank == 2 ? "" : ",\"attr\":{" + counters + "}";
            Files.writeString(
                    folder.resolve("f-rank" + rank + "-job-1.json"),
                    "[{\"ph\":\"X\",\"name\":\"mm_1 Cmpt Exec\",\"pid\":%d,\"tid\":1,\"ts\":1000,\"dur\":2%s}]"
                            .formatted(rank, host));
        }
        runOn("f-rank*.json", o -> o.with(AiuOption.TENSOR_BOARD, true));

        for (int rank = 0; rank < 2; rank++) {
            assertThat(worker(rank))
                    .startsWith("{\"deviceProperties\":[{\"id\":" + rank
                            + ",\"type\":\"AIU\",\"name\":\"AIU\",\"core\":\"PTArray\"}],");
        }
        assertThat(worker(2)).startsWith("{\"deviceProperties\":[],");
    }

    @Test
    void whatIsOnlyVerifiedStaysAsItIs() throws IOException {
        String attr =
                "\"attr\":{\"TS1\":\"0xc06cc211\",\"Bytes\":\"128\",\"TS2\":\"2\",\"TS3\":\"3\",\"TS4\":\"4\",\"TS5\":\"5\"}";
        String args = "\"TS1\":\"0x1\",\"Power\":\"0x2\"";

        String all = run(
                "[{\"ph\":\"X\",\"name\":\"a DmaI\",\"pid\":0,\"tid\":1,\"ts\":1,\"dur\":2,\"args\":{%s},%s}]"
                        .formatted(args, attr),
                o -> o.with(AiuOption.VERIFY, true));

        assertThat(all.replaceAll("\\s+", "")).contains("\"args\":{" + args + "," + attr.replace(" ", "") + "}");
    }

    @Test
    void openPreparationsAreCountedWithinOneAnother() throws IOException {
        String outer = x("a Cmpt Prep", 0.5, 10, "");
        String inner = x("b Cmpt Prep", 2, 2, "");

        String right = run("[" + outer + "," + inner + "]", o -> {});

        assertThat(concurrencyAt(right, "4.0")).isEqualTo("1");
    }

    private static String concurrencyAt(String out, String ts) {
        int at = out.indexOf("\"ts\":" + ts);
        int value = out.indexOf("\"Concurrency\":", at) + "\"Concurrency\":".length();
        return out.substring(value, out.indexOf('}', value));
    }

    @Test
    void aTextAsProcessIsRead() throws IOException {
        String out = run("[" + x("a", 10, 5, "").replace("\"pid\":0", "\"pid\":\"host\"") + "]", o -> {});

        assertThat(out).contains("\"opid\":\"host\"");
    }

    @Test
    void aCutFileIsRefusedWithItsPosition() {
        assertThatThrownBy(() -> run("[" + x("a", 1, 1, "") + ",", o -> {}))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("ends within");
        assertThat(folder.resolve("out.json")).doesNotExist();
    }

    @Test
    void anOutputNeverOverwritesAnInput() {
        assertThatThrownBy(() -> run(
                        "[" + x("a", 1, 1, "") + "]",
                        o -> o.with(AiuOption.OUTPUT, folder.resolve("in.json").toString())))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is an input");
        assertThat(folder.resolve("in.json")).content().contains("\"name\":\"a\"");
    }

    @Test
    void intervalsOfExecutionsGoOnBehindAWrap() throws IOException {
        long wrap = 1L << 32;
        String first =
                x("k_1 Cmpt Exec", 1000, 100, counters(wrap - 60000, wrap - 60000, wrap - 60000, wrap - 10000, wrap));
        String second = x("k_2 Cmpt Exec", 1200, 100, counters(40000, 40000, 40000, 90000, 90000));

        run("[" + first + "," + second + "]", o -> {});

        assertThat(lines).anyMatch(line -> line.contains("interval-based frequency (min/mean/max): 500.0 500.0 500.0"));
    }

    @Test
    void aPatternWithoutFilesIsRefused() {
        assertThatThrownBy(() -> runOn("nothing*.json", o -> {})).isInstanceOf(UserException.class);
    }

    @Test
    void aTraceThatWasProcessedBeforeIsNotProcessedAgain() throws IOException {
        run("[" + x("a", 1, 1, "") + "]", o -> {});

        String again = runOn(
                "out.json",
                o -> o.with(AiuOption.OUTPUT, folder.resolve("again.json").toString()));

        assertThat(lines).anyMatch(line -> line.contains("INGEST: Attempting to import"));
        assertThat(Files.readString(folder.resolve("again.json"))).contains("\"traceEvents\": []");
        assertThat(again).contains("\"name\":\"a\"");
    }

    @Test
    void powerIsChargeOverTime() throws IOException {
        // 12 V, 512 steps, 3,000 of charge between ends 110 us apart: 0.639 W.
        String first =
                x("mm_1 Cmpt Exec", 1000, 100, counters(0, 0, 0, 50000, 50000)).replace("}}", ",\"Power\":\"1000\"}}");
        String second = x("mm_2 Cmpt Exec", 1110, 100, counters(55000, 55000, 55000, 105000, 105000))
                .replace("}}", ",\"Power\":\"4000\"}}");

        String out = run("[" + first + "," + second + "]", o -> {});

        assertThat(out).contains("\"Watts\":" + 12.0 * 3000 / 512 / 110);
    }

    @Test
    void utilizationIsIdealTimeOverTime() throws IOException {
        Path log = Files.writeString(
                folder.resolve("c.log"),
                "~~ Ideal/Total Cycles ~~\nmm_1-opCatBmm      40000   \n====== Perf Summary End ======\n");

        String out = run(
                "[" + x("mm_1 Cmpt Exec", 1000, 100, counters(0, 0, 0, 50000, 50000)) + "]",
                o -> o.with(AiuOption.COMPILER_INFO, log.toString()));

        assertThat(out).contains("\"Percent\":50.0").contains("\"pt_active\":0.5");
        assertThat(Files.readString(folder.resolve("out_categories.csv")))
                .contains("0,UNKN,Bmm,100.0,1.0,1,50.0,40000,1.0,0.5\n");
    }

    @Test
    void threadsDoNotChangeABit() throws IOException {
        StringBuilder trace = new StringBuilder("[" + x("first", 0, 1, ""));
        for (int i = 0; i < 9000; i++) {
            trace.append(',').append(x("e" + i % 100, 10 + i, 0.3 + i % 7 / 10.0, ",\"args\":{\"n\":\"" + i + "\"}"));
        }
        String text = trace.append(']').toString();
        runs.run(o -> {}, text);
        byte[] alone = Files.readAllBytes(folder.resolve("out.json"));

        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            new AiuRuns(folder, new BlockMakers(pool, 4)).run(o -> {}, text);
        }

        assertThat(folder.resolve("out.json")).hasBinaryContent(alone);
    }

    @Test
    void threadsMayHaveNumbersBeyondThoseWithASign() throws IOException {
        String out = run(
                "[" + x("a", 1, 1, "").replace("\"tid\":7", "\"tid\":18446744073709551615") + ","
                        + x("b", 3, 1, "").replace("\"tid\":7", "\"tid\":18446744073709551616") + "]",
                o -> o.with(AiuOption.PROFILE, "torch_minimal.json"));

        assertThat(out).contains("\"tid\":18446744073709551615").contains("\"name\":\"b\"");
    }
}
