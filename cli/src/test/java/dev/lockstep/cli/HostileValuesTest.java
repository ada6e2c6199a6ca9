// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.codec.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that are valid JSON but larger than libraries expect, in every place of a trace. */
class HostileValuesTest {
    private static final String EVENTS = """
        {"schemaVersion": 1, "distributedInfo": {"rank": 0, "world_size": 2, "backend": VALUE}, "NAME": VALUE,
         "deviceProperties": [{"id": 0, "name": "D", "NAME": VALUE}], "traceEvents": [
         {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python", "NAME": VALUE}},
         {"ph": "b", "cat": "a", "id": "0x1", "name": "as", "pid": 1, "tid": 2, "ts": 1, "NAME": VALUE},
         {"ph": "e", "cat": "a", "id": "0x1", "name": "as", "pid": 1, "tid": 2, "ts": 5, "NAME": VALUE},
         {"ph": "b", "cat": "a", "id": VALUE, "name": "as", "pid": 1, "tid": 2, "ts": 1},
         {"ph": "e", "cat": "a", "id": VALUE, "name": "as", "pid": 1, "tid": 2, "ts": 5},
         {"ph": "C", "name": "c", "pid": 1, "tid": 2, "ts": 2, "args": {"NAME": VALUE, "v": 1}},
         {"ph": "i", "s": "t", "name": "mark", "pid": 1, "tid": 2, "ts": 3, "args": {"NAME": VALUE}},
         {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 10, "dur": 9,
          "args": {"External id": 7, "Input Dims": [[4, 4], VALUE], "Input type": ["float", "float"],
                   "Concrete Inputs": ["", "VALUE"], "NAME": VALUE}},
         {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 11, "dur": 2,
          "args": {"External id": 7, "correlation": 3, "NAME": VALUE}},
         {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": 15, "dur": 5,
          "args": {"External id": 7, "correlation": 3, "stream": 7, "device": 0, "In msg nelems": VALUE,
                   "Process Group Ranks": VALUE, "NAME": VALUE}},
         {"ph": "X", "cat": "cuda_profiler_range", "name": "r", "pid": 0, "tid": 7, "ts": 30, "dur": 5,
          "args": {"NAME": VALUE}}
        ]}
        """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private static String value(String kind) {
        return switch (kind) {
            case "deep" -> "[".repeat(5_000) + "]".repeat(5_000);
            case "deep object" -> "{\"a\":".repeat(5_000) + "1" + "}".repeat(5_000);
            case "long number" -> "9".repeat(5_000);
            case "long fraction" -> "0." + "1".repeat(5_000) + "e7";
            case "exponent" -> "1e999999999";
            default -> "7";
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"deep", "deep object", "long number", "long fraction", "exponent", "long name"})
    void largeValuesGoThroughEveryCommand(String kind) throws IOException {
        Path trace = folder.resolve("rank0_trace.json");
        String name = kind.equals("long name") ? "n".repeat(60_000) : "n";
        Files.writeString(trace, EVENTS.replace("NAME", name).replace("VALUE", value(kind)));

        for (List<?> line : List.of(
                List.of("info", "--json", trace),
                List.of("report", trace, "-o", folder.resolve("report"), "--json", folder.resolve("report.json")),
                List.of("report", trace, "--compat", "tracelens", "-o", folder.resolve("tracelens")),
                List.of("report", trace, "--compat", "hta", "-o", folder.resolve("hta")),
                List.of(
                        "report",
                        trace,
                        "--json",
                        folder.resolve("o.json"),
                        "--overlay",
                        folder.resolve("overlay.json")),
                List.of("collectives", trace, trace, "-o", folder.resolve("collectives")),
                List.of("merge", trace, "-o", folder.resolve("merged.json")),
                List.of("merge", trace, "-o", folder.resolve("merged.pftrace")),
                List.of("merge", folder.resolve("merged.pftrace"), "-o", folder.resolve("again.json")),
                List.of("report", folder.resolve("merged.json"), "--json", folder.resolve("m1.json")),
                List.of("report", folder.resolve("merged.pftrace"), "--json", folder.resolve("m2.json")),
                List.of("split", trace, "-o", folder.resolve("split")),
                List.of("diff", trace, trace, "-o", folder.resolve("diff")),
                List.of("kernels", "extract", trace, "-o", folder.resolve("kernels")),
                List.of("kernels", "extract", trace, "--compat", "piep", "-o", folder.resolve("piep")),
                List.of(
                        "kernels",
                        "extract",
                        folder.resolve("piep/kernel_launch_params_gpu0.jsonl"),
                        "-o",
                        folder.resolve("again")),
                List.of("kernels", "gantt", trace, "--compat", "piep", "-o", folder.resolve("gantt")),
                List.of("replay", "plan", trace, "-o", folder.resolve("plan.json")),
                List.of("memory", trace, "-o", folder.resolve("memory")),
                List.of("aiu", "-i", trace, "-o", folder.resolve("aiu.json")))) {
            int status = TestProgram.run(out, err, line.toArray());
            assertThat(status).as("%s: %s", line, head(err.toString())).isNotEqualTo(ExitStatus.BUG);
            assertThat(err.toString()).doesNotContain("\tat ", "java.lang.", "com.fasterxml");
        }
        for (String written : List.of("merged.json", "again.json", "aiu.json", "report.json")) {
            assertThat(isJson(folder.resolve(written))).as(written).isTrue();
        }
    }

