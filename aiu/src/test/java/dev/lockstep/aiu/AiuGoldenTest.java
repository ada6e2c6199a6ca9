// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import static dev.lockstep.testkit.AiuRuns.attr;
import static dev.lockstep.testkit.AiuRuns.cycles;
import static dev.lockstep.testkit.AiuRuns.flex;
import static dev.lockstep.testkit.AiuRuns.on;
import static dev.lockstep.testkit.AiuRuns.x;

import dev.lockstep.aiu.pipeline.AiuFormat;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.PartialOverlap;
import dev.lockstep.testkit.AiuRuns;
import dev.lockstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whole runs over traces of a few events. Devices run at 500 MHz, so that 1,000 cycles are 2 us, and compute at 800 MHz. What
 * comes out lies in {@code src/test/resources/golden/aiu}: events one by one, tables, and what was said.
 */
class AiuGoldenTest {
    private static final List<String> ALL = List.of("power_ts4", "coll_bw", "bandwidth", "prep_queue", "rcu_util");

    @TempDir
    Path folder;

    @TempDir
    Path found;

    private void check(String name, Consumer<AiuOptions.Builder> change, String... traces) throws IOException {
        AiuRuns runs = new AiuRuns(folder);
        runs.run(change, traces);
        StringBuilder stages = new StringBuilder();
        for (Path file : written()) {
            String own = String.valueOf(file.getFileName());
            if (own.startsWith("out.json_")) {
                stages.append(own.substring("out.json_".length())).append('\n').append(events(file));
            } else {
                boolean trace = own.contains(".json") && Files.readString(file).startsWith("{");
                Files.writeString(found.resolve(own), trace ? events(file) : Files.readString(file));
            }
        }
        if (!stages.isEmpty()) {
            Files.writeString(found.resolve("stages.txt"), stages);
        }
        String said = String.join("\n", runs.lines()).replace(folder + "/", "") + "\n";
        Files.writeString(found.resolve("said.txt"), said);
        Golden.check(found, Golden.folder("aiu", name));
    }

