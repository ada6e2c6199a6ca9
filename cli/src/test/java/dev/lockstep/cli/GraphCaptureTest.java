// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ranks whose graphs were captured in different operators, and a run to compare with. */
class GraphCaptureTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path captures;

    @BeforeEach
    void write() throws IOException {
        captures = Files.createDirectories(folder.resolve("captures"));
        for (int rank = 0; rank < 2; rank++) {
            capture(captures.resolve("capture_trace_rank_" + rank + ".json"), "own::of_rank_" + rank);
            Files.writeString(folder.resolve("profile_trace_rank_" + rank + ".json"), replay());
        }
    }

    private static void capture(Path file, String operator) throws IOException {
        Files.writeString(
                file,
                TestTraces.document(new EventText()
                        .annotation("capture_2_FULL", 0, 2_000)
                        .python("model.py(1): forward", 0, 2_000)
                        .call("hipStreamBeginCapture", 10, 5, 1)
                        .op(operator, 100, 100)
                        .complete("cuda_runtime", "hipLaunchKernel", "1", "1", 120, 10, "\"kernel\": \"multiply\"")
                        .call("hipStreamEndCapture", 900, 5, 2)
                        .toString()));
    }

    private static String replay() {
        return TestTraces.document(new EventText()
                .annotation("step[DECODE bs=2]", 0, 5_000)
                .call("hipGraphLaunch", 100, 50, 7)
                .kernel("multiply", 300, 1_000, 7, 3)
                .toString());
    }

    private String ops(String trace, Object... more) throws IOException {
        Path csv = folder.resolve("csv");
        Object[] args = new Object[more.length + 5];
        args[0] = "report";
        args[1] = folder.resolve(trace);
        args[2] = "--inference";
        args[3] = "--csv";
        args[4] = csv;
        System.arraycopy(more, 0, args, 5, more.length);
        assertThat(TestProgram.run(out, err, args)).as(err.toString()).isLessThanOrEqualTo(1);
        return Files.readString(csv.resolve("ops_summary.csv"));
    }

    @Test
    void aRankTakesItsOwnCaptures() throws IOException {
        assertThat(ops("profile_trace_rank_1.json", "--capture", captures))
                .contains("own::of_rank_1")
                .doesNotContain("own::of_rank_0");
        assertThat(err.toString()).doesNotContain("graph_");
    }

    @Test
    void thoseOfAnotherRankAreTakenWhereThereAreNone() throws IOException {
        Files.delete(captures.resolve("capture_trace_rank_1.json"));
        assertThat(ops("profile_trace_rank_1.json", "--capture", captures)).contains("own::of_rank_0");
        assertThat(err.toString()).contains("graph_capture_other_rank");
    }

    /** Files are named by whoever wrote the index: only those beside it are read. */
    @Test
    void namesInTheIndexLeadNowhereElse() throws IOException {
        StringBuilder index = new StringBuilder("[");
        for (String name :
                new String[] {"a\\u0000b.json", "..", "/", ".", "../profile_trace_rank_0.json", "/etc/passwd"}) {
            index.append("{\"file\": \"" + name + "\", \"batch_size\": 2, \"mode\": \"FULL\"}, ");
        }
        index.append("{\"file\": \"capture_trace_rank_0.json\", \"batch_size\": 2, \"mode\": \"FULL\"}]");
        Files.writeString(captures.resolve("execution_details.json"), index);
        assertThat(ops("profile_trace_rank_1.json", "--capture", captures)).contains("own::of_rank_0");
    }

    @Test
    void theRunToCompareWithHasCapturesOfItsOwn() throws IOException {
        ops(
                "profile_trace_rank_1.json",
                "--capture",
                captures,
                "--baseline",
                folder.resolve("profile_trace_rank_0.json"),
                "--baseline-capture",
                captures);
        assertThat(Files.readString(folder.resolve("csv").resolve("diff_ops.csv")))
                .contains("own::of_rank_0", "own::of_rank_1");
    }

    @Test
    void capturesOfTheOtherRunNeedTheOtherRun() {
        assertThat(TestProgram.run(
                        out,
                        err,
                        "report",
                        folder.resolve("profile_trace_rank_0.json"),
                        "-o",
                        folder.resolve("o"),
                        "--baseline-capture",
                        captures))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--baseline TRACE");
    }

    /** One call launches the kernels of all operators of a graph: each operator has its own, and can gain no more. */
    @Test
    void whatAnOperatorOfAGraphCouldGainIsItsOwn() throws IOException {
        Files.writeString(
                captures.resolve("capture_trace_rank_0.json"),
                TestTraces.document(new EventText()
                        .annotation("capture_2_FULL", 0, 2_000)
                        .python("model.py(1): forward", 0, 2_000)
                        .call("hipStreamBeginCapture", 10, 5, 1)
                        .op("own::large", 100, 100)
                        .complete("cuda_runtime", "hipLaunchKernel", "1", "1", 120, 10, "\"kernel\": \"multiply\"")
                        .op("own::small", 300, 100)
                        .complete("cuda_runtime", "hipLaunchKernel", "1", "1", 320, 10, "\"kernel\": \"add\"")
                        .call("hipStreamEndCapture", 900, 5, 2)
                        .toString()));
        Files.writeString(
                folder.resolve("profile_trace_rank_0.json"),
                TestTraces.document(new EventText()
                        .annotation("step[DECODE bs=2]", 0, 2_000)
                        .call("hipGraphLaunch", 100, 50, 7)
                        .kernel("multiply", 300, 9_000, 7, 3)
                        .kernel("add", 9_300, 1_000, 7, 3)
                        .toString()));
        ops(
                "profile_trace_rank_0.json",
                "--capture",
                captures,
                "--what-if",
                "op:own::small=x0",
                "--what-if",
                "op:own::large=x0");

        assertThat(Files.readString(folder.resolve("csv").resolve("what_if.csv")))
                .containsPattern("op:own::small=x0,all,10.3,9.3,1,1\\R")
                .containsPattern("op:own::large=x0,all,10.3,2,8.3,1\\R");
    }
}
