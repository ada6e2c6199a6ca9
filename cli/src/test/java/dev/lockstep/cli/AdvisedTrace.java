// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.derive.RecordingTool;
import dev.lockstep.testkit.XlaRecording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The same work on two streams as each recorder writes it, with everything that there is to record but what is left out. */
final class AdvisedTrace {
    /** What recorders can be told to record. */
    enum Part {
        HOST,
        WAITS,
        STEPS,
        DEVICES,
        /** All work of devices, not a part of it. */
        LOST
    }

    private static final int STEPS = 8;
    private static final long STEP_US = 1_000;

    private final RecordingTool tool;
    private final Set<Part> parts = EnumSet.allOf(Part.class);

    AdvisedTrace(RecordingTool tool) {
        this.tool = tool;
    }

    AdvisedTrace without(Part part) {
        parts.remove(part);
        return this;
    }

    private boolean has(Part part) {
        return parts.contains(part);
    }

    /** Work that a call launches; times in µs. */
    private record Work(String name, int stream, int number, long called, long start, long dur) {}

    private List<Work> work() {
        List<Work> all = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            long at = 100 + step * STEP_US;
            all.add(new Work("gemm", 7, 10 * step + 1, at + 20, at + 60, 300));
            all.add(new Work("softmax", 20, 10 * step + 4, at + 45, at + 380, 200));
        }
        return all;
    }

    private boolean isRecorded(Work work) {
        return has(Part.DEVICES) && (has(Part.LOST) || work.number % 20 != 4);
    }

    Path write(Path folder) throws IOException, SQLException {
        return switch (tool) {
            case NSYS -> nsys(folder.resolve("trace.sqlite"));
            case ROCPROF -> Files.writeString(folder.resolve("a_results.json"), rocprof());
            case XLA -> Files.write(folder.resolve("host.xplane.pb"), xla());
            case TORCH, TORCH_ELSEWHERE, OTHER -> Files.writeString(folder.resolve("trace.json"), chrome());
        };
    }

    // ---- JSON of Chrome's format ----

    private String chrome() {
        boolean other = tool == RecordingTool.OTHER;
        String runtime = other ? "hip_runtime_api" : "cuda_runtime";
        String prefix = tool == RecordingTool.TORCH ? "cuda" : "hip";
        List<String> events = new ArrayList<>();
        if (has(Part.HOST)) {
            for (int step = 0; step < STEPS; step++) {
                long at = 100 + step * STEP_US;
                if (has(Part.STEPS)) {
                    events.add(event(
                            other ? "marker_api" : "user_annotation",
                            other ? "step" : "ProfilerStep#" + step,
                            1,
                            1,
                            at - 20,
                            STEP_US,
                            ""));
                }
                if (!other) {
                    events.add(event("python_function", "train.py(3): step", 1, 1, at - 10, STEP_US - 40, ""));
                    events.add(event(
                            "cpu_op",
                            "aten::mm",
                            1,
                            1,
                            at,
                            80,
                            "\"Input Dims\": [[64, 64], [64, 64]], \"Input type\": [\"float\", \"float\"]"));
                }
                if (has(Part.WAITS) && tool == RecordingTool.TORCH) {
                    int record = 10 * step + 2;
                    events.add(event(runtime, "cudaEventRecord", 1, 1, at + 30, 3, "\"correlation\": " + record));
                    events.add(event(
                            runtime, "cudaStreamWaitEvent", 1, 1, at + 36, 3, "\"correlation\": " + (record + 1)));
                    events.add(event(
                            "cuda_sync",
                            "Stream Wait Event",
                            0,
                            20,
                            at + 36,
                            0,
                            "\"stream\": 20, \"device\": 0, \"correlation\": " + (record + 1)
                                    + ", \"wait_on_stream\": 7, \"wait_on_cuda_event_record_corr_id\": " + record));
                }
            }
            for (Work one : work()) {
                events.add(
                        event(runtime, prefix + "LaunchKernel", 1, 1, one.called, 5, "\"correlation\": " + one.number));
            }
        }
        for (Work one : work()) {
            if (isRecorded(one)) {
                events.add(event(
                        other ? "kernel_dispatch" : "kernel",
                        one.name,
                        0,
                        one.stream,
                        one.start,
                        one.dur,
                        "\"device\": 0, \"stream\": " + one.stream + ", \"correlation\": " + one.number));
            }
        }
        String facts = other
                ? ""
                : "\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \""
                        + (tool == RecordingTool.TORCH ? "NVIDIA H100" : "AMD Instinct MI300X") + "\"}], ";
        return "{" + facts + "\"traceEvents\": [\n" + String.join(",\n", events) + "\n]}\n";
    }

    private static String event(String category, String name, int process, int thread, long ts, long dur, String args) {
        return String.format(
                Locale.ROOT,
                "{\"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d, \"ts\": %d, \"dur\": %d, \"args\": {%s}}",
                category,
                name,
                process,
                thread,
                ts,
                dur,
                args);
    }

    // ---- XLA ----

    private byte[] xla() {
        String gpu = "/device:GPU:0";
        String cpu = "/host:CPU";
        long us = 1_000_000; // ps
        XlaRecording recording = new XlaRecording().plane(0, gpu, Map.of("device_vendor", "Nvidia"));
        recording.line(gpu, 7, "Stream #7(Compute)", 0).line(gpu, 20, "Stream #20(Compute)", 0);
        recording.plane(0, cpu, Map.of()).line(cpu, 1, "python3", 0);
        for (Work one : work()) {
            Map<String, Object> launch = Map.of("correlation_id", (long) one.number);
            if (isRecorded(one)) {
                recording.event(gpu, one.stream, one.name, one.start * us, one.dur * us, launch);
            }
            if (has(Part.HOST)) {
                recording.event(cpu, 1, "cudaLaunchKernel", one.called * us, 5 * us, launch);
            }
        }
        for (long step = 0; step < STEPS && has(Part.HOST) && has(Part.STEPS); step++) {
            recording.event(
                    cpu, 1, "train", (80 + step * STEP_US) * us, STEP_US * us, Map.of("step_num", step, "_r", 1L));
        }
        return recording.xplane();
    }

    // ---- rocprofv3 ----

    private String rocprof() {
        List<String> dispatches = new ArrayList<>();
        List<String> calls = new ArrayList<>();
        List<String> markers = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (Work one : work()) {
            String correlation =
                    "\"correlation_id\": {\"internal\": " + one.number + ", \"external\": 0}, \"thread_id\": 1";
            if (isRecorded(one)) {
                dispatches.add(
                        "{\"size\": 184, \"kind\": 1, \"operation\": 1, " + correlation + times(one.start, one.dur)
                                + ", \"dispatch_info\": {\"agent_id\": {\"handle\": 12}, \"queue_id\": {\"handle\": 1}, \"kernel_id\": "
                                + (one.stream == 7 ? 1 : 2)
                                + ", \"dispatch_id\": 1, \"workgroup_size\": {\"x\": 64, \"y\": 1, \"z\": 1}, \"grid_size\": {\"x\": 64, \"y\": 1, \"z\": 1}}, \"stream_id\": {\"handle\": "
                                + one.stream + "}}");
            }
            if (has(Part.HOST)) {
                calls.add("{\"size\": 64, \"kind\": 2, \"operation\": 0, " + correlation + times(one.called, 5) + "}");
            }
        }
        for (int step = 0; step < STEPS && has(Part.HOST) && has(Part.STEPS); step++) {
            int number = 1_000 + step;
            texts.add("{\"key\": " + number + ", \"value\": \"step\"}");
            markers.add("{\"size\": 64, \"kind\": 3, \"operation\": 0, \"correlation_id\": {\"internal\": " + number
                    + ", \"external\": 0}, \"thread_id\": 1" + times(80 + step * STEP_US, STEP_US) + "}");
        }
        return "{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 1, \"init_time\": 0, \"fini_time\": 9000000000}, \"agents\": [{\"id\": {\"handle\": 12}, \"type\": 2, \"logical_node_type_id\": 0, \"product_name\": \"MI300X\"}], \"strings\": {\"marker_api\": ["
                + String.join(", ", texts)
                + "], \"buffer_records\": [{\"kind\": \"NONE\", \"operations\": []}, {\"kind\": \"KERNEL_DISPATCH\", \"operations\": [\"NONE\", \"COMPLETE\"]}, {\"kind\": \"HIP_RUNTIME_API\", \"operations\": [\"hipLaunchKernel\"]}, {\"kind\": \"MARKER_CORE_API\", \"operations\": [\"roctxRangePushA\"]}]}, \"kernel_symbols\": [{\"kernel_id\": 1, \"formatted_kernel_name\": \"gemm\"}, {\"kernel_id\": 2, \"formatted_kernel_name\": \"softmax\"}], \"buffer_records\": {\"kernel_dispatch\": ["
                + String.join(", ", dispatches) + "], \"hip_api\": [" + String.join(", ", calls)
                + "], \"marker_api\": ["
                + String.join(", ", markers) + "]}}]}";
    }

    private static String times(long us, long dur) {
        return ", \"start_timestamp\": " + us * 1_000 + ", \"end_timestamp\": " + (us + dur) * 1_000;
    }

    // ---- Nsight Systems ----

    private Path nsys(Path file) throws SQLException {
        long process = 1L << 24;
        long thread = process + 1;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement sql = connection.createStatement()) {
            connection.setAutoCommit(false);
            sql.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
            sql.executeUpdate("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'gemm'), (3, 'softmax'),"
                    + " (4, 'cudaEventRecord_v3020'), (5, 'cudaStreamWaitEvent_v3020'), (6, 'poll')");
            sql.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,"
                    + " correlationId INTEGER, nameId INTEGER)");
            if (has(Part.DEVICES)) {
                sql.executeUpdate(
                        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
                                + " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER)");
            }
            sql.executeUpdate("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,"
                    + " globalTid INTEGER)");
            sql.executeUpdate("CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER)");
            sql.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, streamId INTEGER,"
                    + " correlationId INTEGER, globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER)");
            sql.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId"
                    + " INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId"
                    + " INTEGER, eventSyncId INTEGER)");
            for (Work one : work()) {
                if (has(Part.HOST)) {
                    sql.executeUpdate("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + one.called * 1_000 + ", "
                            + (one.called + 5) * 1_000 + ", " + thread + ", " + one.number + ", 1)");
                }
                if (isRecorded(one)) {
                    sql.executeUpdate("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + one.start * 1_000 + ", "
                            + (one.start + one.dur) * 1_000 + ", 0, " + one.stream + ", " + one.number + ", " + process
                            + ", " + (one.stream == 7 ? 2 : 3) + ")");
                }
            }
            for (int step = 0; step < STEPS && has(Part.HOST); step++) {
                long at = (100 + step * STEP_US) * 1_000;
                int record = 10 * step + 2;
                if (has(Part.STEPS)) {
                    sql.executeUpdate("INSERT INTO NVTX_EVENTS VALUES (" + (at - 20_000) + ", "
                            + (at - 20_000 + STEP_US * 1_000) + ", 59, 'step', " + thread + ")");
                }
                sql.executeUpdate("INSERT INTO OSRT_API VALUES (" + (at + 600_000) + ", " + (at + 900_000) + ", "
                        + thread + ", 6)");
                if (has(Part.WAITS)) {
                    sql.executeUpdate(
                            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + (at + 30_000) + ", " + (at + 33_000)
                                    + ", " + thread + ", " + record + ", 4), (" + (at + 36_000) + ", " + (at + 39_000)
                                    + ", " + thread
                                    + ", " + (record + 1) + ", 5)");
                    sql.executeUpdate("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 7, " + record + ", "
                            + process + ", 4, " + (500 + step) + ")");
                    sql.executeUpdate("INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (" + (at + 36_000) + ", "
                            + (at + 36_100) + ", 0, 20, " + (record + 1) + ", " + process + ", 2, 4, " + (500 + step)
                            + ")");
                }
            }
            connection.commit();
        }
        return file;
    }
}
