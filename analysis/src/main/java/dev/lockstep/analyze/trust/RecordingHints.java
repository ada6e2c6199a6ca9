// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.model.TraceFormat;
import java.util.Map;

/** How to record what a trace lacks, by its format. */
final class RecordingHints {
    private static final String NSYS = "nsys-sqlite";

    private static final Map<String, String> DEVICES = Map.of(
            TraceFormat.KINETO.id(),
            "Record the device, too: ProfilerActivity.CUDA or XPU among the activities.",
            TraceFormat.ROCPROF.id(),
            "Record kernels and copies, too: rocprofv3 --kernel-trace --memory-copy-trace.",
            TraceFormat.PERFETTO.id(),
            "Record kernels and copies, too: with rocprofv3 --kernel-trace --memory-copy-trace.",
            NSYS,
            "Record the device, too: nsys profile --trace=cuda.");

    private static final Map<String, String> LOST = Map.of(
            TraceFormat.KINETO.id(),
            "Record fewer steps, and let no other profiler use the device.",
            NSYS,
            "Record a shorter time, and let no other profiler use the device.");

    private RecordingHints() {}

    /** How to record what devices do. */
    static String devices(String format) {
        return DEVICES.getOrDefault(format, "Record the device, too.");
    }

    /** How to keep a profiler from dropping events. */
    static String lost(String format) {
        return LOST.getOrDefault(format, "Record a shorter time, so that the profiler's buffers do not overflow.");
    }
}
