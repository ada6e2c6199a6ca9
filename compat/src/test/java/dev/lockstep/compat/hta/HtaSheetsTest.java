// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.lockstep.codec.Json;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.CompanionSheets.Sheets;
import dev.lockstep.reporting.TraceOverlay;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values worked out by hand. */
class HtaSheetsTest {
    /** Two steps; the second is left out. Three device events of the first on two streams. */
    private static final String STEPS = String.join(
            ",\n",
            host("user_annotation", "ProfilerStep#1", 0, 100, 0),
            host("user_annotation", "ProfilerStep#2", 100, 100, 0),
            host("cpu_op", "aten::a", 10, 20, 0),
            host("cuda_runtime", "cudaLaunchKernel", 12.5, 1.5, 1),
            device("kernel", "gemm", 7, 20.25, 10, 1, ""),
            host("cuda_runtime", "cudaLaunchKernelExC", 15, 1, 2),
            device("kernel", "ncclDevKernel", 9, 25.25, 20, 2, ""),
            host("cuda_runtime", "cudaMemcpyAsync", 40, 1, 3),
            device(
                    "gpu_memcpy",
                    "Memcpy DtoH (Device -> Pageable)",
                    7,
                    50.25,
                    2,
                    3,
                    ",\"memory bandwidth (GB/s)\":0.1"),
            host("cuda_runtime", "cudaLaunchKernel", 110, 1, 4),
            device("kernel", "late", 7, 120, 50, 4, ""));

    @TempDir
    private Path folder;

    private static String host(String category, String name, double ts, double dur, int correlation) {
        return "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%s,\"dur\":%s,\"args\":{%s}}"
                .formatted(category, name, ts, dur, correlation == 0 ? "" : "\"correlation\":" + correlation);
    }

    private static String device(
            String category, String name, int stream, double ts, double dur, int correlation, String more) {
        return "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":0,\"tid\":%d,\"ts\":%s,\"dur\":%s,\"args\":{\"device\":0,\"stream\":%d,\"correlation\":%d%s}}"
                .formatted(category, name, stream, ts, dur, stream, correlation, more);
    }

    private TraceInput input(String events) throws IOException {
        Path file = folder.resolve("rank3_trace.json");
        Files.writeString(file, "{\"traceEvents\":[" + events + "]}");
        return TraceInput.of(file);
    }

    private Trace trace(String events) throws IOException {
        try (Session session = new Session(1)) {
            return session.read(input(events), bytes -> {}).getFirst();
        }
    }

    private static ReportOptions options(int queueLimit, String operator, int least) {
        return ReportOptions.standard().with(new ReportOptions.Launches(queueLimit, operator, least));
    }

    private static List<String> rows(Sheets sheets, String name) {
        Table table = sheets.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
        List<CellText> cells = new ArrayList<>();
        for (int c = 0; c < table.schema().size(); c++) {
            cells.add(new CellText(table, c, CellStyle.PLAIN));
        }
        return IntStream.range(0, table.rows())
                .mapToObj(row ->
                        String.join(" ", cells.stream().map(c -> c.at(row)).toList()))
                .toList();
    }

