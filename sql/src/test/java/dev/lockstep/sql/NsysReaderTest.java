// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.Lockstep;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.CounterSeries;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NsysReaderTest {
    private static final String TABLES = """
        CREATE TABLE StringIds (id INTEGER, value TEXT);
        CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
        CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
        CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, cuDevice INTEGER);
        CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);
        CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, textId INTEGER,
          globalTid INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
          correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
          registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER,
          blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
          correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER,
          dstKind INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
          correlationId INTEGER, globalPid INTEGER, bytes INTEGER, memKind INTEGER);
        CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
          correlationId INTEGER, nameId INTEGER);
        INSERT INTO StringIds VALUES (1, 'void gemm<float>(int)'), (2, 'gemm'), (3, 'cudaLaunchKernel_v7000'),
          (4, 'cudaMemcpyAsync_v3020'), (5, 'main thread'), (6, 'registered'), (7, 'cuLaunchKernel');
        INSERT INTO TARGET_INFO_GPU VALUES (7, 'H100', 0), (9, 'H100', 1);
        INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);
        """;

    @TempDir
    Path folder;

    @Test
    void everythingThatAnExportHoldsBecomesSlices() throws Exception {
        Trace trace = read(process(100, 0)
                        + nvtx(100, 500, 3000, 59, "step 1")
                        + nvtx(100, 600, 2900, 59, "aten::mm, seq = 4, op_id = 2")
                        + nvtx(100, 610, 900, 59, "FSDP::pre_forward (layers.0), op_id = 3")
                        + nvtx(100, 620, 800, 59, "nccl:all_to_all, op_id = 4")
                        + "INSERT INTO NVTX_EVENTS VALUES (700, NULL, 34, NULL, 6, " + thread(100) + ");")
                .getFirst();

        assertThat(dump(trace))
                .containsExactlyInAnyOrder(
                        "ANNOTATION step 1 500+2500 100/1",
                        "CPU_OP aten::mm 600+2300 100/1",
                        "ANNOTATION FSDP::pre_forward (layers.0) 610+290 100/1",
                        "ANNOTATION nccl:all_to_all 620+180 100/1",
                        "RUNTIME_CALL cudaLaunchKernel 1000+100 100/1",
                        "RUNTIME_CALL cudaMemcpyAsync 1200+50 100/1",
                        "KERNEL void gemm<float>(int) 2000+500 0/7",
                        "MEMCPY Memcpy HtoD (Pinned -> Device) 2600+40 0/7",
                        "MEMSET Memset (Device) 2700+10 0/7");
        assertThat(IntStream.range(0, trace.slices().size())
                        .map(trace::recordedName)
                        .mapToObj(trace.strings()::get))
                .contains("aten::mm, seq = 4, op_id = 2", "nccl:all_to_all, op_id = 4", "step 1");
        assertThat(trace.marks().size()).isEqualTo(1);
        assertThat(trace.strings().get(trace.marks().name(0))).isEqualTo("registered");
        assertThat(trace.info().originNs()).isEqualTo(1_700_000_000_000_000_000L);
        assertThat(trace.info().devices()).singleElement().hasToString("Device[id=0, name=H100]");
        assertThat(trace.counts().device()).isEqualTo(3);
    }

    @Test
    void metricsOfDevicesAreCountersOfTheirRanks() throws Exception {
        List<Trace> traces = read(process(100, 0)
                + process(200, 1)
                + """
                CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
                CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER,
                  metricName TEXT);
                INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1280000000000007, 1, 'H100', 1, 'SMs Active [%]'),
                  (1280000000000009, 1, 'H100', 1, 'SMs Active [%]'), (1280000000000009, 1, 'H100', 2, 'DRAM Read [%]');
                """.replace("1280000000000007", "" + (0x500L << 16 | 7))
                        .replace("1280000000000009", "" + (0x500L << 16 | 9))
                + metric(7, 1, 2_000, 90)
                + metric(7, 1, 2_300, 80)
                + metric(7, 1, 2_600, 0)
                + metric(9, 1, 2_000, 10)
                + metric(9, 2, 2_000, 55)
                + metric(9, 3, 2_000, 1));

        CounterSeries.Result first = counters(traces.get(0));
        assertThat(first.rows()).singleElement().satisfies(row -> {
            assertThat(row.name()).isEqualTo(new CounterSeries.Name("GPU 0 Metrics", "SMs Active [%]", ""));
            assertThat(row.values().count()).isEqualTo(3);
            assertThat(row.values().max()).isEqualTo(90);
        });
        assertThat(first.operators()).isNotEmpty();
        assertThat(counters(traces.get(1)).rows())
                .extracting(row -> row.name().counter() + " " + row.values().mean())
                .containsExactly("DRAM Read [%] 55.0", "SMs Active [%] 10.0");
        assertThat(traces.get(1).diagnostics().problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("metric_unusable"));
    }

    private static String metric(int gpu, int metric, long at, int value) {
        return "INSERT INTO GPU_METRICS VALUES (" + at + ", " + (0x500L << 16 | gpu) + ", " + metric + ", " + value
                + ");";
    }

    private static CounterSeries.Result counters(Trace trace) {
        return new CounterSeries(AnalysisRules.standard()).run(new DerivedCache(trace));
    }

    @Test
    void detailsOfKernelsAndCopiesAreKept() throws Exception {
        Trace trace = read(process(100, 0)).getFirst();
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));

        int kernel = details.of(slice(trace, SliceKind.KERNEL));
        assertThat(trace.strings().get(details.grid(kernel))).isEqualTo("[4, 2, 1]");
        assertThat(trace.strings().get(details.block(kernel))).isEqualTo("[128, 1, 1]");
        assertThat(details.registers(kernel)).isEqualTo(32);
        assertThat(details.sharedMemory(kernel)).isEqualTo(1536);
        assertThat(details.stream(kernel)).isEqualTo(7);
        assertThat(details.bytes(details.of(slice(trace, SliceKind.MEMCPY)))).isEqualTo(4096);
    }

    /** As TensorRT marks its layers: where no operators were recorded, the innermost range around a launch is one. */
    @Test
    void withoutOperatorsTheInnermostRangesThatLaunchAreOperators() throws Exception {
        Trace trace = read(process(100, 0)
                        + nvtx(100, 500, 3000, 59, "ExecutionContext::execute")
                        + nvtx(100, 600, 800, 59, "shape::only")
                        + nvtx(100, 900, 1150, 59, "/conv1/Conv + /relu/Relu")
                        + nvtx(100, 950, 980, 59, "inner, without a launch")
                        + nvtx(100, 1160, 1190, 59, "between")
                        + nvtx(100, 1195, 1300, 59, "copy"))
                .getFirst();

        assertThat(dump(trace))
                .contains(
                        "ANNOTATION ExecutionContext::execute 500+2500 100/1",
                        "ANNOTATION shape::only 600+200 100/1",
                        "CPU_OP /conv1/Conv + /relu/Relu 900+250 100/1",
                        "ANNOTATION inner, without a launch 950+30 100/1",
                        "ANNOTATION between 1160+30 100/1",
                        "CPU_OP copy 1195+105 100/1");
    }

    @Test
    void callsOfTheSystemWaitsAndTheProfilersOwnCostAreRead() throws Exception {
        Trace trace = read(process(100, 0) + """
                        CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
                        CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
                        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
                          streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER);
                        INSERT INTO StringIds VALUES (20, 'pthread_cond_wait'), (21, 'CUPTI buffer flush');
                        """
                        + "INSERT INTO OSRT_API VALUES (3000, 3900, " + thread(100) + ", 20);"
                        + "INSERT INTO PROFILER_OVERHEAD VALUES (4000, 4100, " + thread(100) + ", 21);"
                        + "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (4200, 4300, 0, 7, 13, " + global(100)
                        + ", 3), (4400, 4500, 0, 4294967295, 14, " + global(100) + ", 1), (4400, 4500, 5, 7, 15, "
                        + global(100) + ", 4);")
                .getFirst();

        assertThat(dump(trace).subList(5, 9))
                .containsExactly(
                        "HOST_OTHER pthread_cond_wait 3000+900 100/1",
                        "OVERHEAD CUPTI buffer flush 4000+100 100/1",
                        "DEVICE_SYNC Stream Sync 4200+100 0/7",
                        "DEVICE_SYNC Event Sync 4400+100 0/waits");
        assertThat(trace.counts().device()).isEqualTo(3);
    }

    /** Kernel 2 of stream 13 waits for kernel 1 of stream 7; the handle of the event is used again for kernel 3. */
    private static String events(boolean numbered) {
        return """
                CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, streamId INTEGER, correlationId INTEGER,
                  globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER);
                CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
                  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER,
                  eventSyncId INTEGER);
                INSERT INTO StringIds VALUES (30, 'cudaEventRecord_v3020'), (31, 'cudaStreamWaitEvent_v3020'),
                  (32, 'cudaEventSynchronize_v3020');
                """
                + call(100, 1, 1000, 11, 3)
                + kernel(100, 0, 7, 2000, 40_000, 11)
                + call(100, 1, 1200, 12, 30)
                + call(100, 1, 1400, 13, 31)
                + call(100, 1, 1600, 14, 3)
                + kernel(100, 0, 13, 42_900, 500, 14)
                + call(100, 1, 1800, 15, 3)
                + kernel(100, 0, 7, 43_000, 9000, 15)
                + call(100, 1, 2000, 16, 30)
                + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (2200, 53000, " + thread(100) + ", 17, 32);"
                + "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 7, 12, " + global(100) + ", 4, "
                + (numbered ? 501 : "NULL") + "), (0, 7, 16, " + global(100) + ", 4, " + (numbered ? 502 : "NULL")
                + ");"
                + "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1400, 1500, 0, 13, 13, " + global(100)
                + ", 2, 4, " + (numbered ? 501 : "NULL") + "), (2200, 52990, 0, 4294967295, 17, " + global(100)
                + ", 1, 4, " + (numbered ? 502 : "NULL") + ");";
    }

    @Test
    void waitsAreJoinedWithWhatRecordedTheirEventsByItsOwnNumber() throws Exception {
        Trace trace = read(events(true)).getFirst();
        SyncDetails waits = Objects.requireNonNull(trace.view(SyncDetails.KEY));

        assertThat(waits.size()).isEqualTo(2);
        assertThat(waits.stream(0)).isEqualTo(7);
        assertThat(waits.record(0, 13)).isEqualTo(12);
        assertThat(waits.record(1, 17)).isEqualTo(16);
        assertThat(edges()).contains("wait 1", "sync 1").noneMatch(edge -> edge.startsWith("inferred"));
    }

    /** Handles alone would join the wait with the wrong recording. */
    @Test
    void handlesOfEventsJoinNothing() throws Exception {
        Trace trace = read(events(false)).getFirst();

        assertThat(trace.view(SyncDetails.KEY)).isNull();
        assertThat(edges()).contains("inferred 1").noneMatch(edge -> edge.startsWith("wait"));
    }

    /** Kinds of edges of the export that was read last, and how many there are. */
    private List<String> edges() throws IOException {
        try (Lockstep lockstep = Lockstep.open(new Lockstep.Options(1, false))) {
            Table edges = lockstep.read(folder.resolve("x.sqlite")).rank(0).table("dependency_quality");
            List<String> found = new ArrayList<>();
            for (int row = 0; row < edges.rows(); row++) {
                found.add(edges.strings(0).get(row) + " " + edges.longs(1).get(row));
            }
            return found;
        }
    }

    @Test
    void callsAreJoinedWithWhatTheyLaunch() throws Exception {
        Trace trace = read(process(100, 0)).getFirst();
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(LaunchRule.CORRELATION));

        assertThat(trace.name(links.launchOf(slice(trace, SliceKind.KERNEL)))).isEqualTo("cudaLaunchKernel");
        assertThat(trace.name(links.launchOf(slice(trace, SliceKind.MEMCPY)))).isEqualTo("cudaMemcpyAsync");
        assertThat(links.launchOf(slice(trace, SliceKind.MEMSET))).isEqualTo(-1);
    }

    @Test
    void eachProcessIsARankInOrderOfItsDevice() throws Exception {
        List<Trace> traces = read(process(200, 0) + process(100, 1) + nvtx(100, 1, 2, 59, "of 100"));

        assertThat(traces).hasSize(2);
        assertThat(traces)
                .extracting(t -> t.info().rank())
                .containsExactly(new Rank(0, Rank.Origin.ORDER), new Rank(1, Rank.Origin.ORDER));
        assertThat(dump(traces.get(0))).hasSize(5).allMatch(line -> line.contains(" 200/") || line.contains(" 0/7"));
        assertThat(dump(traces.get(1))).hasSize(6).contains("ANNOTATION of 100 1+1 100/1");
    }

    @Test
    void devicesOfOneProcessAreRanksWithTheirOwnLaunches() throws Exception {
        List<Trace> traces = read(kernel(100, 0, 2000, 11)
                + kernel(100, 1, 2000, 12)
                + call(100, 1, 1000, 11, 3)
                + call(100, 2, 1000, 12, 7)
                + nvtx(100, 900, 1900, 59, "first thread"));

        assertThat(traces).hasSize(2);
        assertThat(dump(traces.get(0)))
                .containsExactlyInAnyOrder(
                        "KERNEL void gemm<float>(int) 2000+500 0/7",
                        "RUNTIME_CALL cudaLaunchKernel 1000+100 100/1",
                        "CPU_OP first thread 900+1000 100/1");
        assertThat(dump(traces.get(1)))
                .containsExactlyInAnyOrder(
                        "KERNEL void gemm<float>(int) 2000+500 1/7", "DRIVER_CALL cuLaunchKernel 1000+100 100/2");
    }

    @Test
    void rowsThatCannotBeAreLeftOutAndCounted() throws Exception {
        Trace trace = read(process(100, 0)
                        + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 1;"
                        + nvtx(100, 5, 4, 59, "backwards")
                        + "INSERT INTO NVTX_EVENTS VALUES (9, NULL, 59, 'open', NULL, " + thread(100) + ");")
                .getFirst();

        assertThat(dump(trace)).noneMatch(line -> line.startsWith("KERNEL") || line.startsWith("ANNOTATION"));
        assertThat(trace.diagnostics().problems())
                .extracting(e -> e.code() + " " + e.count())
                .contains("negative_duration 2");
    }

    @Test
    void rowsWithSomethingElseForANumberAreLeftOutAndCounted() throws Exception {
        Trace trace = read(process(100, 0)
                        + kernel(100, 0, 4000, 21).replace("(4000,", "('12abc',")
                        + kernel(100, 0, 4000, 22).replace(", 4500,", ", X'0102',")
                        + kernel(100, 0, 4000, 23).replace("(4000,", "('4000',")
                        + "ALTER TABLE NVTX_EVENTS RENAME COLUMN start TO old; ALTER TABLE NVTX_EVENTS ADD start TEXT;"
                        + nvtx(100, 5, 9, 59, "as digits")
                                .replace("NVTX_EVENTS", NVTX)
                                .replace("(5,", "('5',")
                        + nvtx(100, 5, 9, 34, "as words")
                                .replace("NVTX_EVENTS", NVTX)
                                .replace("(5,", "('five',"))
                .getFirst();

        assertThat(dump(trace))
                .contains("KERNEL void gemm<float>(int) 4000+500 0/7", "ANNOTATION as digits 5+4 100/1")
                .hasSize(7);
        assertThat(trace.marks().size()).isZero();
        assertThat(codes(trace)).containsExactly("row_damaged 3");
    }

    private static final String NVTX = "NVTX_EVENTS (start, end, eventType, text, textId, globalTid)";

    @Test
    void timesThatCannotBeAreLeftOutAndCounted() throws Exception {
        Trace trace = read(process(100, 0)
                        + kernel(100, 0, 7, (1L << 62) - 100, 200, 21)
                        + kernel(100, 0, 7, 1L << 62, 200, 22)
                        + nvtx(100, -8, 9, 59, "before all")
                        + "INSERT INTO NVTX_EVENTS VALUES (NULL, 9000, 34, 'mark', NULL, " + thread(100) + ");"
                        + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, globalPid) VALUES (1000, " + global(100)
                        + "); UPDATE TARGET_INFO_SESSION_START_TIME SET utcEpochNs = 9223372036854775807;")
                .getFirst();

        assertThat(dump(trace)).hasSize(5);
        assertThat(trace.marks().size()).isZero();
        assertThat(trace.info().originNs()).isZero();
        assertThat(codes(trace))
                .containsExactlyInAnyOrder("ts_invalid 2", "ts_missing 2", "negative_duration 1", "metadata_invalid 1");
    }

    @Test
    void whatNamesNoDeviceBesideOthersIsCounted() throws Exception {
        List<Trace> traces = read(process(100, 0)
                + kernel(100, -1, 4000, 21)
                + kernel(100, -1, 5000, 22)
                + call(100, 1, 3000, 21, 3)
                + kernel(300, 1, 4000, 31).replace(", 1, 7,", ", 4294967296, 7,")
                + nvtx(200, 5, 9, 59, "loader")
                + nvtx(200, 7, 6, 59, "backwards"));

        assertThat(traces).singleElement().satisfies(trace -> {
            assertThat(dump(trace)).hasSize(6).contains("RUNTIME_CALL cudaLaunchKernel 3000+100 100/1");
            assertThat(codes(trace)).containsExactlyInAnyOrder("device_missing 3", "negative_duration 1");
            assertThat(trace.diagnostics().observations())
                    .extracting(e -> e.code() + " " + e.count())
                    .contains("process_without_device 1");
        });
    }

    @Test
    void kernelsThatNameNoProcessBelongToTheOnlyOne() throws Exception {
        Trace trace = read(process(100, 0)
                        + nvtx(100, 900, 1900, 59, "step")
                        + "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN globalPid;")
                .getFirst();

        assertThat(dump(trace)).hasSize(6).contains("CPU_OP step 900+1000 100/1");
    }

    @Test
    void rangesAroundWaitsAloneAreNoOperators() throws Exception {
        Trace trace = read(process(100, 0) + """
                        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER,
                          streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER);
                        """
                        + "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (4200, 4300, 0, 7, 13, "
                        + global(100) + ", 3);"
                        + call(100, 1, 4200, 13, 3)
                        + nvtx(100, 4100, 4400, 59, "waiting"))
                .getFirst();

        assertThat(dump(trace)).contains("ANNOTATION waiting 4100+300 100/1");
    }

    @Test
    void textsThatAreMissingHaveNamesOfTheirKinds() throws Exception {
        Trace trace = read("CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);"
                        + "INSERT INTO OSRT_API VALUES (3000, 3900, " + thread(100) + ", 99);"
                        + kernel(100, 0, 2000, 11).replace(", 1, 2, 32,", ", 99, 99, 32,")
                        + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (5000, 5040, 0, 7, 12, " + global(100)
                        + ", 64, 6, 3, 2);")
                .getFirst();

        assertThat(dump(trace))
                .containsExactlyInAnyOrder(
                        "KERNEL unknown_kernel 2000+500 0/7",
                        "HOST_OTHER unknown_call 3000+900 100/1",
                        "MEMCPY Memcpy AtoD (Array -> Device) 5000+40 0/7");
        assertThat(trace.diagnostics().observations()).anySatisfy(missing -> {
            assertThat(missing.code()).isEqualTo("name_missing");
            assertThat(missing.count()).isEqualTo(2);
        });
    }

    @Test
    void rangesAndCallsWhoseNamesAreMissingStay() throws Exception {
        Trace trace = read(process(100, 0)
                        + "INSERT INTO NVTX_EVENTS VALUES (500, 3000, 59, NULL, 99, " + thread(100) + "),"
                        + " (500, 600, 59, NULL, NULL, " + thread(100) + "), (500, NULL, 75, NULL, NULL, 0);"
                        + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (4000, 4100, " + thread(100) + ", 99, 99);")
                .getFirst();

        assertThat(dump(trace))
                .contains("RUNTIME_CALL unknown_call 4000+100 100/1", "ANNOTATION unknown_range 500+100 100/1")
                .anyMatch(line -> line.endsWith("unknown_range 500+2500 100/1"));
        assertThat(trace.diagnostics().observations()).anySatisfy(missing -> {
            assertThat(missing.code()).isEqualTo("name_missing");
            assertThat(missing.count()).isEqualTo(3);
        });
    }

    @Test
    void metricsMayBeFractionsButNoTexts() throws Exception {
        Trace trace = read(process(100, 0) + """
                        CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value);
                        CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);
                        INSERT INTO TARGET_INFO_GPU_METRICS VALUES (0, 1, 'SMs Active [%]');
                        INSERT INTO GPU_METRICS VALUES (2000, 0, 1, 2.5), (2300, 0, 1, 'x'), (2400, 0, 1, NULL);
                        """).getFirst();
        assertThat(counters(trace).rows()).singleElement().satisfies(row -> {
            assertThat(row.values().count()).isEqualTo(1);
            assertThat(row.values().max()).isEqualTo(2.5);
        });
        assertThat(trace.diagnostics().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("metric_unusable");
            assertThat(problem.count()).isEqualTo(2);
        });
    }

    @Test
    void textsWithoutNumbersNameNothing() throws Exception {
        Trace trace = read(process(100, 0)
                        + "DROP TABLE StringIds; CREATE TABLE StringIds (value TEXT);"
                        + nvtx(100, 500, 3000, 59, "step"))
                .getFirst();
        assertThat(dump(trace)).contains("KERNEL unknown_kernel 2000+500 0/7");
    }

    @Test
    void metricsOfADeviceThatVeryManyShareGoToTheFirst() throws Exception {
        StringBuilder rows = new StringBuilder("""
                CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
                CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, metricId INTEGER, metricName TEXT);
                INSERT INTO TARGET_INFO_GPU_METRICS VALUES (83886087, 1, 'SMs Active [%]');
                """);
        rows.append(metric(7, 1, 2_000, 90));
        for (int process = 1; process <= 65; process++) {
            rows.append(kernel(process, 0, 2000, 11));
        }

        List<Trace> traces = read(rows.toString());

        assertThat(traces.get(63).marks().size()).isEqualTo(1);
        assertThat(traces.get(64).marks().size()).isZero();
        assertThat(traces.getFirst().diagnostics().observations())
                .extracting(e -> e.code())
                .contains("metric_ranks");
    }

    private static List<String> codes(Trace trace) {
        return trace.diagnostics().problems().stream()
                .map(e -> e.code() + " " + e.count())
                .toList();
    }

    @Test
    void anExportStatesTheVersionOfItsTables() throws Exception {
        Trace trace = read(process(100, 0) + """
                        CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
                        INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.16.1');
                        """).getFirst();

        assertThat(trace.info().metadata()).containsEntry("nsys_schema", "\"3.16.1\"");
    }

    @Test
    void payloadsWhoseTypeIsNoNumberAreLeftOutAndCounted() throws Exception {
        Trace trace = read(process(100, 0) + """
                        CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER, name TEXT, type INTEGER,
                          offset INTEGER);
                        INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (3, 7, 'Rank', 5, 8), (3, 7, 'Peer rank', 'GPU', 12);
                        """).getFirst();

        assertThat(codes(trace)).containsExactly("row_damaged 1");
    }

    @Test
    void anExportUnderAnotherEndingSaysHowToExportItAgain() {
        String view =
                "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start;";

        assertThatThrownBy(() -> read("x.db", view))
                .isInstanceOf(TraceFormatException.class)
                .satisfies(e -> assertThat(((TraceFormatException) e).hint()).contains("nsys export"));
    }

    @Test
    void anExportWithoutDevicesIsReadForItsHost() throws Exception {
        Trace trace = read("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE CUPTI_ACTIVITY_KIND_MEMCPY;"
                        + "DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET; DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME;"
                        + nvtx(100, 5, 9, 59, "alone"))
                .getFirst();

        assertThat(dump(trace)).containsExactly("ANNOTATION alone 5+4 100/1");
    }

    @Test
    void numbersOfRanksComeFromNamesOfFiles() throws Exception {
        assertThat(read("run_rank3.sqlite", process(100, 0)).getFirst().info().rank())
                .isEqualTo(new Rank(3, Rank.Origin.PATH));
        assertThat(read("profile_4711_2_11.sqlite", process(100, 0))
                        .getFirst()
                        .info()
                        .rank())
                .isEqualTo(new Rank(11, Rank.Origin.PATH));
    }

    @Test
    void otherDatabasesAreRefused() throws Exception {
        Path file = folder.resolve("other.sqlite");
        execute(file, "CREATE TABLE t (x INTEGER);");

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("StringIds")
                .hasMessageContaining("other.sqlite");
    }

    @Test
    void whatComputesRowsInPlaceOfATableIsRefused() throws Exception {
        String kernels = "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE ";
        String endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS start FROM r;";

        assertThatThrownBy(() -> read("view.sqlite", kernels + "VIEW cupti_activity_kind_KERNEL AS " + endless))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("view.sqlite")
                .hasMessageContaining("expected a table CUPTI_ACTIVITY_KIND_KERNEL, found a view");
        assertThatThrownBy(() -> read(
                        "virtual.sqlite",
                        kernels + "VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING rtree(id, start, end);"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("found a virtual table");
    }

    @Test
    void triggersAndComputedColumnsAreNotRun() throws Exception {
        Trace trace = read(process(100, 0)
                        + "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN contextId AS (abs(-9223372036854775808));"
                        + "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN DELETE FROM PROCESSES; END;")
                .getFirst();

        assertThat(dump(trace)).anyMatch(line -> line.startsWith("KERNEL"));
    }

    @Test
    void pagesThatHoldOneAnotherEnd() throws Exception {
        Path file = folder.resolve("forged.sqlite");
        String many = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 20000)"
                + " INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end) SELECT x, x + 1 FROM r;";
        execute(file, "PRAGMA page_size = 512;" + TABLES + many);
        Files.write(file, forged(Files.readAllBytes(file)));

        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("forged.sqlite")
                .hasMessageContaining("more rows than");
    }

    /** Every page of the largest table's tree that has children has the same next page as each of them: 16 levels. */
    private static byte[] forged(byte[] file) {
        int page = 512;
        ByteBuffer bytes = ByteBuffer.wrap(file);
        List<Integer> inner = new ArrayList<>();
        int leaf = 0;
        for (int at = page; at < file.length; at += page) {
            if (file[at] == 5) {
                inner.add(at);
            } else if (file[at] == 13) {
                leaf = at;
            }
        }
        for (int i = 0; i < Math.min(16, inner.size()); i++) {
            int at = inner.get(i);
            int next = (i + 1 < Math.min(16, inner.size()) ? inner.get(i + 1) : leaf) / page + 1;
            bytes.putInt(at + 8, next);
            for (int cell = 0; cell < bytes.getShort(at + 3); cell++) {
                bytes.putInt(at + bytes.getShort(at + 12 + 2 * cell), next);
            }
        }
        return file;
    }

    @Test
    void everyCutOfAFileIsNoticed() throws Exception {
        Path file = folder.resolve("whole.sqlite");
        execute(file, TABLES + process(100, 0));
        byte[] bytes = Files.readAllBytes(file);
        for (int length = 100; length < bytes.length; length += 4096 / 2 + 37) {
            Path cut = Files.write(folder.resolve("cut.sqlite"), Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> read(cut))
                    .as("%d of %d bytes", length, bytes.length)
                    .isInstanceOf(TraceFormatException.class)
                    .hasMessageContaining("cut.sqlite");
        }
    }

    private static String process(int pid, int device) {
        return kernel(pid, device, 2000, 11)
                + call(pid, 1, 1000, 11, 3)
                + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1200, 1250, " + thread(pid) + ", 12, 4);"
                + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (2600, 2640, " + device + ", 7, 12, " + global(pid)
                + ", 4096, 1, 1, 2);"
                + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (2700, 2710, " + device + ", 7, 0, " + global(pid)
                + ", 64, 2);"
                + "INSERT INTO PROCESSES VALUES (" + global(pid) + ", " + pid + ", 'python3');"
                + "INSERT INTO ThreadNames VALUES (5, 1, " + thread(pid) + ");";
    }

    private static String kernel(int pid, int device, long start, int correlation) {
        return kernel(pid, device, 7, start, 500, correlation);
    }

    private static String kernel(int pid, int device, int stream, long start, long duration, int correlation) {
        return "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + start + ", " + (start + duration) + ", " + device
                + ", " + stream + ", " + correlation + ", " + global(pid)
                + ", 1, 2, 32, 4, 2, 1, 128, 1, 1, 512, 1024);";
    }

    private static String call(int pid, int tid, long start, int correlation, int name) {
        return "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + start + ", " + (start + 100) + ", "
                + (global(pid) + tid) + ", " + correlation + ", " + name + ");";
    }

    private static String nvtx(int pid, long start, long end, int type, String text) {
        return "INSERT INTO NVTX_EVENTS VALUES (" + start + ", " + end + ", " + type + ", '" + text + "', NULL, "
                + thread(pid) + ");";
    }

    private static long global(int pid) {
        return 1L << 56 | (long) pid << 24;
    }

    private static long thread(int pid) {
        return global(pid) + 1;
    }

    private List<Trace> read(String statements) throws Exception {
        return read("x.sqlite", statements);
    }

    private List<Trace> read(String name, String statements) throws Exception {
        Path file = folder.resolve(name);
        execute(file, TABLES + statements);
        return read(file);
    }

    private static List<Trace> read(Path file) throws IOException {
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {});
        }
    }

    private static void execute(Path file, String statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(statements);
        }
    }

    private static int slice(Trace trace, SliceKind kind) {
        for (int i = 0; i < trace.slices().size(); i++) {
            if (trace.slices().kind(i) == kind) {
                return i;
            }
        }
        throw new AssertionError("no " + kind);
    }

    private static List<String> dump(Trace trace) {
        Slices slices = trace.slices();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < slices.size(); i++) {
            var track = trace.tracks().get(slices.track(i));
            lines.add(slices.kind(i) + " " + trace.name(i) + " " + slices.ts(i) + "+" + slices.dur(i) + " "
                    + track.process() + "/" + track.thread());
        }
        return lines;
    }
}
