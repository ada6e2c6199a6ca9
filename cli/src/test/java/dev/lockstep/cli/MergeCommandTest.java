// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path run;
    private Path merged;

    @BeforeEach
    void writeRun() throws IOException {
        run = folder.resolve("run");
        merged = folder.resolve("out/merged.json");
        SyntheticRun.write(run, SyntheticTraces.smallRecipe(3).withClocks(400_000, 0), Layout.flat());
    }

    private int merge(Object... args) {
        return command(Stream.concat(Stream.of("merge"), Stream.of(args)).toArray());
    }

    private int command(Object... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] texts = Stream.of(args).map(String::valueOf).toArray(String[]::new);
        return Main.run(new PrintWriter(out), new PrintWriter(err), texts);
    }

    @ParameterizedTest
    @ValueSource(strings = {"merged.json", "merged.json.gz", "merged.pftrace"})
    void aMergeAmongItsOwnRanksIsReplacedAndNotReadAsOneOfThem(String name) throws IOException {
        Path inside = run.resolve(name);
        assertThat(merge(run, "-o", inside)).isEqualTo(ExitStatus.COMPLETE);
        byte[] first = Files.readAllBytes(inside);

        assertThat(merge(run, "-o", inside)).as(err.toString()).isEqualTo(ExitStatus.COMPLETE);
        assertThat(Files.readAllBytes(inside)).isEqualTo(first);

        Path beside = folder.resolve(name);
        assertThat(merge(run, "-o", beside)).isEqualTo(ExitStatus.COMPLETE);
        assertThat(err.toString()).contains(name + ": left out: it was merged from ranks that are here themselves");
        assertThat(Files.readAllBytes(beside)).isEqualTo(first);
        assertThat(command("collectives", run, "--csv", folder.resolve("csv")))
                .as(err.toString())
                .isEqualTo(ExitStatus.COMPLETE);
        assertThat(err.toString()).contains(name + ": left out");
        assertThat(command("info", inside)).isEqualTo(ExitStatus.COMPLETE);
    }

    /** Four operators, the last two of which overlap without one lying in the other; on two threads of one name, and on a stream. */
    private static String overlapping() {
        StringBuilder events = new StringBuilder();
        for (int thread = 1; thread <= 2; thread++) {
            events.append("""
                    {"ph":"M","name":"thread_name","pid":1,"tid":%1$d,"args":{"name":"python"}},
                    {"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":%1$d,"ts":1000,"dur":100,"args":{}},
                    """.formatted(thread));
            for (int i = 0; i < 4; i++) {
                events.append("""
                        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":%1$d,"ts":%2$d,"dur":%3$d,"args":{"External id":%4$d}},
                        {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":%1$d,"ts":%5$d,"dur":5,"args":{"correlation":%4$d}},
                        {"ph":"s","cat":"ac2g","id":%4$d,"name":"ac2g","pid":1,"tid":%1$d,"ts":%5$d},
                        {"ph":"f","cat":"ac2g","id":%4$d,"name":"ac2g","pid":0,"tid":7,"ts":%6$d,"bp":"e"},
                        {"ph":"X","cat":"kernel","name":"gemm%1$d","pid":0,"tid":7,"ts":%6$d,"dur":14,"args":{"correlation":%4$d,"device":0,"stream":7}},
                        """.formatted(
                                thread,
                                1005 + i * 22,
                                i < 3 ? 20 : 40,
                                10 * thread + i,
                                1007 + i * 22,
                                1013 + i * 22 + 7 * thread));
            }
        }
        return "{\"traceEvents\":[" + events.toString().stripTrailing().replaceFirst(",$", "") + "]}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"merged.json", "merged.json.gz", "merged.pftrace"})
    void whatOverlapsIsReadBackFromTheThreadAndStreamWhereItWas(String name) throws IOException {
        Path recorded = Files.writeString(folder.resolve("recorded.json"), overlapping());
        assertThat(merge(recorded, "-o", folder.resolve(name))).isEqualTo(ExitStatus.COMPLETE);
        assertThat(out.toString()).doesNotContain("overlap rows                   0");
        for (Path trace : List.of(recorded, folder.resolve(name))) {
            String to = "csv_" + trace.getFileName();
            assertThat(command("report", trace, "--critical-path", "--csv", folder.resolve(to)))
                    .as(err.toString())
                    .isZero();
        }
        for (String sheet : List.of("ops_summary", "host_summary", "gpu_timeline", "kernel_summary", "critical_path")) {
            assertThat(folder.resolve("csv_" + name + "/" + sheet + ".csv"))
                    .as(sheet)
                    .hasSameTextualContentAs(folder.resolve("csv_recorded.json/" + sheet + ".csv"));
        }
    }

    @Test
    void theFirstRanksAloneAreMergedWhereTheyAreCounted() throws IOException {
        assertThat(merge(run, "-o", merged, "-n", 2)).as(err.toString()).isEqualTo(ExitStatus.COMPLETE);
        Path two = folder.resolve("two.json");
        assertThat(merge(run, "-o", two, "--filter", "rank=0..1")).isEqualTo(ExitStatus.COMPLETE);
        assertThat(events(merged)).isEqualTo(events(two)).isLessThan(eventsOfAll());

        assertThat(merge(run, "-o", merged, "--num-ranks", 5)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("no file for ranks 3, 4 of 5");
        assertThat(merge(run, "-o", merged, "-n", 0)).isEqualTo(ExitStatus.USAGE);
    }

    private long eventsOfAll() throws IOException {
        Path all = folder.resolve("all.json");
        assertThat(merge(run, "-o", all)).isEqualTo(ExitStatus.COMPLETE);
        return events(all);
    }

    private static long events(Path file) throws IOException {
        return Files.readString(file)
                .lines()
                .filter(line -> line.contains("\"ph\":\"X\""))
                .count();
    }

    @Test
    void aMergeThatIsNamedItselfIsAnInput() {
        Path inside = run.resolve("merged.json");
        assertThat(merge(run, "-o", inside)).isEqualTo(ExitStatus.COMPLETE);

        assertThat(merge(inside, "-o", inside)).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("is an input");
    }

    private List<Path> written() throws IOException {
        if (!Files.exists(folder.resolve("out"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            return files.toList();
        }
    }

    @Test
    void allRanksStandInOneFile() throws IOException {
        assertThat(merge(run, "-o", merged)).isZero();
        assertThat(out.toString()).contains("ranks 0-2 of 3", "clocks are not aligned");
        assertThat(err.toString()).isEmpty();
        assertThat(written()).containsExactly(merged);
        assertThat(Main.run(new PrintWriter(out), new PrintWriter(err), "info", merged.toString()))
                .isZero();
        assertThat(out.toString()).contains("2 of 3 (from the trace)");
    }

    /** Some exporters write values of counters as texts, which viewers take; what is no number is an instant. */
    @Test
    void countersWhoseValueIsANumericTextStayCounters() throws IOException {
        Path trace = Files.writeString(folder.resolve("counters.json"), """
            {"traceEvents": [
            {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 5},
            {"ph": "C", "name": "mem", "pid": 0, "ts": 1, "args": {"Total": "1.5e3"}},
            {"ph": "C", "name": "mem", "pid": 0, "ts": 2, "args": {"Total": "lots"}}]}\
            """);
        Path counted = folder.resolve("counted.json");
        Path packets = folder.resolve("counted.pftrace");

        assertThat(merge(trace, "-o", counted)).isZero();
        assertThat(Files.readString(counted))
                .containsPattern("\"ph\":\"C\",\"name\":\"mem\".*1\\.5e3")
                .containsPattern("\"ph\":\"i\",\"name\":\"mem\".*lots");
        assertThat(merge(trace, "-o", packets)).isZero();
        assertThat(merge(packets, "-o", counted)).isZero();
        assertThat(Files.readString(counted)).containsPattern("\"ph\":\"C\",\"name\":\"mem Total\".*1500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"counted.json", "counted.pftrace"})
    void sheetsOfCountersSurviveAMerge(String name) throws IOException {
        StringBuilder events = new StringBuilder("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\","
                + "\"pid\":1,\"tid\":7,\"ts\":5,\"dur\":90,\"args\":{\"device\":1,\"stream\":7}}");
        for (int i = 0; i < 20; i++) {
            events.append(String.format(
                    Locale.ROOT,
                    ",{\"ph\":\"C\",\"name\":\"sm\",\"pid\":\"GPU %d Counters\",\"ts\":%d,\"args\":{\"\":%s}}",
                    i % 2,
                    5 * i,
                    i % 3 == 0 ? "0.1" : "" + i));
        }
        Path trace = Files.writeString(folder.resolve("counted_rank0.json"), events + "]}");
        Path merged = folder.resolve(name);
        assertThat(merge(trace, "-o", merged)).isEqualTo(ExitStatus.COMPLETE);

        for (String sheet : List.of("counters.csv", "counters_by_op.csv")) {
            List<String> before = withoutProcess(report(trace).resolve(sheet));
            assertThat(before).hasSize(sheet.equals("counters.csv") ? 3 : 2);
            assertThat(withoutProcess(report(merged).resolve(sheet))).isEqualTo(before);
        }
    }

    /** One name, two ids: two counters, as for queues of streams in overlays. */
    @ParameterizedTest
    @ValueSource(strings = {"numbered.json", "numbered.pftrace"})
    void countersOfOneNameAreToldApartByTheirIds(String name) throws IOException {
        StringBuilder events = new StringBuilder("{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\","
                + "\"pid\":1,\"tid\":7,\"ts\":5,\"dur\":90,\"args\":{\"device\":1,\"stream\":7}}");
        for (int i = 0; i < 20; i++) {
            events.append(String.format(
                    Locale.ROOT,
                    ",{\"ph\":\"C\",\"name\":\"Queue\",\"id\":%s,\"pid\":1,\"ts\":%d,\"args\":{\"Queue\":%d}}",
                    i % 2 == 0 ? "7" : "\"20\"",
                    5 * i,
                    i % 2 * 100 + i));
        }
        Path trace = Files.writeString(folder.resolve("numbered_rank0.json"), events + "]}");
        Path merged = folder.resolve(name);
        assertThat(merge(trace, "-o", merged)).isEqualTo(ExitStatus.COMPLETE);

        for (Path file : List.of(trace, merged)) {
            assertThat(Files.readAllLines(report(file).resolve("counters.csv")).stream()
                            .skip(1)
                            .map(line -> line.split(",")))
                    .extracting(cells -> String.join(" ", cells[1], cells[3], cells[5], cells[8]))
                    .containsExactly("Queue[20] 10 101 119", "Queue[7] 10 0 18");
        }
    }

    private Path report(Path trace) {
        Path to = folder.resolve(trace.getFileName() + ".sheets");
        StringWriter words = new StringWriter();
        assertThat(Main.run(
                        new PrintWriter(words),
                        new PrintWriter(words),
                        "report",
                        trace.toString(),
                        "--csv",
                        to.toString()))
                .as(words::toString)
                .isZero();
        return to;
    }

    /** Merges say whose processes they are. */
    private static List<String> withoutProcess(Path sheet) throws IOException {
        return Files.readAllLines(sheet).stream()
                .map(line -> line.replaceAll("rank 0: (GPU \\d Counters)( \\([^)]*\\))?", "$1"))
                .toList();
    }

    @Test
    void clocksAreAlignedWhenAsked() throws IOException {
        assertThat(merge(run, "-o", merged, "--align", "collectives")).isZero();
        assertThat(out.toString()).contains("aligned to that of rank 0", "rank 2: ");
        assertThat(Files.readString(merged)).contains("\"method\":\"collectives\"", "\"errorNs\":", "\"residualNs\":");
        assertThat(written()).hasSize(2);
        assertThat(Files.readString(folder.resolve("out/merged.manifest.json")))
                .startsWith("{\"perfetto_manifest\":{\"version\":1,")
                .contains("{\"path\":\"rank2_trace.json\",\"machine\":{\"name\":\"rank 2\"},\"clocks\":");
    }

    @Test
    void theManifestNamesPackedFilesAsTheyAreWhenUnpacked() throws IOException {
        for (int rank = 0; rank < 3; rank++) {
            Path plain = run.resolve("rank" + rank + "_trace.json");
            try (OutputStream packed =
                    new GZIPOutputStream(Files.newOutputStream(run.resolve(plain.getFileName() + ".gz")))) {
                Files.copy(plain, packed);
            }
            Files.delete(plain);
        }
        assertThat(merge(run, "-o", merged, "--align", "collectives")).isZero();
        assertThat(Files.readString(folder.resolve("out/merged.manifest.json")))
                .contains("{\"path\":\"rank2_trace.json\",", "\"sync_to\":{\"file\":\"rank0_trace.json\"}")
                .doesNotContain(".gz");
    }

    @Test
    void nodesAndManifestsBelongToAlignment() throws IOException {
        Path manifest = folder.resolve("out/own.json");
        assertThat(merge(run, "-o", merged, "--align", "collectives", "--gpus-per-node", "2", "--manifest", manifest))
                .isZero();
        assertThat(written()).containsExactlyInAnyOrder(merged, manifest);
        assertThat(Files.readString(merged)).contains("{\"name\":\"node 0\",\"ranks\":[0, 1],\"oneClock\":");
        assertThat(merge(run, "-o", merged, "--gpus-per-node", "2")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("--align collectives");
        assertThat(merge(run, "-o", merged, "--manifest", manifest)).isEqualTo(ExitStatus.USAGE);
        assertThat(merge(run, "-o", merged, "--align", "collectives", "--gpus-per-node", "-1"))
                .isEqualTo(ExitStatus.USAGE);
    }

    @Test
    void aManifestOverwritesNeitherAnInputNorTheOutput() throws IOException {
        Path input = run.resolve("rank1_trace.json");
        byte[] before = Files.readAllBytes(input);
        assertThat(merge(run, "-o", merged, "--align", "collectives", "--manifest", input))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("is an input");
        assertThat(Files.readAllBytes(input)).isEqualTo(before);
        assertThat(merge(run, "-o", merged, "--align", "collectives", "--manifest", merged))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(written()).isEmpty();
    }

    @Test
    void aRankWithoutEventsIsNamed() throws IOException {
        Files.writeString(run.resolve("rank1_trace.json"), "{\"traceEvents\": []}");
        merge(run, "-o", merged);
        assertThat(out.toString()).contains("ranks 0, 2 of 3");
        assertThat(err.toString()).contains("rank 1: ", "rank1_trace.json: there are no events in it");
        merge(run, "-o", merged, "--filter", "cat=kernel", "--filter", "step=99");
        assertThat(err.toString()).contains("nothing passes the filters");
    }

    @Test
    void aRankOfWhichNothingPassesTheFiltersIsNamed() throws IOException {
        Path run = folder.resolve("two");
        Files.createDirectory(run);
        for (int rank = 0; rank < 2; rank++) {
            Files.writeString(
                    run.resolve("rank" + rank + ".json"),
                    "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"c" + rank
                            + "\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 1}]}");
        }
        assertThat(merge(run, "-o", merged, "--filter", "cat=c1")).isZero();
        assertThat(out.toString()).contains("rank 1 of 2", "nothing passes the filters of rank 0");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aMergedFileIsReadAsTheRanksItHolds() throws IOException {
        assertThat(merge(run, "-o", merged)).isZero();
        assertThat(command("collectives", merged, "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(out.toString()).contains("Collectives of 3 ranks");
        assertThat(command("report", merged, "--csv", folder.resolve("all"))).isZero();
        assertThat(out.toString()).contains("3 ranks");
        assertThat(folder.resolve("all/rank2/gpu_timeline.csv")).exists();
        assertThat(command("report", merged, "--rank", 2, "-v", "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(out.toString()).contains("Performance of rank 2");
        assertThat(command("report", merged, "--rank", 3, "--csv", folder.resolve("csv")))
                .isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("does not hold rank 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"merged.json", "merged.json.gz", "merged.pftrace"})
    void namesOfRangesAreWrittenAsTheyWereRecorded(String name) throws IOException {
        List<String> recorded =
                List.of("aten::mm, seq = 4, op_id = 2", "FSDP::pre_forward (layers.0), op_id = 3", "step 1");
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < recorded.size(); i++) {
            events.append(i == 0 ? "" : ",")
                    .append("{\"ph\":\"X\",\"cat\":\"" + (i == 0 ? "cpu_op" : "user_annotation") + "\",\"name\":\"")
                    .append(recorded.get(i) + "\",\"pid\":1,\"tid\":1,\"ts\":" + (5 + 10 * i) + ",\"dur\":4}");
        }
        Path trace = Files.writeString(folder.resolve("emitted.json"), "{\"traceEvents\":[" + events + "]}");

        assertThat(merge(trace, "-o", folder.resolve(name))).isZero();

        try (Session session = new Session(1)) {
            Trace written = session.readOne(TraceInput.of(folder.resolve(name)), -1, bytes -> {});
            assertThat(IntStream.range(0, recorded.size()).mapToObj(written::name))
                    .containsExactly("aten::mm", "FSDP::pre_forward (layers.0)", "step 1");
            assertThat(IntStream.range(0, recorded.size())
                            .map(written::recordedName)
                            .mapToObj(written.strings()::get))
                    .containsExactlyElementsOf(recorded);
        }
    }

    /** A packet of an empty sample of the stack. */
    private static final byte[] STACK_SAMPLE = {0x0A, 3, (byte) 0x92, 4, 0};

    @Test
    void packetsThatAreNotReadAreNotMergedSilently() throws IOException {
        Path trace = folder.resolve("some.pftrace");
        assertThat(merge(run, "-o", trace)).isZero();
        Path inside = Files.write(
                folder.resolve("more.pftrace"),
                ByteBuffer.allocate((int) Files.size(trace) + 2 * STACK_SAMPLE.length)
                        .put(Files.readAllBytes(trace))
                        .put(STACK_SAMPLE)
                        .put(STACK_SAMPLE)
                        .array());

        assertThat(merge(inside, "-o", merged)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString()).containsPattern("not merged +2 +foreign_packets");
        assertThat(merge(inside, "-o", merged, "--allow-partial")).isZero();
    }

    @Test
    void filtersMayBeRepeated() throws IOException {
        assertThat(merge(run, "-o", merged, "--filter", "cat=kernel", "--filter", "rank=1", "--drop", "name=nccl*"))
                .isZero();
        assertThat(out.toString()).contains("rank 1 of 3", "  category", "  name");
        assertThat(Files.readString(merged))
                .contains("\"filters\":[\"keep cat=kernel\",\"keep rank=1\",\"drop name=nccl*\"]");
    }

    @Test
    void filtersThatLeaveNothingAreSaid() throws IOException {
        assertThat(merge(run, "-o", merged, "--filter", "rank=99")).isEqualTo(ExitStatus.NOTHING);
        assertThat(merge(run, "-o", merged, "--gpu-only", "--filter", "cat=cpu_op"))
                .isEqualTo(ExitStatus.NOTHING);
        assertThat(err.toString()).contains("nothing passes the filters");
        assertThat(written()).isEmpty();
    }

    @Test
    void aMissingRankMakesItPartial() throws IOException {
        Files.delete(run.resolve("rank1_trace.json"));
        assertThat(merge(run, "-o", merged)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).contains("no file for rank 1 of 3");
        assertThat(merge(run, "-o", merged, "--allow-partial")).isZero();
    }

    @Test
    void anInputIsNeverOverwritten() throws IOException {
        Path input = run.resolve("rank0_trace.json");
        byte[] before = Files.readAllBytes(input);
        assertThat(merge(run, "-o", input)).isEqualTo(ExitStatus.USAGE);
        assertThat(Files.readAllBytes(input)).isEqualTo(before);
    }

    @Test
    void aFailureLeavesNothingBehind() throws IOException {
        Files.write(run.resolve("rank1_trace.json"), "{\"traceEvents\": [{\"ph\": \"X\"".getBytes(UTF_8));
        assertThat(merge(run, "-o", merged, "--strict")).isEqualTo(ExitStatus.UNREADABLE);
        assertThat(written()).isEmpty();
        assertThat(merge(run, "-o", folder.resolve("out/merged.txt"))).isEqualTo(ExitStatus.USAGE);
        assertThat(merge(run, "-o", merged, "--filter", "colour=red")).isEqualTo(ExitStatus.USAGE);
        assertThat(merge(run, "-o", merged, "--align", "stars")).isEqualTo(ExitStatus.USAGE);
        assertThat(merge(run, "-o", merged, "--compat", "other")).isEqualTo(ExitStatus.USAGE);
        assertThat(written()).isEmpty();
    }

    @Test
    void aortasFormHasNothingButEvents() throws IOException {
        assertThat(merge(run, "-o", merged, "--compat", "aorta")).isZero();
        assertThat(out.toString()).contains("Processing rank 2...", "Total events: ");
        assertThat(Files.readString(merged))
                .startsWith("{\"traceEvents\": [")
                .contains("\"Rank 2 - CPU/CUDA Runtime\"")
                .endsWith("]}");
    }

    @Test
    void threadsWithoutEventsKeepTheirNames() throws IOException {
        Path trace = Files.writeString(folder.resolve("named.json"), """
            {"traceEvents": [
            {"ph":"M","name":"thread_name","pid":5,"tid":7,"args":{"name":"Device 0"}},
            {"ph":"M","name":"thread_name","pid":5,"tid":"text","args":{"name":"Device 1"}},
            {"ph":"M","name":"thread_name","pid":5,"tid":1,"args":{"name":"main"}},
            {"ph":"X","name":"a","cat":"cpu_op","pid":5,"tid":1,"ts":1,"dur":1}
            ]}
            """);
        Path into = folder.resolve("merged.json");
        assertThat(command("merge", trace, "-o", into)).isZero();
        assertThat(Files.readString(into))
                .contains("\"tid\":7,\"args\":{\"name\":\"Device 0\"}")
                .contains("\"tid\":1500000000,\"args\":{\"name\":\"Device 1\"}")
                .containsOnlyOnce("\"name\":\"main\"");
    }
}