    /** Numbers in names are not those of any machine. */
    @Test
    void numbersInNamesMayHaveAnyNumberOfDigits() throws IOException {
        String names = "Cijk_MT@x@x@ gemm_bf16_@x@_ void|cutlass3x_gemm_@x@x@_ nvjet_tst_@x@_@x1 hcom_allReduce__@_@_@"
                + " BLOCK_SIZE_M_@_BLOCK_SIZE_N_@_BLOCK_SIZE_K_@_triton"
                + " execute_@_context_@(sq@sk@sqsq@sqsk@)_generation_@(sq@sk@sqsq@sqsk@)"
                + " execute_context_@(@)_generation_@(@) step[EXTEND|bs=@|toks=@] decode[bs=@] execute_diffusion_@_@x@"
                + " ProfilerStep#@ iteration|@ paged_decode.py(@):|qk_norm_rope_H@_D@_RD@ Memcpy|@ SenRdmaSend_@_[@B]"
                + " AIU|@ _ZN@4gemmE nccl:all_reduce_@ [sync=g_s@_r@_] aten::mm_@ autograd::engine::evaluate_function:|@"
                + " nn.Module:|Linear_@";
        StringBuilder events = new StringBuilder();
        int at = 0;
        for (String name : names.split(" ")) {
            for (String category : List.of("kernel", "cpu_op", "cuda_runtime", "user_annotation", "python_function")) {
                String text = name.replace('|', ' ').replace("@", "9".repeat(19 + at % 30));
                events.append("{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + text + "\", \"pid\": "
                        + (category.equals("kernel") ? 0 : 1) + ", \"tid\": 7, \"ts\": " + 10 * at++ + ", \"dur\": 9,"
                        + " \"args\": {\"stream\": 7, \"device\": 0, \"correlation\": " + at % 8
                        + ", \"External id\": " + at % 8 + ", \"Python id\": " + at + "}},\n");
            }
        }
        Path trace = folder.resolve("rank0_trace.json");
        Files.writeString(
                trace,
                "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0}], \"traceEvents\": [" + events
                        + "{\"ph\": \"i\"}]}");

        for (List<?> line : List.of(
                List.of("info", trace),
                List.of("report", trace, "-o", folder.resolve("report"), "--inference", "--detect-recompute"),
                List.of("report", trace, "-o", folder.resolve("t"), "--compat", "tracelens", "--inference"),
                List.of("report", trace, "-o", folder.resolve("h"), "--compat", "hta", "--group-by-module"),
                List.of("collectives", trace, "-o", folder.resolve("collectives")),
                List.of("split", trace, "-o", folder.resolve("split")),
                List.of("diff", trace, trace, "-o", folder.resolve("diff")),
                List.of("kernels", "extract", trace, "-o", folder.resolve("kernels")),
                List.of("kernels", "extract", trace, "--compat", "piep", "-o", folder.resolve("piep")),
                List.of("replay", "plan", trace, "-o", folder.resolve("plan.json")),
                List.of("merge", trace, "-o", folder.resolve("m.pftrace"), "--filter", "step=1..2"),
                List.of("aiu", "-i", trace, "-o", folder.resolve("aiu.json"), "--flow", "-S"))) {
            int status = TestProgram.run(out, err, line.toArray());
            assertThat(status).as("%s: %s", line, head(err.toString())).isNotIn(ExitStatus.BUG, ExitStatus.USAGE);
        }
    }

    /** A limit that a library keeps may not come with a place. */
    @Test
    void costsWithANameOfAnyLengthAreRefused() throws IOException {
        Path costs = folder.resolve("costs.json");
        Files.writeString(costs, "{\"" + "n".repeat(60_000) + "\": 1}");

        assertThat(TestProgram.run(out, err, "goal", "-i", folder, "-o", folder.resolve("g"), "-s", costs, "-l", costs))
                .isIn(ExitStatus.UNREADABLE, ExitStatus.NOTHING);
    }

    private static String head(String text) {
        return text.substring(0, Math.min(300, text.length()));
    }

    private static boolean isJson(Path file) throws IOException {
        if (!Files.exists(file)) {
            return true;
        }
        try (JsonParser parser = Json.UNLIMITED.createParser(Files.readAllBytes(file))) {
            JsonToken last = parser.nextToken();
            while (parser.nextToken() != null) {
                last = parser.currentToken();
            }
            return last == JsonToken.END_OBJECT;
        }
    }
}
