// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The trace of one rank of a run over gloo, as the profiler of PyTorch writes it. Confined to one thread. */
final class GlooEvents {
    /** Threads: by what they are added to the process's number. */
    static final int MAIN = 0;

    static final int AUTOGRAD = 96;
    static final int LIBRARY = 72;

    private static final int STREAM = 7;
    private static final long ORIGIN = 4_937_600_000_000_000L;
    private static final long BASE_TIME = 1_790_857_026_000_000_000L;

    private final GlooRecipe recipe;
    private final int rank;
    private final int process;
    private final long offset;
    private final StringBuilder text = new StringBuilder();
    private final TreeSet<Integer> threads = new TreeSet<>();
    private final TreeSet<Integer> streams = new TreeSet<>();
    private long number;
    private long correlation = 5_000;
    private long stepBegin;
    private int step;
    private long last;

    GlooEvents(GlooRecipe recipe, int rank) {
        this.recipe = recipe;
        this.rank = rank;
        process = 1_320 + rank;
        offset = new SplitMix(recipe.seed(), 7_000_000_000L + rank).symmetric(recipe.maxClockOffsetNanos());
    }

    /** What the rank's clock shows beyond the true time. */
    long offset() {
        return offset;
    }

    void openStep(int number, long at) {
        step = number;
        stepBegin = at;
    }

    void closeStep(long at) {
        annotation("ProfilerStep#" + step, MAIN, stepBegin, at);
    }

    void annotation(String name, int thread, long from, long to) {
        host("user_annotation", name, thread, from, to, "\"Record function id\": 0");
    }

    /** @param dims shapes of the inputs, null for none */
    void operator(String name, int thread, long from, long to, @Nullable String dims) {
        String shapes = dims == null ? "" : ", \"Input Dims\": " + dims;
        host("cpu_op", name, thread, from, to, "\"Record function id\": 0" + shapes);
    }

    /** An operator of the forward pass, or a node of the autograd engine, by the number that both have. */
    void numbered(String name, int thread, long from, long to, String dims, long sequence) {
        String numbers =
                "\"Sequence number\": " + sequence + ", \"Fwd thread id\": " + (name.contains("Backward") ? 1 : 0);
        host("cpu_op", name, thread, from, to, numbers + ", \"Record function id\": 0, \"Input Dims\": " + dims);
    }

    /** An operator that hands a bucket of gradients to the library. */
    void issue(int thread, long from, long to, long elements) {
        host(
                "cpu_op",
                "c10d::allreduce_",
                thread,
                from,
                to,
                "\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"\", \"\", \"\", \"True\", \"-1\"],"
                        + " \"Input type\": [\"TensorList\", \"\", \"\", \"\", \"Scalar\", \"Scalar\"],"
                        + " \"Input Strides\": [[[1]], [], [], [], [], []], \"Input Dims\": [[[" + elements
                        + "]], [], [], [], [], []]");
    }

    /** What a thread of the library does with a bucket. */
    void exchange(int thread, long from, long to, long elements) {
        host(
                "user_annotation",
                "gloo:all_reduce",
                thread,
                from,
                to,
                "\"Record function id\": 0, \"Concrete Inputs\": [\"\"], \"Input type\": [\"float\"],"
                        + " \"Input Strides\": [[1]], \"Input Dims\": [[" + elements + "]]");
    }

    private void host(String category, String name, int thread, long from, long to, String args) {
        threads.add(thread);
        event(
                category,
                name,
                process,
                process + thread,
                from,
                to,
                "\"External id\": " + (number + 1) + ", " + args + ", \"Ev Idx\": " + number);
        number++;
    }

    /** @param link correlation number, -1 for one of its own */
    void call(String name, int thread, long from, long to, long link) {
        threads.add(thread);
        long id = link < 0 ? correlation++ : link;
        event("cuda_runtime", name, process, process + thread, from, to, "\"cbid\": 131, \"correlation\": " + id);
    }

    void kernel(String operator, int thread, long launched, long from, long to) {
        long id = correlation++;
        call("cudaLaunchKernel", thread, launched, launched + 5_000, id);
        String name = "void at::native::" + operator.substring(operator.indexOf("::") + 2) + "_kernel<float>()";
        device("kernel", name, STREAM, from, to, id);
    }

