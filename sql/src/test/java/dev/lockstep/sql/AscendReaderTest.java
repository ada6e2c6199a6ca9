// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Flows;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AscendReaderTest {
    private static final String HOST = "1000";

    private static final List<String> TABLES = List.of(
            "STRING_IDS (id INTEGER, value TEXT)",
            "TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,"
                    + " globalPid INTEGER, taskType INTEGER, streamId INTEGER)",
            "COMPUTE_TASK_INFO (name INTEGER, globalTaskId INTEGER)",
            "COMMUNICATION_TASK_INFO (globalTaskId INTEGER, taskType INTEGER, planeId INTEGER, opId INTEGER)",
            "COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, groupName INTEGER,"
                    + " opId INTEGER, dataType INTEGER, count NUMERIC)",
            "CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER)",
            "PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER, name INTEGER,"
                    + " sequenceNumber INTEGER, inputDtypes INTEGER, inputShapes INTEGER, type INTEGER)",
            "CONNECTION_IDS (id INTEGER, connectionId INTEGER)",
            "ENUM_HCCL_DATA_TYPE (id INTEGER, name TEXT)",
            "RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER)",
            "OP_MEMORY (size INTEGER, deviceId INTEGER, allocationTime INTEGER, allocationTotalAllocated INTEGER,"
                    + " releaseTime INTEGER)",
            "META_DATA (name TEXT, value TEXT)",
            "NPU_INFO (id INTEGER, name TEXT)");

    /** Two operators and their backward, a kernel, a copy, and a collective of two tasks. */
    private static final List<String> ROWS = List.of(
            "STRING_IDS VALUES (1, 'MatMul_7'), (2, 'KERNEL_AICORE'), (3, 'MEMCPY_ASYNC'), (4, 'NOTIFY_WAIT'),"
                    + " (5, 'hcom_allReduce__538_0_1'), (6, 'Notify_Wait'), (7, 'Memcpy'), (8, 'launch'),"
                    + " (9, 'aclrtMemcpyAsync'), (10, 'aten::mm'), (11, 'MmBackward0'), (12, 'Enqueue'),"
                    + " (13, 'Dequeue@MatMul'), (14, 'float;' || char(13, 10) || 'float'),"
                    + " (15, '4,8;' || char(13, 10) || '8,2'), (16, 'ProfilerStep#3'), (17, 'EVENT_WAIT')",
            "TASK VALUES (5000, 9000, 1, 70, 1, 1000, 2, 2), (9500, 9900, 1, 71, 2, 1000, 3, 2),"
                    + " (10000, 10500, 1, 72, 3, 1000, 4, 5), (10500, 11000, 1, 72, 4, 1000, 3, 5),"
                    + " (11500, 11510, 1, 4294967295, 5, 1000, 17, 2)",
            "COMPUTE_TASK_INFO VALUES (1, 1)",
            "COMMUNICATION_TASK_INFO VALUES (3, 6, 0, 1), (4, 7, 0, 1)",
            "COMMUNICATION_OP VALUES (5, 10000, 11000, 72, 99, 1, 4, 4096)",
            "CANN_API VALUES (2000, 2500, 10000, 1000 << 32 | 11, 70, 8), (3000, 3100, 20000, 1000 << 32 | 11, 71, 9),"
                    + " (3200, 3300, 10000, 1000 << 32 | 11, 72, 8)",
            "PYTORCH_API VALUES ('900', '4000', 1000 << 32 | 10, NULL, 16, -1, NULL, NULL, 50001),"
                    + " ('1000', '2000', 1000 << 32 | 10, 0, 10, 7, 14, 15, 50001),"
                    + " ('1100', '1200', 1000 << 32 | 10, 1, 12, NULL, NULL, NULL, 50002),"
                    + " ('1900', '2600', 1000 << 32 | 11, 1, 13, NULL, NULL, NULL, 50002),"
                    + " ('3000', '3500', 1000 << 32 | 12, 2, 11, -1, NULL, NULL, 50001)",
            "CONNECTION_IDS VALUES (0, 70), (0, 500), (1, 600), (2, 500)",
            "ENUM_HCCL_DATA_TYPE VALUES (4, 'FP32')",
            "RANK_DEVICE_MAP VALUES (3, 1)",
            "META_DATA VALUES ('SCHEMA_VERSION', '1.0.0')",
            "NPU_INFO VALUES (1, 'Ascend910B')",
            "OP_MEMORY VALUES (512, 1, 1500, 2048, 3600), (64, 1, 1600, 2112, NULL)");

    @TempDir
    private Path folder = Path.of("");

    private static void execute(Path file, List<String> statements) throws IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.executeUpdate(sql);
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private static Trace read(Path file) throws IOException {
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {}).getFirst();
        }
    }

    private Trace database() throws IOException {
        Path file = folder.resolve("ascend_pytorch_profiler_3.db");
        List<String> statements = new ArrayList<>();
        TABLES.forEach(table -> statements.add("CREATE TABLE " + table));
        ROWS.forEach(rows -> statements.add("INSERT INTO " + rows));
        execute(file, statements);
        return read(file);
    }

    private static String slice(String process, int thread, String name, String span, String rest) {
        return "{\"ph\":\"X\",\"pid\":" + process + ",\"tid\":" + thread + ",\"name\":\"" + name + "\"," + span + rest
                + "}";
    }

    private static String span(String ts, String dur) {
        return "\"ts\":\"" + ts + "\",\"dur\":" + dur;
    }

    private static String named(String process, int thread, String name) {
        return "{\"ph\":\"M\",\"pid\":" + process + ",\"tid\":" + thread
                + ",\"name\":\"thread_name\",\"args\":{\"name\":\"" + name + "\"}}";
    }

    private static String called(String process, String name) {
        return "{\"ph\":\"M\",\"pid\":" + process + ",\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"" + name
                + "\"}}";
    }

    private static String joined(int connection) {
        return ",\"args\":{\"connection_id\":" + connection + "}";
    }

    private static String arrow(String phase, String category, int id, String process, int thread, String ts) {
        return "{\"ph\":\"" + phase + "\",\"cat\":\"" + category + "\",\"id\":" + id + ",\"pid\":" + process
                + ",\"tid\":" + thread + ",\"ts\":\"" + ts + "\",\"name\":\"a\"}";
    }

    /** What the profiler's own export in JSON says of the same facts. */
    private Trace view() throws IOException {
        String cann = Integer.toString(1000 * 1024 + 7 * 32 + 1);
        String hardware = Integer.toString(1000 * 1024 + 13 * 32 + 1);
        String hccl = Integer.toString(1000 * 1024 + 15 * 32 + 1);
        List<String> events = List.of(
                called(HOST, "Python"),
                called(cann, "CANN"),
                called(hardware, "Ascend Hardware"),
                called(hccl, "HCCL"),
                named(hardware, 2, "Stream 2"),
                named(hardware, 5, "Stream 5"),
                named(hccl, 0, "Group 0 Communication"),
                named(hccl, 1, "Plane 0"),
                slice(hardware, 2, "MatMul_7", span("5", "4"), joined(70)),
                slice(hardware, 2, "MEMCPY_ASYNC", span("9.5", "0.4"), joined(71)),
                slice(hardware, 5, "NOTIFY_WAIT", span("10", "0.5"), joined(72)),
                slice(hardware, 5, "MEMCPY_ASYNC", span("10.5", "0.5"), joined(72)),
                slice(hardware, 2, "EVENT_WAIT", span("11.5", "0.01"), joined(-1)),
                slice(
                        hccl,
                        0,
                        "hcom_allReduce__538_0_1",
                        span("10", "1"),
                        ",\"args\":{\"connection_id\":72,\"data_type\":\"FP32\",\"count\":4096}"),
                slice(hccl, 1, "Notify_Wait", span("10", "0.5"), ""),
                slice(hccl, 1, "Memcpy", span("10.5", "0.5"), ""),
                slice(cann, 11, "Node@launch", span("2", "0.5"), joined(70)),
                slice(cann, 11, "AscendCL@aclrtMemcpyAsync", span("3", "0.1"), joined(71)),
                slice(cann, 11, "Node@launch", span("3.2", "0.1"), joined(72)),
                slice(
                        HOST,
                        10,
                        "ProfilerStep#3",
                        span("0.9", "3.1"),
                        ",\"cat\":\"cpu_op\",\"args\":{\"Sequence number\":-1}"),
                slice(
                        HOST,
                        10,
                        "aten::mm",
                        span("1", "1"),
                        ",\"cat\":\"cpu_op\",\"args\":{\"Sequence number\":7,\"Input Dims\":\"4,8;\\r\\n8,2\","
                                + "\"Input type\":\"float;\\r\\nfloat\"}"),
                slice(
                        HOST,
                        10,
                        "Enqueue",
                        span("1.1", "0.1"),
                        ",\"cat\":\"enqueue\",\"args\":{\"correlation_id\":600}"),
                slice(
                        HOST,
                        11,
                        "Dequeue@MatMul",
                        span("1.9", "0.7"),
                        ",\"cat\":\"dequeue\",\"args\":{\"correlation_id\":600}"),
                slice(
                        HOST,
                        12,
                        "MmBackward0",
                        span("3", "0.5"),
                        ",\"cat\":\"cpu_op\",\"args\":{\"Sequence number\":-1}"),
                arrow("s", "async_npu", 70, HOST, 10, "1"),
                arrow("f", "async_npu", 70, hardware, 2, "5"),
                arrow("s", "fwdbwd", 500, HOST, 10, "1"),
                arrow("f", "fwdbwd", 500, HOST, 12, "3"),
                arrow("s", "async_task_queue", 600, HOST, 10, "1.1"),
                arrow("f", "async_task_queue", 600, HOST, 11, "1.9"));
        return read(Files.writeString(folder.resolve("trace_view.json"), "[" + String.join(",\n", events) + "]"));
    }

    private static List<String> slices(Trace trace) {
        DeviceDetails devices = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        CollectiveDetails collectives = Objects.requireNonNull(trace.view(CollectiveDetails.KEY));
        OpDetails operators = Objects.requireNonNull(trace.view(OpDetails.KEY));
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            Track track = trace.tracks().get(trace.slices().track(i));
            int device = devices.of(i);
            int collective = collectives.of(i);
            int operator = operators.of(i);
            slices.add(trace.slices().kind(i) + " " + trace.name(i) + " " + track.process() + "/" + track.thread() + " "
                    + trace.slices().ts(i) + "+" + trace.slices().dur(i) + " #"
                    + trace.slices().correlation(i)
                    + (device < 0 ? "" : " on " + devices.device(device) + "/" + devices.stream(device))
                    + (collective < 0
                            ? ""
                            : " " + text(trace, collectives.collective(collective)) + " "
                                    + collectives.inElements(collective) + " "
                                    + text(trace, collectives.dtype(collective)) + " of "
                                    + text(trace, collectives.groupName(collective)))
                    + (operator < 0
                            ? ""
                            : " " + text(trace, operators.inputDims(operator)) + " "
                                    + text(trace, operators.inputTypes(operator)) + " "
                                    + operators.sequence(operator)));
        }
        return slices;
    }

    private static String text(Trace trace, int id) {
        return id < 0 ? "-" : trace.strings().get(id);
    }

    private static List<String> arrows(Trace trace) {
        Flows flows = trace.flows();
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            Track track = trace.tracks().get(flows.track(i));
            ends.add(trace.strings().get(flows.category(i)) + flows.id(i) + flows.phase(i) + " " + flows.ts(i) + " "
                    + track.process() + "/" + track.thread());
        }
        ends.sort(String::compareTo);
        return ends;
    }

    @Test
    void aDatabaseSaysWhatTheViewOfItsRecordingSays() throws IOException {
        Trace database = database();
        Trace view = view();

        assertThat(slices(database)).containsExactlyElementsOf(slices(view));
        assertThat(arrows(database)).isEqualTo(arrows(view));
    }

    @Test
    void rowsWhoseTimesAreNoNumbersAreLeftOutAndCounted() throws IOException {
        database();
        Path file = folder.resolve("ascend_pytorch_profiler_3.db");
        execute(
                file,
                List.of(
                        "UPDATE PYTORCH_API SET endNs = 'x' WHERE name = 10",
                        "UPDATE TASK SET endNs = 1 WHERE globalTaskId = 1"));

        assertThat(read(file).diagnostics().problems().toString())
                .contains("negative_duration")
                .contains("count=2");
    }

    @Test
    void whatTheViewLacksIsReadToo() throws IOException {
        Trace trace = database();

        assertThat(trace.info().rank()).isEqualTo(new Rank(3, Rank.Origin.TRACE));
        assertThat(trace.info().devices().toString()).contains("Ascend910B");
        assertThat(trace.info().metadata()).containsEntry("ascend_schema", "\"1.0.0\"");
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));
        List<Long> bytes = new ArrayList<>();
        for (int row = 0; row < memory.size(); row++) {
            bytes.add(memory.bytes(row));
        }
        assertThat(bytes).containsExactlyInAnyOrder(512L, -512L, 64L);
    }
}