    private List<Path> written() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("out.*[^l]")) // the page is seen elsewhere
                    .sorted()
                    .toList();
        }
    }

    /** The events of a trace, one on each line. */
    private static String events(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("    \"traceEvents\"") || line.startsWith("    ]")) {
                inside = line.endsWith("[");
            } else if (inside) {
                text.append(line.strip().replace("\": ", "\":")).append(line.matches(" {8}}.*") ? "\n" : "");
            }
        }
        return text.toString();
    }

    /**
     * A job on one device: the host waits from 1000 to 1300; a preparation, a transfer in (20 us, 40,000 bytes: 2 GB/s), two
     * kernels of 100 and 50 us, a transfer out (10 us, 50,000 bytes: 5 GB/s).
     */
    private static List<String> job() {
        return new ArrayList<>(List.of(
                x("AIU Roundtrip", 1000, 300, ""),
                x("mm_1 Cmpt Prep", 1002, 8, ""),
                x("load_1 DmaI", 1010, 25, attr(cycles(1000, 11000, 11000, 11000, 11000), "Bytes", "40000")),
                x("mm_1 Cmpt Exec", 1040, 105, attr(cycles(11000, 12000, 14000, 64000, 64100), "Power", "1000")),
                x("add_2 Cmpt Exec", 1150, 52, attr(cycles(64100, 65000, 66000, 91000, 91100), "Power", "4000")),
                x("store_1 DmaO", 1205, 12, attr(cycles(91100, 91200, 91300, 92000, 97000), "Bytes", "50000"))));
    }

    private String log(String text) throws IOException {
        return Files.writeString(folder.resolve("compiler.log"), text).toString();
    }

    /** Cycles of 800 MHz: mm_1 has 50 us of its 100, add_2 none. */
    private String table() throws IOException {
        return log("""
                  PREFILL
                ~~ Ideal/Total Cycles ~~
                mm_1-opCatBmm      40000
                add_2-NA           0
                Precompute         7
                ====== Perf Summary End ======
                """);
    }

    @Test
    void aJobOnOneDevice() throws IOException {
        String info = table();
        check(
                "job",
                o -> o.with(AiuOption.COUNTERS, ALL)
                        .with(AiuOption.COMPILER_INFO, info)
                        .with(AiuOption.POWER_STATS, true)
                        .with(AiuOption.KEEP_PREP, true),
                flex(job().toArray(String[]::new)));
    }

    @Test
    void powerByTs3IsChargePerCycle() throws IOException {
        check(
                "power-ts3",
                o -> o.with(AiuOption.COUNTERS, List.of("power_ts3")).with(AiuOption.SKIP_SYNC, true),
                flex(job().toArray(String[]::new)));
    }

    @Test
    void aJobInItsPhases() throws IOException {
        check(
                "phases",
                o -> o.with(AiuOption.COUNTERS, List.of())
                        .with(AiuOption.SPLIT_EVENTS, true)
                        .with(AiuOption.STATS, false)
                        .with(AiuOption.KEEP_NAMES, true),
                flex(job().toArray(String[]::new)));
    }

    @Test
    void whatTheCompilerFusedIsMeasuredByJob() throws IOException {
        String info = log("""
                DSM-AutoPilot BEGIN
                ~~ Ideal/Total Cycles ~~
                Total              60000
                ====== Perf Summary End ======
                """);
        List<String> events = job();
        check(
                "autopilot",
                o -> o.with(AiuOption.COUNTERS, List.of("rcu_util")).with(AiuOption.COMPILER_INFO, info),
                flex(events.toArray(String[]::new)));
    }

    @ParameterizedTest
    @EnumSource(PartialOverlap.class)
    void partialOverlap(PartialOverlap way) throws IOException {
        // b lies within a; c reaches 2 us beyond a, d 0.003 us; e overlaps c and d.
        check(
                "overlap-" + way.word(),
                o -> o.with(AiuOption.OVERLAP, way)
                        .with(AiuOption.COUNTERS, List.of())
                        .with(AiuOption.STATS, false),
                flex(
                        x("a_1", 10, 10, ""),
                        x("b_2_x", 12, 4, ""),
                        x("c", 18, 4, ""),
                        x("d", 19.997, 3, ""),
                        x("e", 21, 5, ""),
                        x("f", 40, 5, "").replace("\"tid\":7", "\"tid\":99")));
    }

    /**
     * An all-reduce of 4,000 bytes by a chain of two ranks: rank 0 sends, rank 1 receives and sends the sum back to all, for
     * which it sets a list of receivers. The counter of rank 0 is zero at 900 us of its host's clock, that of rank 1 at 880.
     */
    private static String[] chain() {
        String group = "AllReduce_all_reduce_1";
        String send = "SenRdmaSend_1 [4000B] [sync=%s_%s] Xseg DmaO";
        String receive = "SenRdmaRecv_1 [sync=%s_%s] DmaI";
        String[] single = {"CollGroup", group, "Type", "SingleCast", "Peer", "1", "Bytes", "4000"};
        String[] cast = {"CollGroup", group, "Type", "MultiCast", "Peer", "0", "Bytes", "4000"};
        String[] list = {"CollGroup", group, "Type", "Set BCList", "Peer", "0"};
        String[] segment = {"CollGroup", group, "Type", "MultiCast XSEG", "Peer", "0"};
        String[] from0 = {"CollGroup", group, "Type", "WDone Barrier", "Peer", "0"};
        String[] from1 = {"CollGroup", group, "Type", "WDone Barrier", "Peer", "1"};
        return new String[] {
            flex(
                    x("mm_1 Cmpt Exec", 900, 100, attr(cycles(0, 0, 0, 50000, 50000))),
                    x(send.formatted("s0", "a"), 1005, 10, attr(cycles(52000, 52000, 52000, 52000, 57000), single)),
                    x(receive.formatted("s1", "b"), 1040, 10, attr(cycles(70000, 75000, 75000, 75000, 75000), from1)),
                    x("mm_2 Cmpt Exec", 1060, 20, attr(cycles(80000, 80000, 80000, 90000, 90000)))),
            flex(
                    on(1, x("mm_1 Cmpt Exec", 900, 100, attr(cycles(10000, 10000, 10000, 60000, 60000)))),
                    on(
                            1,
                            x(
                                    receive.formatted("s0", "a"),
                                    1010,
                                    10,
                                    attr(cycles(65000, 70000, 70000, 70000, 70000), from0))),
                    on(
                            1,
                            x(
                                    "SenRdmaSend_1 Set BcList [sync=s1_b]",
                                    1016,
                                    2,
                                    attr(cycles(68000, 68000, 68000, 68000, 69000), list))),
                    on(
                            1,
                            x(
                                    "SenRdmaSend_1 [sync=s1_b] DmaO",
                                    1020,
                                    2,
                                    attr(cycles(70000, 70000, 70000, 70000, 71000), segment))),
                    on(
                            1,
                            x(
                                    send.formatted("s1", "b"),
                                    1025,
                                    10,
                                    attr(cycles(72500, 72500, 72500, 72500, 77500), cast))),
                    on(1, x("mm_2 Cmpt Exec", 1060, 20, attr(cycles(90000, 90000, 90000, 100000, 100000))))),
        };
    }

    @Test
    void anAllReduceOfTwoRanks() throws IOException {
        check(
                "all-reduce",
                o -> o.with(AiuOption.FLOW, true).with(AiuOption.COUNTERS, List.of("coll_bw", "bandwidth")),
                chain());
    }

    @Test
    void eventsOfCollectives() throws IOException {
        check(
                "collectives",
                o -> o.with(AiuOption.FLOW, true)
                        .with(AiuOption.BUILD_COLLECTIVES, true)
                        .with(AiuOption.COUNTERS, List.of("coll_bw")),
                chain());
    }

    @Test
    void clocksByTheEndsOfAllReduces() throws IOException {
        check(
                "sync-v2",
                o -> o.with(AiuOption.SYNC_V2, true)
                        .with(AiuOption.COUNTERS, List.of())
                        .with(AiuOption.STATS, false),
                chain());
    }

    @Test
    void transfersAsOneEventEach() throws IOException {
        check(
                "transfers",
                o -> o.with(AiuOption.SUMMARIZE_SEQUENCES, true)
                        .with(AiuOption.COUNTERS, List.of())
                        .with(AiuOption.STATS, false),
                chain());
    }

    @Test
    void aTableOfEvents() throws IOException {
        check(
                "table",
                o -> o.with(AiuOption.FORMAT, AiuFormat.PDDF)
                        .with(AiuOption.STATS, false)
                        .with(AiuOption.COUNTERS, List.of()),
                flex(job().toArray(String[]::new)));
    }

    @Test
    void tracesForTensorBoard() throws IOException {
        check("tensorboard", o -> o.with(AiuOption.TENSOR_BOARD, true), chain());
    }

    /** A launch of two kernels and the wait for them, with texts as process and thread. */
    private static String torch() {
        return """
            {"deviceProperties":[{"id":0,"name":"AIU"}],"distributedInfo":{"rank":3},"schemaVersion":1,"traceEvents":[
            {"ph":"M","name":"process_name","pid":0,"ts":1,"args":{"name":"python"}},
            {"ph":"M","name":"process_labels","pid":0,"ts":1,"args":{"labels":"AIU 0"}},
            {"ph":"M","name":"process_sort_index","pid":0,"ts":1,"args":{"sort_index":5}},
            {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":77,"tid":"main","ts":5,"dur":9,"args":{"External id":1}},
            {"ph":"X","cat":"cuda_runtime","name":"LaunchControlBlock","pid":77,"tid":1,"ts":10,"dur":2,"args":{"correlation":5}},
            {"ph":"s","id":5,"pid":77,"tid":1,"ts":10,"name":"ac2g","cat":"ac2g"},
            {"ph":"X","cat":"kernel","name":"mm_1","pid":0,"tid":2,"ts":20,"dur":5,"args":{"device":0,"correlation":5}},
            {"ph":"f","id":5,"pid":0,"tid":2,"ts":20,"name":"ac2g","cat":"ac2g","bp":"e"},
            {"ph":"X","cat":"kernel","name":"add_2 Cmpt Exec","pid":0,"tid":2,"ts":30,"dur":4,"args":{"device":0,"correlation":5}},
            {"ph":"X","cat":"gpu_memcpy","name":"Memcpy (HtoD)","pid":0,"tid":2,"ts":36,"dur":4,
            "args":{"memory bandwidth (GB/s)":2.5,"bytes":128}},
            {"ph":"X","cat":"cuda_runtime","name":"ScheduleWait","pid":77,"tid":1,"ts":12,"dur":40,"args":{"correlation":5}},
            {"ph":"i","name":"mark","pid":77,"tid":1,"ts":60,"s":"g"},
            {"ph":"B","name":"begun","pid":77,"tid":1,"ts":70},
            {"ph":"E","name":"begun","pid":77,"tid":1,"ts":75}
            ]}""";
    }

    @Test
    void aTraceOfTheTorchProfiler() throws IOException {
        String info = table();
        check("torch", o -> o.with(AiuOption.COMPILER_INFO, info), torch());
    }

    @Test
    void eventsOfFlexOnTheClockOfTheTorchProfile() throws IOException {
        // FLEX's round trip ends at 1040, the call that waited for it at 90: FLEX's clock is 950 us ahead.
        String call = "{\"deviceProperties\":[{}],\"distributedInfo\":{\"rank\":0},\"traceEvents\":["
                + "{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"Torch-Compiled Region: 0\",\"pid\":77,\"tid\":1,"
                + "\"ts\":40,\"dur\":50}]}";
        check(
                "torch-clock",
                o -> o.with(AiuOption.COUNTERS, List.of()).with(AiuOption.STATS, false),
                call,
                flex(
                        x("Flex RoundTrip", 1000, 40, ""),
                        x("mm_1 Cmpt Exec", 1010, 20, attr(cycles(0, 0, 0, 10000, 10000)))));
    }

    @Test
    void countersThatWrapped() throws IOException {
        // A wrap takes 8,589,934.592 us. The second kernel begins 20 us before it, and the third lies one wrap later.
        long wrap = 1L << 32;
        double us = wrap / 500.0;
        check(
                "wraps",
                o -> o.with(AiuOption.COUNTERS, List.of()).with(AiuOption.STATS, false),
                flex(
                        x("k_1 Cmpt Exec", 1000, 100, attr(cycles(0, 0, 0, 50000, 50000))),
                        x("k_2 Cmpt Exec", us + 980, 40, attr(cycles(-10000, -10000, -10000, 10000, 10000))),
                        x("k_3 Cmpt Exec", 2 * us + 1000, 100, attr(cycles(0, 0, 0, 50000, 50000)))));
    }

    @Test
    void everyStageOfOneKernel() throws IOException {
        check(
                "stages",
                o -> o.with(AiuOption.INTERMEDIATE, true).with(AiuOption.COUNTERS, List.of()),
                flex(x("mm_1 Cmpt Exec", 1040, 105, attr(cycles(11000, 12000, 14000, 64000, 64100)))));
    }

    @Test
    void selectedEvents() throws IOException {
        check(
                "selection",
                o -> o.with(AiuOption.EVENT_FILTER, "name:^store,args.Power:^4")
                        .with(AiuOption.PHASES, "XM")
                        .with(AiuOption.DROP_GLOBALS, true)
                        .with(AiuOption.STATS, false),
                flex(job().toArray(String[]::new)));
    }

    @Test
    void eventsThatAreOnlyCounted() throws IOException {
        check(
                "verify",
                o -> o.with(AiuOption.VERIFY, true),
                flex(x("a", 1, 2, ""), x("b", 4, 1, "").replace("\"X\"", "\"i\"")));
    }
}
