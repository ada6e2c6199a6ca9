// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What surrounds the events in a trace: the job's description before them, names of processes and threads after them. */
final class KinetoEnvelope {
    /** Nanoseconds since 1970 at which the clock of a run begins. */
    static final long BASE_TIME = 1_767_189_312_000_000_000L;

    private static final List<Lane> LANES = List.of(Lane.values());

    private KinetoEnvelope() {}

    static String head(TraceRecipe recipe, RankPlace place) {
        TraceRecipe.Recording recording = recipe.recording();
        boolean cuda = recipe.vendor() == Vendor.CUDA;
        StringBuilder text = new StringBuilder("{\n  \"schemaVersion\": 1,\n");
        if (!recording.omits(Omission.DEVICE_PROPERTIES)) {
            text.append("  \"deviceProperties\": [\n")
                    .append(IntStream.range(0, recipe.cluster().gpusPerNode())
                            .mapToObj(device -> device(recipe.vendor(), device))
                            .collect(Collectors.joining(",\n")))
                    .append("\n  ],\n");
        }
        text.append(
                cuda
                        ? "  \"cupti_version\": 26,\n  \"cuda_runtime_version\": 12080,\n  \"cuda_driver_version\": 12080,\n"
                        : "  \"roctracer_version\": 4.1,\n  \"hip_runtime_version\": 60443483,\n  \"hip_driver_version\": 60443483,\n");
        if (!recording.omits(Omission.DISTRIBUTED_INFO)) {
            text.append("  \"distributedInfo\": ")
                    .append(distributed(recipe, place))
                    .append(",\n");
        }
        if (!recording.omits(Omission.SHAPES)) {
            text.append("  \"record_shapes\": 1,\n");
        }
        if (recording.pythonStacks()) {
            text.append("  \"with_stack\": 1,\n");
        }
        if (recording.memory() != null) {
            text.append("  \"profile_memory\": 1,\n");
        }
        SplitMix random = new SplitMix(recipe.seed(), 8_000_000_000L + place.rank());
        HexFormat hex = HexFormat.of().withUpperCase();
        return text.append("  \"trace_id\": \"")
                .append(hex.toHexDigits(random.next()))
                .append(hex.toHexDigits(random.next()))
                .append("\",\n  \"traceEvents\": [\n")
                .toString();
    }

    private static String device(Vendor vendor, int id) {
        return vendor == Vendor.CUDA
                ? "    {\n      \"id\": " + id + ", \"name\": \"" + vendor.deviceName()
                        + "\", \"totalGlobalMem\": 85028765696,\n"
                        + "      \"computeMajor\": 9, \"computeMinor\": 0,\n"
                        + "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
                        + "      \"regsPerBlock\": 65536, \"warpSize\": 32,\n"
                        + "      \"sharedMemPerBlock\": 49152, \"numSms\": " + vendor.processors() + "\n"
                        + "    , \"regsPerMultiprocessor\": 65536, \"sharedMemPerBlockOptin\": 232448,"
                        + " \"sharedMemPerMultiprocessor\": 233472\n    }"
                : "    {\n      \"id\": " + id + ", \"name\": \"" + vendor.deviceName()
                        + "\", \"totalGlobalMem\": 206141652992,\n"
                        + "      \"computeMajor\": 9, \"computeMinor\": 4,\n"
                        + "      \"maxThreadsPerBlock\": 1024, \"maxThreadsPerMultiprocessor\": 2048,\n"
                        + "      \"regsPerBlock\": 65536, \"warpSize\": 64,\n"
                        + "      \"sharedMemPerBlock\": 65536, \"numSms\": " + vendor.processors() + "\n"
                        + "    , \"maxSharedMemoryPerMultiProcessor\": 65536\n    }";
    }

    private static String distributed(TraceRecipe recipe, RankPlace place) {
        String groups = place.groups().stream()
                .map(group -> "{\"pg_name\": \"" + group.name() + "\", \"pg_desc\": \""
                        + group.described(recipe.recording()) + "\", \"backend_config\": \"cuda:nccl\", \"pg_size\": "
                        + group.size() + ", \"ranks\": "
                        + group.ranks() + '}')
                .collect(Collectors.joining(", ", "[", "]"));
        return "{\"backend\": \"nccl\", \"rank\": " + place.rank() + ", \"world_size\": "
                + recipe.cluster().ranks() + ", \"pg_count\": " + place.groups().size() + ", \"pg_config\": " + groups
                + ", \"nccl_version\": \"" + (recipe.vendor() == Vendor.CUDA ? "2.26.2" : "2.22.3") + "\"}";
    }