    @Test
    void timesAreExactAndTheLastStepIsLeftOut() throws IOException {
        Sheets sheets = new HtaSheets(false).of(trace(STEPS), options(1, "aten::", 2));

        assertThat(rows(sheets, "hta_temporal_breakdown")).containsExactly("3 5 10 17 32 15.625 31.25 53.125");
        assertThat(rows(sheets, "hta_comm_comp_overlap")).containsExactly("3 20 5 25");
        assertThat(rows(sheets, "hta_idle_breakdown")).containsExactly("3 7 host_wait 20 1 1");
        assertThat(rows(sheets, "hta_kernel_type_breakdown"))
                .containsExactly(
                        "COMMUNICATION 15 55.55555555555556",
                        "COMPUTATION 5 18.51851851851852",
                        "COMPUTATION overlapping COMMUNICATION 5 18.51851851851852",
                        "MEMORY 2 7.407407407407407");
        assertThat(rows(sheets, "hta_kernel_breakdown"))
                .containsExactly(
                        "ncclDevKernel 1 20 20 20 0 20 COMMUNICATION 3",
                        "gemm 1 10 10 10 0 10 COMPUTATION 3",
                        "Memcpy DtoH (Device -> Pageable) 1 2 2 2 0 2 MEMORY 3");
        assertThat(rows(sheets, "hta_user_annotation"))
                .containsExactly("ProfilerStep#1 1 100 100 100 0 100 3", "ProfilerStep#2 1 100 100 100 0 100 3");
        assertThat(rows(sheets, "hta_launch_stats"))
                .containsExactly("3 1 1.5 10 6.25", "3 2 1 20 9.25", "3 3 1 2 9.25");
        assertThat(rows(sheets, "hta_queue_length"))
                .containsExactly(
                        "3 7 4 0.5 0.5773502691896257 0 0 0.5 1 1", "3 9 2 0.5 0.7071067811865476 0 0.25 0.5 0.75 1");
        assertThat(rows(sheets, "hta_queue_blocked"))
                .containsExactly("3 7 18 0.3582089552238806", "3 9 10.25 0.20398009950248755");
        assertThat(rows(sheets, "hta_memory_bandwidth")).containsExactly("3 Memcpy DtoH 1 0.1  0.1 0.1 0.1 0.1 0.1");
        assertThat(rows(sheets, "hta_op_delay")).containsExactly("3 aten::a gemm -> ncclDevKernel 1 2.5 7.75");
        assertThat(rows(sheets, "hta_kernel_sequences")).containsExactly("3 aten::a|gemm|ncclDevKernel 1 30 20");
        assertThat(rows(sheets, "hta_not_applicable"))
                .extracting(row -> row.substring(0, row.indexOf(' ')))
                .containsExactly("hta_gpu_user_annotation", "hta_cupti_counters");
    }

    @Test
    void compatibleTimesAreWholeMicroseconds() throws IOException {
        Sheets sheets = new HtaSheets(true).of(trace(STEPS), ReportOptions.standard());

        // gemm 21 to 30, ncclDevKernel 26 to 45, the copy 51 to 52
        assertThat(rows(sheets, "hta_temporal_breakdown").getFirst()).startsWith("3 6 9 16 31 ");
        assertThat(rows(sheets, "hta_comm_comp_overlap").getFirst()).startsWith("3 19 4 ");
        assertThat(rows(sheets, "hta_launch_stats")).containsExactly("3 1 1 9 7", "3 2 1 19 10", "3 3 1 1 10");
    }

    @Test
    void whatHasNoLaunchNeverWaitsForTheHost() throws IOException {
        String events = String.join(
                ",",
                device("kernel", "a", 7, 0, 10, 0, ""),
                device("kernel", "b", 7, 39.999, 10, 0, ""),
                device("kernel", "c", 7, 79.999, 10, 0, ""),
                device("kernel", "under c", 7, 80, 1, 0, ""));
        Sheets sheets = new HtaSheets(false).of(trace(events), ReportOptions.standard());

        assertThat(rows(sheets, "hta_idle_breakdown"))
                .containsExactly("3 7 kernel_wait 29.999 0.49999166652777544 2", "3 7 other 30 0.5000083334722245 1");
        assertThat(rows(sheets, "hta_launch_stats")).isEmpty();
        assertThat(rows(sheets, "hta_queue_length")).isEmpty();
    }

    @Test
    void nothingLeavesNoTrafficBehind() throws IOException {
        String bandwidth = ",\"memory bandwidth (GB/s)\":";
        String events = String.join(
                ",",
                device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 7, 0, 10, 0, bandwidth + "0.1"),
                device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 8, 5, 10, 0, bandwidth + "0.2"),
                device("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 9, 7, 3, 0, bandwidth + "0.7"),
                device("gpu_memset", "Memset (Device)", 7, 20, 0, 0, bandwidth + "3"));
        Sheets sheets = new HtaSheets(false).of(trace(events), ReportOptions.standard());

