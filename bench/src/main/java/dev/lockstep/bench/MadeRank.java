// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.torch.TorchTraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a small trace of one rank, in nanoseconds, and reads it. */
final class MadeRank {
    private static final int LAUNCH = 1_000;
    private static final Row STEPS = new Row("user_annotation", 1, 1);
    private static final Row OPERATIONS = new Row("cpu_op", 1, 1);
    private static final Row LAUNCHES = new Row("cuda_runtime", 1, 1);
    private static final Row OTHER_LAUNCHES = new Row("cuda_runtime", 1, 2);

    private final StringBuilder events = new StringBuilder();
    private final int rank;
    private long correlation;
    private int steps;

    /** Where events of a category lie. */
    private record Row(String category, int pid, int tid) {}

    MadeRank(int rank) {
        this.rank = rank;
    }

    /** Number of steps so far. */
    int steps() {
        return steps;
    }

    void step(int number, long start, long end) {
        steps++;
        event(STEPS, "ProfilerStep#" + number, start, end - start, "");
    }

    /** A matrix multiplication whose kernel takes so long. */
    void multiply(long start, long duration) {
        multiply(0, start, duration);
    }

    /** The same of another shape. */
    void multiply(int shape, long start, long duration) {
        multiply(shape, start - 3 * LAUNCH, start, duration);
    }

    /** The same, whose operator begins on the host at a given time. */
    void multiply(int shape, long called, long start, long duration) {
        String dims =
                ", \"Input Dims\": [[128, 64], [64, " + 32 * (shape + 1) + "]], \"Input type\": [\"float\", \"float\"]";
        multiply(called, called + 2 * LAUNCH, dims, start, duration);
    }

    /** A multiplication whose operator launches at its end, at a given time. */
    void launch(long called, long launched, long start, long duration) {
        multiply(called, launched, "", start, duration);
    }

    private void multiply(long called, long launched, String dims, long start, long duration) {
        correlation++;
        event(OPERATIONS, "aten::mm", called, launched - called, "\"External id\": " + correlation + dims);
        event(LAUNCHES, "cudaLaunchKernel", launched - LAUNCH, LAUNCH, "\"correlation\": " + correlation);
        device("sgemm_128x64", 7, start, duration);
    }

    void communicate(long start, long duration) {
        communicate(OTHER_LAUNCHES, start - 2 * LAUNCH, start, duration);
    }

    /** A collective that the thread of the operators launches at a given time. */
    void communicate(long called, long start, long duration) {
        communicate(LAUNCHES, called, start, duration);
    }

    private void communicate(Row row, long called, long start, long duration) {
        correlation++;
        event(row, "cudaLaunchKernel", called, LAUNCH, "\"correlation\": " + correlation);
        device("ncclDevKernel_AllReduce_Sum_f32", 20, start, duration);
    }

    /** The host waits for the device. */
    void await(long from, long to) {
        correlation++;
        event(LAUNCHES, "cudaDeviceSynchronize", from, to - from, "\"correlation\": " + correlation);
    }

    private void device(String name, int stream, long start, long duration) {
        String args = "\"device\": 0, \"stream\": " + stream + ", \"correlation\": " + correlation
                + ", \"External id\": " + correlation;
        event(new Row("kernel", 0, stream), name, start, duration, args);
    }

    private void event(Row row, String name, long start, long duration, String args) {
        events.append(events.isEmpty() ? "" : ",\n")
                .append("{\"ph\": \"X\", \"cat\": \"")
                .append(row.category)
                .append("\", \"name\": \"")
                .append(name)
                .append("\", \"pid\": ")
                .append(row.pid)
                .append(", \"tid\": ")
                .append(row.tid)
                .append(", \"ts\": ")
                .append(micros(start))
                .append(", \"dur\": ")
                .append(micros(duration))
                .append(", \"args\": {")
                .append(args)
                .append("}}");
    }

    private static String micros(long ns) {
        return ns / 1000 + "." + String.valueOf(1000 + ns % 1000).substring(1);
    }

    /** @param scratch where the text of the trace may lie meanwhile */
    Trace trace(Path scratch) {
        String text = "{\"distributedInfo\": {\"rank\": " + rank + ", \"world_size\": 8}, \"traceEvents\": [\n" + events
                + "]}";
        Path file = scratch.resolve("rank" + rank + ".json");
        Diagnostics diagnostics = new Diagnostics();
        try {
            Files.writeString(file, text);
            TraceInput input = TraceInput.of(file);
            try (PrefixedSource content = input.open(diagnostics)) {
                return new TorchTraceReader()
                        .read(input, content, diagnostics, ReadOptions.sequential())
                        .getFirst();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
