// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiffCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private Path fast;
    private Path slow;

    @BeforeEach
    void writeTwoTraces() throws IOException {
        fast = trace("fast.json", 10_000);
        slow = trace("slow.json", 30_000);
    }

    private Path trace(String name, long duration) throws IOException {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            events.op("aten::mm", i * 100_000L, 50_000)
                    .launch("gemm", i * 100_000L + 10_000, i * 100_000L + 60_000, duration, i + 1, 7);
        }
        return Files.write(
                folder.resolve(name), TestTraces.document(events.toString()).getBytes(UTF_8));
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void theDifferenceIsWrittenAndSummarised() throws IOException {
        Path into = folder.resolve("out");
        assertThat(run("diff", fast, slow, "-o", into)).isZero();
        assertThat(names(into)).containsExactly("csv", "report.html", "report.xlsx");
        assertThat(names(into.resolve("csv")))
                .containsExactly(
                        "diff_causes.csv",
                        "diff_host.csv",
                        "diff_idle.csv",
                        "diff_kernels.csv",
                        "diff_matched_ops.csv",
                        "diff_ops.csv",
                        "diff_totals.csv",
                        "hta_trace_diff.csv");
        assertThat(Files.readString(into.resolve("csv/diff_causes.csv")))
                .contains("same_kernel,aten::mm,200,", "idle,unrecorded,-180,");
        assertThat(out.toString()).contains("aten::mm", "200 µs", "wrote " + into.resolve("report.html"));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aRegressionBeyondTheLimitFailsTheGateAndIsStillWritten() {
        Path csv = folder.resolve("csv");
        assertThat(run("diff", fast, slow, "--csv", csv, "--fail-on-regression", "1"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("regression: total time 0.910 ms became 0.930 ms");
        assertThat(csv.resolve("diff_causes.csv")).exists();
        assertThat(run("diff", fast, slow, "--csv", csv, "--fail-on-regression", "5"))
                .isZero();
        assertThat(run("diff", slow, fast, "--csv", csv, "--fail-on-regression", "0"))
                .isZero();
        assertThat(run("diff", fast, fast, "--csv", csv, "--fail-on-regression", "0"))
                .isZero();
    }

    @Test
    void theOtherToolsSixFilesAreWritten() throws IOException {
        Path csv = folder.resolve("csv");
        assertThat(run("diff", fast, slow, "--csv", csv, "--compat", "tracelens"))
                .isZero();
        assertThat(names(csv))
                .containsExactly(
                        "cpu_op_map.json",
                        "cpu_op_map_trace1.json",
                        "cpu_op_map_trace2.json",
                        "diff_stats.csv",
                        "diff_stats_unique_args_summary.csv",
                        "merged_tree_output.txt");
    }

    @Test
    void aReportTakesABaselineInBothModes() throws IOException {
        Path csv = folder.resolve("csv");
        assertThat(run("report", slow, "--baseline", fast, "--csv", csv)).isZero();
        assertThat(Files.readString(csv.resolve("unified_perf_summary.csv"))).contains("baseline_difference_us");
        assertThat(names(csv)).contains("diff_causes.csv");
        Path compatible = folder.resolve("compatible");
        assertThat(run("report", slow, "--baseline", fast, "--csv", compatible, "--compat", "tracelens"))
                .isZero();
        assertThat(Files.readString(compatible.resolve("unified_perf_summary.csv")))
                .contains("speedup (trace2/trace1),delta_us (trace2 - trace1),lca_count_trace2,lca_id,lca_name");
        assertThat(names(compatible)).contains("diff_stats.csv");
    }

    @Test
    void inputsAreNeverOverwritten() throws IOException {
        String before = Files.readString(fast);
        assertThat(run("diff", fast, slow, "--json", fast)).isEqualTo(2);
        assertThat(Files.readString(fast)).isEqualTo(before);
    }

    @Test
    void wrongArgumentsAreNamed() throws IOException {
        assertThat(run("diff", fast)).isEqualTo(2);
        assertThat(run("diff", fast, slow, "--compat", "other")).isEqualTo(2);
        assertThat(run("diff", fast, slow, "--compat", "tracelens", "--fail-on-regression", "1"))
                .isEqualTo(2);
        assertThat(run("diff", fast, slow, "--fail-on-regression", "-1")).isEqualTo(2);
        assertThat(run("diff", fast, folder.resolve("missing.json"))).isEqualTo(3);
        assertThat(names(folder)).containsExactly("fast.json", "slow.json");
    }
}