    private static final String END = "\n    }\n  },\n";

    /** @param start and {@code duration} of the recording, nanoseconds as the rank's clock shows them */
    static String tail(TraceRecipe recipe, RankPlace place, String traceName, long start, long duration) {
        String at = micros(start);
        StringBuilder text = new StringBuilder();
        process(text, at, place.processId(), "CPU", place.processId());
        for (int device = 0; device < recipe.cluster().gpusPerNode(); device++) {
            process(text, at, device, "GPU " + device, 5_000_000 + device);
        }
        for (Lane lane : LANES) {
            if (used(lane, place)) {
                thread(text, at, place, lane);
            }
        }
        return text.append(
                        "  {\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": " + at + ", \"dur\": " + micros(duration)
                                + ",\n    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\",\n"
                                + "    \"name\": \"PyTorch Profiler (0)\",\n    \"args\": {\n      \"Op count\": 0\n    }\n  },\n")
                .append(
                        "  {\n    \"name\": \"process_sort_index\", \"ph\": \"M\", \"ts\": " + at
                                + ",\n    \"pid\": \"Spans\", \"tid\": 0,\n    \"args\": {\n      \"sort_index\": 536870912\n    }\n  },\n")
                .append("  {\n    \"name\": \"Iteration Start: PyTorch Profiler\", \"ph\": \"i\", \"s\": \"g\",\n"
                        + "    \"pid\": \"Traces\", \"tid\": \"Trace PyTorch Profiler\", \"ts\": " + at + "\n  },\n")
                .append("  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n"
                        + "    \"pid\": \"\", \"tid\": \"\", \"ts\": " + micros(start + duration) + "\n  }\n  ],\n")
                .append("  \"traceName\": \"" + traceName + "\",\n  \"displayTimeUnit\": \"ms\"")
                .append(
                        recipe.recording().omits(Omission.BASE_TIME)
                                ? "\n}\n"
                                : ",\n  \"baseTimeNanoseconds\": " + BASE_TIME + "\n}\n")
                .toString();
    }

    private static boolean used(Lane lane, RankPlace place) {
        return lane.isThread() || lane == Lane.COMPUTE || place.uses(lane);
    }

    private static void process(StringBuilder text, String at, int process, String label, int order) {
        named(text, "process_name", at, process, 0)
                .append("\"name\": \"python3\"")
                .append(END);
        named(text, "process_labels", at, process, 0)
                .append("\"labels\": \"" + label + '"')
                .append(END);
        named(text, "process_sort_index", at, process, 0)
                .append("\"sort_index\": " + order)
                .append(END);
    }

    private static void thread(StringBuilder text, String at, RankPlace place, Lane lane) {
        int id = place.threadOf(lane);
        String name = switch (lane) {
            case MAIN -> "thread " + id + " (python3)";
            case AUTOGRAD -> "thread " + id + " (pt_autograd_" + place.device() + ')';
            default -> "stream " + id + ' ';
        };
        named(text, "thread_name", at, place.processOf(lane), id)
                .append("\"name\": \"" + name + '"')
                .append(END);
        named(text, "thread_sort_index", at, place.processOf(lane), id)
                .append("\"sort_index\": " + id)
                .append(END);
    }

    /** Begins a metadata event; its argument and {@link #END} follow. */
    private static StringBuilder named(StringBuilder text, String name, String at, int process, int thread) {
        return text.append("  {\n    \"name\": \"" + name + "\", \"ph\": \"M\", \"ts\": " + at + ", \"pid\": " + process
                + ", \"tid\": " + thread + ",\n    \"args\": {\n      ");
    }

    private static String micros(long nanos) {
        String fraction = Long.toString(1000 + Math.floorMod(nanos, 1000L));
        return Math.floorDiv(nanos, 1000L) + "." + fraction.substring(1);
    }
}
