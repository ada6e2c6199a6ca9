// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A sweep of 256 and 512 threads with 28 and 56 channels, two ranks each, that is worked out by hand in the README of the
 * golden cases. In each of two steps a product runs alone, another one beside an all-reduce whose length is all that the
 * configurations differ in, and a last kernel after it.
 */
public final class SmallSweep {
    private static final long US = 1_000;
    private static final long STEP = 1_000;

    private SmallSweep() {}

    /** Writes all traces. */
    public static void write(Path folder) throws IOException {
        configuration(folder.resolve("256thread/nccl_28channels"), 400);
        configuration(folder.resolve("256thread/nccl_56channels"), 300);
        configuration(folder.resolve("512thread/nccl_28channels"), 350);
        configuration(folder.resolve("512thread/nccl_56channels"), 320);
    }

    /** The traces of a configuration whose all-reduces take this many µs. */
    public static void configuration(Path folder, long allReduce) throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            Path file = folder.resolve("torch_profiler/rank" + rank + "/trace.json");
            Files.createDirectories(file.getParent());
            String document = TestTraces.document(rank(rank, allReduce).toString());
            Files.writeString(
                    file,
                    document.replaceFirst(
                            "\\{",
                            "{\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + rank
                                    + ", \"world_size\": 2},\n"));
        }
    }

    private static EventText rank(int rank, long allReduce) {
        EventText events = new EventText();
        for (int step = 0; step < 2; step++) {
            long start = step * STEP;
            long id = 10 * step;
            long end = start + 200 + allReduce;
            events.annotation("ProfilerStep#" + (step + 7), start * US, STEP * US);
            product(events, start + 10, start + 50, 100, id + 1);
            product(events, start + 30, start + 250, 130 + 10 * rank, id + 2);
            allReduce(events, start + 60, start + 200 + 20 * rank, end, id + 3, step);
            events.op("aten::relu", (start + 70) * US, 10 * US)
                    .launch("relu_kernel", (start + 72) * US, (end + 100) * US, 20 * US, id + 4, 7);
        }
        return events;
    }

    private static void product(EventText events, long host, long start, long duration, long id) {
        events.op(
                        "aten::mm",
                        host * US,
                        15 * US,
                        "\"Input Dims\": [[1024, 1024], [1024, 1024]], \"Input type\": [\"c10::BFloat16\","
                                + " \"c10::BFloat16\"], \"Input Strides\": [[1024, 1], [1024, 1]]")
                .launch("gemm_bf16", (host + 2) * US, start * US, duration * US, id, 7);
    }

    private static void allReduce(EventText events, long host, long start, long end, long id, int sequence) {
        events.op("c10d::allreduce_", host * US, 5 * US)
                .call("cudaLaunchKernel", (host + 1) * US, US, id)
                .arrow(id, (host + 1) * US, start * US, 20)
                .device(
                        "kernel",
                        "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
                        start * US,
                        (end - start) * US,
                        id,
                        20,
                        "\"Collective name\": \"allreduce\", \"Process Group Name\": \"0\", \"Process Group Ranks\":"
                                + " \"[0, 1]\", \"Group size\": 2, \"dtype\": \"BFloat16\", \"In msg nelems\": 5000000,"
                                + " \"Out msg nelems\": 5000000, \"Seq\": "
                                + sequence);
    }
}