    void copy(int thread, long launched, long from, long to, boolean toDevice, int bucket) {
        long id = correlation++;
        call("cudaMemcpyAsync", thread, launched, launched + 15_000, id);
        String name = toDevice ? "Memcpy HtoD (Pinned -> Device)" : "Memcpy DtoH (Device -> Pinned)";
        device("gpu_memcpy", name, 16 + 4 * (bucket % 8), from, to, id);
    }

    private void device(String category, String name, int stream, long from, long to, long id) {
        streams.add(stream);
        event(
                category,
                name,
                0,
                stream,
                from,
                to,
                "\"External id\": " + number + ", \"device\": 0, \"context\": 1, \"stream\": " + stream
                        + ", \"correlation\": " + id);
    }

    private void event(String category, String name, int pid, int tid, long from, long to, String args) {
        last = Math.max(last, to);
        text.append("  {\n    \"ph\": \"X\", \"cat\": \"").append(category).append("\", \"name\": \"");
        text.append(name)
                .append("\", \"pid\": ")
                .append(pid)
                .append(", \"tid\": ")
                .append(tid);
        text.append(",\n    \"ts\": ").append(micros(ORIGIN + offset + from)).append(", \"dur\": ");
        text.append(micros(to - from))
                .append(",\n    \"args\": {\n      ")
                .append(args)
                .append("\n    }\n  },\n");
    }

    private static String micros(long nanos) {
        return nanos / 1000 + "." + Long.toString(1000 + nanos % 1000).substring(1);
    }

    /** The whole trace. */
    byte[] bytes(String traceName) {
        StringBuilder all = new StringBuilder("{\n  \"schemaVersion\": 1,\n");
        if (recipe.onDevices()) {
            all.append("  \"deviceProperties\": [\n    {\"id\": 0, \"name\": \"NVIDIA H200\", \"totalGlobalMem\":"
                    + " 150109880320, \"computeMajor\": 9, \"computeMinor\": 0, \"numSms\": 132}\n  ],\n");
        }
        StringBuilder members = new StringBuilder();
        for (int r = 0; r < recipe.ranks(); r++) {
            members.append(r == 0 ? "" : ", ").append(r);
        }
        all.append("  \"record_shapes\": 1,\n  \"distributedInfo\": {\"backend\": \"gloo\", \"rank\": " + rank
                + ", \"world_size\": " + recipe.ranks() + ", \"pg_count\": 1, \"pg_config\": [{\"pg_name\": \"0\","
                + " \"pg_desc\": \"default_pg\", \"backend_config\": \"cpu:gloo,cuda:gloo\", \"pg_size\": "
                + recipe.ranks() + ", \"ranks\": [" + members + "]}]},\n  \"traceEvents\": [\n");
        all.append(text);
        String at = micros(ORIGIN + offset);
        name(all, at, "process_name", process, 0, "\"name\": \"python3\"");
        name(all, at, "process_labels", process, 0, "\"labels\": \"CPU\"");
        for (int thread : threads) {
            int id = process + thread;
            name(all, at, "thread_name", process, id, "\"name\": \"thread " + id + " (python3)\"");
        }
        for (int stream : streams) {
            name(all, at, "thread_name", 0, stream, "\"name\": \"stream " + stream + " \"");
        }
        all.append("  {\n    \"ph\": \"X\", \"cat\": \"Trace\", \"ts\": " + at + ", \"dur\": " + micros(last)
                + ",\n    \"pid\": \"Spans\", \"tid\": \"PyTorch Profiler\", \"name\": \"PyTorch Profiler (0)\",\n"
                + "    \"args\": {\n      \"Op count\": 0\n    }\n  },\n");
        all.append("  {\n    \"name\": \"Record Window End\", \"ph\": \"i\", \"s\": \"g\",\n    \"pid\": \"\","
                + " \"tid\": \"\", \"ts\": " + micros(ORIGIN + offset + last) + "\n  }\n  ],\n");
        all.append("  \"traceName\": \"" + traceName + "\",\n  \"displayTimeUnit\": \"ms\",\n"
                + "  \"baseTimeNanoseconds\": " + BASE_TIME + "\n}\n");
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void name(StringBuilder all, String at, String what, int pid, int tid, String args) {
        all.append("  {\n    \"name\": \"" + what + "\", \"ph\": \"M\", \"ts\": " + at + ", \"pid\": " + pid
                + ", \"tid\": " + tid + ",\n    \"args\": {\n      " + args + "\n    }\n  },\n");
    }
}