        assertThat(rows(sheets, "hta_memory_bandwidth"))
                .extracting(row -> row.split(" ")[row.startsWith("3 Memset") ? 2 : 3])
                .containsExactly("5", "1");
    }

    @Test
    void aLaunchOfSeveralKernelsIsOneEntryOfTheQueue() throws IOException {
        String events = String.join(
                ",",
                host("cuda_runtime", "cudaGraphLaunch", 0, 5, 1),
                device("kernel", "a", 7, 10, 5, 1, ""),
                device("kernel", "b", 7, 20, 5, 1, ""),
                device("kernel", "c", 7, 30, 5, 1, ""));
        Sheets sheets = new HtaSheets(false).of(trace(events), options(2, null, 3));

        assertThat(rows(sheets, "hta_queue_length").getFirst()).startsWith("3 7 6 ");
        assertThat(rows(sheets, "hta_queue_blocked")).isEmpty();
        assertThat(rows(new HtaSheets(false).of(trace(events), options(1, null, 3)), "hta_queue_blocked"))
                .containsExactly("3 7 10 0.3333333333333333");
    }

    @Test
    void operatorsOfOtherThreadsEncloseNothing() throws IOException {
        String events = String.join(
                ",",
                host("cpu_op", "aten::elsewhere", 0, 100, 0).replace("\"tid\":1", "\"tid\":2"),
                host("cpu_op", "aten::outer", 0, 50, 0),
                host("cpu_op", "aten::inner", 0, 20, 0),
                host("cuda_runtime", "hipLaunchKernel", 10, 2, 1),
                device("kernel", "k", 0, 15, 5, 1, ""),
                host("cuda_runtime", "hipLaunchKernel", 60, 2, 2),
                device("kernel", "k", 0, 70, 5, 2, ""));
        Sheets sheets = new HtaSheets(false).of(trace(events), options(1024, "aten::", 1));

        assertThat(rows(sheets, "hta_op_delay")).containsExactly("3 aten::inner k 1 10 5");
        assertThat(rows(sheets, "hta_kernel_sequences")).containsExactly("3 aten::outer|k 1 5 50");
        assertThat(sheets.said()).anyMatch(line -> line.contains("1 operators of the name lie deeper"));
    }

    @Test
    void launchesThatBeginTogetherStandByTheirPlace() throws IOException {
        String events = String.join(
                ",",
                host("cpu_op", "aten::a", 0, 50, 0),
                host("cuda_runtime", "cudaLaunchKernel", 10, 2, 1),
                host("cuda_runtime", "cudaLaunchKernel", 10, 5, 2),
                device("kernel", "second", 7, 20, 5, 2, ""),
                device("kernel", "first", 7, 30, 5, 1, ""));

        assertThat(rows(new HtaSheets(false).of(trace(events), ReportOptions.standard()), "hta_op_delay"))
                .containsExactly("3 aten::a first -> second 1 10 20");
    }

    /** As on AMD: a call within another has its correlation, and starts with it. */
    @Test
    void ofSeveralCallsOfOneCorrelationTheOutermostLaunchesWhateverTheirOrder() throws IOException {
        List<String> events = List.of(
                host("cuda_runtime", "hipArray3DCreate", 10, 4, 1),
                host("cuda_runtime", "hipMemsetAsync", 10, 6, 1),
                device("kernel", "fill", 7, 20, 5, 1, ""));
        Trace written = trace(String.join(",", events));
        Trace reversed = trace(String.join(",", events.reversed()));

        for (Trace trace : List.of(written, reversed)) {
            assertThat(rows(new HtaSheets(false).of(trace, ReportOptions.standard()), "hta_launch_stats"))
                    .containsExactly("3 1 6 5 4");
        }
        assertThat(rows(new HtaSheets(true).of(written, ReportOptions.standard()), "hta_launch_stats"))
                .containsExactly("3 1 6 5 4");
        assertThat(rows(new HtaSheets(true).of(reversed, ReportOptions.standard()), "hta_launch_stats"))
                .containsExactly("3 1 4 5 6");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void onlyWithTheToolsOwnRulesTheOrderOfEventsMatters(long seed) throws IOException {
        Random random = new Random(seed);
        List<String> events = ambiguous(random);
        ReportOptions options = options(2, "aten::", 1).with(new ReportOptions.Paths("all", List.of()));

        Sheets wanted = new HtaSheets(false).of(trace(String.join(",", events)), options);

        for (int other = 0; other < 5; other++) {
            Collections.shuffle(events, random);
            Sheets sheets = new HtaSheets(false).of(trace(String.join(",", events)), options);
            for (Table table : wanted.tables()) {
                if (!table.name().equals("hta_critical_path")) { // it names events by their places in the file
                    assertThat(rows(sheets, table.name())).as(table.name()).isEqualTo(rows(wanted, table.name()));
                }
            }
            assertThat(sheets.said()).isEqualTo(wanted.said());
        }
    }

    /** Whole microseconds, few of them: many events begin and end together and share correlations. */
    private static List<String> ambiguous(Random random) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int at = random.nextInt(40);
            int correlation = 1 + random.nextInt(20);
            String name = "n" + random.nextInt(4);
            switch (random.nextInt(4)) {
                case 0 ->
                    events.add(host("cpu_op", "aten::" + name, at, random.nextInt(20), 0)
                            .replace("{}", "{\"External id\":" + i + "}"));
                case 1 ->
                    events.add(host("cuda_runtime", "cudaLaunchKernel", at, random.nextInt(4), correlation)
                            .replace("}}", ",\"External id\":" + i + "}}"));
                case 2 ->
                    events.add(device("kernel", name, random.nextInt(2), at + 5, random.nextInt(6), correlation, ""));
                default ->
                    events.add(device(
                            "gpu_memcpy",
                            "Memcpy DtoH",
                            random.nextInt(2),
                            at + 5,
                            random.nextInt(6),
                            correlation,
                            ",\"memory bandwidth (GB/s)\":" + random.nextInt(1, 5) * 0.1));
            }
        }
        return events;
    }

    @Test
    void rangesOfCountersBelongToLaunchesByTheirOrder() throws IOException {
        String ranges =
                "{\"args\":{\"b\":2.5,\"a\":1,\"text\":\"no\"},\"name\":\"k1\",\"cat\":\"cuda_profiler_range\",\"ph\":\"X\",\"pid\":0,\"tid\":0,\"ts\":100,\"dur\":1},"
                        + "{\"ph\":\"X\",\"cat\":\"cuda_profiler_range\",\"name\":\"__missing__\",\"pid\":0,\"tid\":0,\"ts\":110,\"dur\":1,\"args\":{\"c\":1e9}}";
        String launch = host("cuda_runtime", "cudaLaunchKernel", 5, 1, 0);
        String events = String.join(
                ",", host("cpu_op", "outer", 0, 20, 0), host("cpu_op", "in\\\"ner", 4, 5, 0), launch, ranges);
        String second = host("cuda_driver", "cuLaunchKernelEx", 30, 1, 0);

        Sheets matched = new HtaSheets(false).of(trace(events + "," + second), ReportOptions.standard());
        assertThat(rows(matched, "hta_cupti_counters"))
                .containsExactly(
                        "3 0 k1 2.5 1  outer in\"ner [\"outer\", \"in\\\"ner\"]", "3 1 __missing__   1000000000   []");

        Sheets unequal = new HtaSheets(false).of(trace(events), ReportOptions.standard());
        assertThat(rows(unequal, "hta_cupti_counters"))
                .containsExactly("3 0 k1 2.5 1    []", "3 1 __missing__   1000000000   []");
        assertThat(unequal.said()).anyMatch(line -> line.contains("2 ranges (cuda_profiler_range) and 1 launches"));
    }

    @Test
    void theFirstStepsAreCompared() throws IOException {
        String other = STEPS.replace("\"name\":\"gemm\"", "\"name\":\"gemm2\"")
                .replace("cudaLaunchKernelExC", "cudaLaunchKernel");
        Trace control = trace(STEPS);
        Trace test = trace(other);
        Sheets sheets = new HtaSheets(false).difference(control, test);

        assertThat(rows(sheets, "hta_trace_diff"))
                .contains(
                        "GPU gemm 1 0 10 0 -1 -10 -", "GPU gemm2 0 1 0 10 1 10 +", "GPU ncclDevKernel 1 1 20 20 0 0 =")
                .contains("CPU cudaLaunchKernel 1 2 1.5 2.5 1 1 +", "CPU aten::a 1 1 20 20 0 0 =")
                .noneMatch(row -> row.contains("late"));
    }

    private static final String PATH = String.join(
            ",",
            host("user_annotation", "win", 0, 100, 0),
            host("cpu_op", "A", 0, 30, 0),
            host("cuda_runtime", "cudaLaunchKernel", 10, 10, 1),
            device("kernel", "k", 7, 25, 40, 1, ""),
            host("cuda_runtime", "cudaDeviceSynchronize", 32, 38, 2),
            host("cpu_op", "B", 75, 10, 0));

    private static final String SYNC = "," + device("cuda_sync", "Context Sync", -1, 33, 36, 2, "");

    private static ReportOptions pathOf(String window) {
        return ReportOptions.standard().with(new ReportOptions.Paths(window, List.of()));
    }

    @Test
    void theCriticalPathGoesThroughWhatCallsWaitedFor() throws IOException {
        Sheets known = new HtaSheets(false).of(trace(PATH + SYNC), pathOf("win#0"));

        // A up to the launch, the launch, the kernel; the call that waits takes nothing; B
        assertThat(rows(known, "hta_critical_path_summary"))
                .containsExactly(
                        "gpu_compute_bound 40 53.333333333333336 win ",
                        "cpu_bound 20 26.666666666666668 win ",
                        "gpu_kernel_launch_overhead 15 20 win ");
        assertThat(rows(known, "hta_critical_path"))
                .extracting(row -> row.split(" ")[1].replace("critical_path_", "") + " " + row.split(" ")[2])
                .containsExactly(
                        "operator 10",
                        "kernel_launch_delay 15",
                        "operator 40",
                        "sync_dependency 0",
                        "dependency 0",
                        "operator 10");

        Sheets unknown = new HtaSheets(false).of(trace(PATH), pathOf("all"));
        assertThat(rows(unknown, "hta_critical_path_summary"))
                .extracting(row -> row.split(" all ")[0])
                .containsExactly(
                        "gpu_compute_bound 40 61.53846153846154",
                        "gpu_kernel_launch_overhead 15 23.076923076923077",
                        "cpu_bound 10 15.384615384615385");
        assertThat(unknown.said()).anyMatch(line -> line.contains("cuda_sync"));
    }

    @Test
    void aPathOfNothingSaysSo() throws IOException {
        Sheets sheets = new HtaSheets(false).of(trace(PATH), pathOf("win#1"));

        assertThat(rows(sheets, "hta_critical_path")).isEmpty();
        assertThat(rows(sheets, "hta_not_applicable"))
                .anyMatch(row -> row.startsWith("hta_critical_path_summary no annotation win#1 takes part"));
    }

    @Test
    void anOverlayKeepsEveryEventAndAddsWhatWasFound() throws IOException {
        String other = "{\"ph\":\"s\",\"id\":1,\"pid\":1,\"tid\":1,\"ts\":10.500,\"name\":\"ac2g\",\"cat\":\"ac2g\"}";
        String bare = "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"C\",\"pid\":1,\"tid\":1,\"ts\":90,\"dur\":5}";
        String events = PATH + SYNC + "," + other + "," + bare;
        Path target = folder.resolve("overlay.json");
        List<String> lines = overlay(events, new TraceOverlay.Options("win", false), target);

        assertThat(lines).contains(other, device("cuda_sync", "Context Sync", -1, 33, 36, 2, ""));
        assertThat(lines)
                .contains(host("cpu_op", "A", 0, 30, 0).replace("\"args\":{", "\"args\":{\"critical\":1"))
                .contains(device("kernel", "k", 7, 25, 40, 1, "").replace("\"args\":{", "\"args\":{\"critical\":1,"))
                .contains(bare.substring(0, bare.length() - 1) + ",\"args\":{\"critical\":1}}");
        assertThat(lines.stream().filter(line -> line.contains("Queue Length")))
                .containsExactly(
                        "{\"ph\":\"C\",\"name\":\"Queue Length\",\"pid\":0,\"id\":7,\"ts\":10,\"args\":{\"Queue"
                                + " Length\":1}}",
                        "{\"ph\":\"C\",\"name\":\"Queue Length\",\"pid\":0,\"id\":7,\"ts\":25,\"args\":{\"Queue"
                                + " Length\":0}}");
        // the launch, the wait with its arrow inside the kernel, and B after the call, C after B; 1 is taken
        assertThat(lines.stream().filter(line -> line.contains("\"critical_path\"") && line.contains("\"ph\":\"s\"")))
                .hasSize(4)
                .anyMatch(line -> line.contains("\"id\":2,\"pid\":1,\"tid\":1,\"ts\":10,")
                        && line.contains("kernel_launch_delay"))
                .anyMatch(line -> line.contains("\"pid\":0,\"tid\":7,\"ts\":64,") && line.contains("sync_dependency"));

        List<String> few = overlay(events, new TraceOverlay.Options("win", true), target);
        assertThat(few.stream().filter(line -> line.contains("\"ph\":\"X\"") && !line.contains("\"critical\":1")))
                .containsExactly(host("user_annotation", "win", 0, 100, 0));
        assertThat(few).contains(other);
    }

    /** What readers take although it is not quite JSON is JSON in the copy, whether or not the event gets the mark. */
    @Test
    void anOverlayIsJsonWhateverItWasMadeFrom() throws IOException {
        String odd = "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":10,\"name\":\"a"
                + "\tb\",\"args\":{\"x\":NaN,\"y\":[007,-Infinity]}}";
        String comma = "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":11,\"name\":\"c\" , }";
        String marked =
                "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"C\",\"pid\":1,\"tid\":1,\"ts\":90,\"dur\":5,\"args\":{\"z\":1.}}";
        List<String> lines = overlay(
                PATH + SYNC + "," + odd + "," + comma + "," + marked,
                new TraceOverlay.Options("win", false),
                folder.resolve("overlay.json"));

        assertThat(lines)
                .contains(
                        "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":10,\"name\":\"a\\u0009b\",\"args\":{\"x\":\"NaN\",\"y\":[\"007\",\"-Infinity\"]}}")
                .contains("{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":11,\"name\":\"c\"}")
                .contains(
                        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"C\",\"pid\":1,\"tid\":1,\"ts\":90,\"dur\":5,\"args\":{\"critical\":1,\"z\":\"1.\"}}");
    }

    @Test
    void aDamagedValueBesideTheEventsIsLeftOutOfAnOverlayWithItsKey() throws IOException {
        Path target = folder.resolve("overlay.json");

        List<String> lines = overlay(
                PATH + SYNC + "],\"sound\":{\"a\":NaN},\"damaged\":[1 \"x\"",
                new TraceOverlay.Options("win", false),
                target);

        assertThat(lines).contains("\"sound\": {\"a\":\"NaN\"}").noneMatch(line -> line.contains("damaged"));
        assertThatCode(() -> Json.parse(Files.readString(target))).doesNotThrowAnyException();
    }

    private List<String> overlay(String events, TraceOverlay.Options options, Path target) throws IOException {
        Trace trace = trace(events);
        new HtaOverlay().write(trace, input(events), options, new TraceOverlay.Target(target, false));
        trace(events); // the input is as it was
        return Files.readAllLines(target).stream()
                .map(line -> line.endsWith(",") ? line.substring(0, line.length() - 1) : line)
                .toList();
    }
}
