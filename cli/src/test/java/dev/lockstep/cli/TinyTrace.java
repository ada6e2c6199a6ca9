// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Random;

/**
 * Sound traces of a handful of events that have little to do with each other: kernels of no time, calls without kernels, steps
 * without work, all at one moment. The same seed makes the same trace.
 */
final class TinyTrace {
    private static final int MOST_EVENTS = 7;

    private static final List<String> KERNELS = List.of(
            "ampere_sgemm_128x64_nn",
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL()",
            "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t",
            "void at::native::vectorized_elementwise_kernel<4>",
            "flash_fwd_kernel",
            "");

    private static final List<String> CALLS = List.of(
            "cudaLaunchKernel",
            "hipLaunchKernel",
            "cudaMemcpyAsync",
            "cudaStreamSynchronize",
            "cudaDeviceSynchronize",
            "cudaGraphLaunch",
            "cudaEventSynchronize",
            "cudaMalloc");

    private static final List<String> COPIES = List.of(
            "Memcpy HtoD (Pageable -> Device)", "Memcpy DtoD (Device -> Device)", "Memcpy DtoH (Device -> Pinned)");

    private static final List<String> OPERATORS =
            List.of("aten::mm", "aten::add", "autograd::engine::evaluate_function: MmBackward0", "record_param_comms");

    private final Random random;
    private final StringBuilder json = new StringBuilder();

    private TinyTrace(long seed) {
        random = new Random(seed);
    }

    static byte[] bytes(long seed) {
        return new TinyTrace(seed).trace().getBytes(UTF_8);
    }

    private String trace() {
        json.append("{\"schemaVersion\":1");
        if (random.nextBoolean()) {
            json.append(",\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":")
                    .append(random.nextInt(3))
                    .append(",\"world_size\":2}");
        }
        if (random.nextInt(3) > 0) {
            json.append(",\"deviceProperties\":[{\"id\":0,\"name\":\"")
                    .append(one("NVIDIA H100 80GB HBM3", "AMD Instinct MI300X", "x"))
                    .append("\"}]");
        }
        json.append(",\"traceEvents\":[");
        int events = 1 + random.nextInt(MOST_EVENTS);
        for (int i = 0; i < events; i++) {
            json.append(i == 0 ? "\n" : ",\n");
            event();
        }
        return json.append("\n]}\n").toString();
    }

    private void event() {
        switch (random.nextInt(11)) {
            case 0, 1, 2 -> device("kernel", one(KERNELS));
            case 3 -> device(random.nextBoolean() ? "gpu_memcpy" : "gpu_memset", one(COPIES));
            case 4, 5 -> slice("cuda_runtime", one(CALLS), "\"correlation\":" + correlation());
            case 6 -> slice("cpu_op", one(OPERATORS), operator());
            case 7 ->
                slice("user_annotation", one("ProfilerStep#" + random.nextInt(3), "forward", "nccl:all_reduce"), "");
            case 8 ->
                slice(
                        "cuda_sync",
                        one("Stream Wait Event", "Context Sync"),
                        "\"stream\":7,\"correlation\":" + correlation()
                                + ",\"wait_on_stream\":20,\"wait_on_cuda_event_record_corr_id\":" + correlation());
            case 9 ->
                slice(
                        "python_function",
                        one("nn.Module: Linear_0", "train.py(1): step"),
                        "\"Python id\":" + random.nextInt(3) + ",\"Python parent id\":" + random.nextInt(3));
            default -> moment();
        }
    }

    private void device(String category, String name) {
        String collective = name.startsWith("nccl") && random.nextBoolean()
                ? ",\"Collective name\":\"allreduce\",\"In msg nelems\":" + random.nextInt(2) * 1024
                        + ",\"Out msg nelems\":1024,\"Group size\":2,\"dtype\":\"Float\",\"Process Group Name\":\"0\",\"Process Group Ranks\":\"[0, 1]\""
                : "";
        slice(
                category,
                name,
                "\"device\":0,\"stream\":" + one("7", "20", "0") + ",\"correlation\":" + correlation() + ",\"bytes\":"
                        + random.nextInt(2) * 4096 + collective);
    }

    private String operator() {
        return "\"External id\":" + random.nextInt(3) + ",\"Sequence number\":" + random.nextInt(2)
                + (random.nextBoolean()
                        ? ",\"Input Dims\":[[2, 3], [3, " + random.nextInt(2)
                                + "]],\"Input type\":[\"float\",\"float\"]"
                        : "");
    }

    private void slice(String category, String name, String arguments) {
        json.append("{\"ph\":\"X\",\"cat\":\"")
                .append(category)
                .append("\",\"name\":\"")
                .append(name)
                .append("\",\"pid\":")
                .append(random.nextInt(2))
                .append(",\"tid\":")
                .append(random.nextInt(2) * 7)
                .append(",\"ts\":")
                .append(time())
                .append(",\"dur\":")
                .append(time())
                .append(",\"args\":{")
                .append(arguments)
                .append("}}");
    }

    private void moment() {
        switch (random.nextInt(3)) {
            case 0 ->
                json.append(
                                "{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":0,\"tid\":0,\"s\":\"t\",\"ts\":")
                        .append(time())
                        .append(",\"args\":{\"Device Type\":1,\"Device Id\":0,\"Addr\":1,\"Bytes\":")
                        .append(one("512", "-512", "0"))
                        .append(",\"Total Allocated\":")
                        .append(random.nextInt(2) * 512)
                        .append(",\"Total Reserved\":512}}");
            case 1 ->
                json.append("{\"ph\":\"C\",\"name\":\"Queue Length\",\"pid\":0,\"ts\":")
                        .append(time())
                        .append(",\"args\":{\"stream 7\":")
                        .append(random.nextInt(2))
                        .append("}}");
            default ->
                json.append("{\"ph\":\"")
                        .append(one("s", "f"))
                        .append("\",\"cat\":\"")
                        .append(one("ac2g", "fwdbwd"))
                        .append("\",\"name\":\"ac2g\",\"id\":")
                        .append(correlation())
                        .append(",\"pid\":0,\"tid\":0,\"ts\":")
                        .append(time())
                        .append(",\"bp\":\"e\"}");
        }
    }

    /** Often nothing, seldom much. */
    private String time() {
        return one("0", "0", "1", "0.001", "10", String.valueOf(random.nextInt(100)), "1000000");
    }

    private int correlation() {
        return random.nextInt(3);
    }

    private String one(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }
}
