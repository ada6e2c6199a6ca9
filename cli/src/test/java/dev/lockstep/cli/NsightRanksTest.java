// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One export of Nsight Systems for all processes of a run: each device of each process is a rank, for reports as for other commands. */
class NsightRanksTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aReportOfTheFileHoldsAReportOfEachOfItsRanks(long seed) throws IOException, SQLException {
        Path export = Files.createDirectories(folder.resolve("run")).resolve("job.sqlite");
        MadeExport made = new MadeExport(seed);
        made.write(export);

        assertThat(run("report", export, "--csv", folder.resolve("file")))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("Performance of " + made.ranks() + " ranks");
        assertThat(run("report", folder.resolve("run"), "--csv", folder.resolve("dir")))
                .isZero();
        assertThat(TestProgram.files(folder.resolve("dir")).keySet())
                .isEqualTo(TestProgram.files(folder.resolve("file")).keySet());
        for (int rank = 0; rank < made.ranks(); rank++) {
            Path alone = folder.resolve("alone" + rank);
            assertThat(run("report", export, "--rank", rank, "--csv", alone)).isZero();
            assertThat(sheets(folder.resolve("file/rank" + rank))).isEqualTo(sheets(alone));
            assertThat(sheets(folder.resolve("dir/rank" + rank))).isEqualTo(sheets(alone));
        }
    }

    private static Map<String, String> sheets(Path csv) throws IOException {
        Map<String, String> sheets = new TreeMap<>();
        for (String name :
                new String[] {"gpu_timeline", "ops_summary", "kernel_summary", "host_summary", "idle_causes"}) {
            sheets.put(name, Files.readString(csv.resolve(name + ".csv")));
        }
        return sheets;
    }

    @Test
    void whatIsAboutOneRankNeedsOneOfThem() throws IOException, SQLException {
        Path export = folder.resolve("job.sqlite");
        new MadeExport(4).write(export);
        assertThat(run("report", export, "--folded", folder.resolve("stacks"))).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("about one rank", "--rank N");
        assertThat(run("report", export, "--rank", 1, "--folded", folder.resolve("stacks")))
                .isZero();
    }

    @Test
    void whatTheProfilerDroppedWithholdsIdleTimeAndItsCauses() throws IOException, SQLException {
        Path export = folder.resolve("job.sqlite");
        new MadeExport(6)
                .saying(2, "Not all CUDA events might have been collected.")
                .write(export);

        Path json = folder.resolve("report.json");
        assertThat(run("report", export, "--rank", 0, "--json", json)).isEqualTo(ExitStatus.PARTIAL);
        assertThat(Files.readString(json).replace(": ", ":"))
                .contains("\"verdict\":\"limited\"", "unread_events", "Not all CUDA events might have been collected")
                .doesNotContainPattern("\"code\" *:\"(idle|idle_cause|launch_bound|opportunity)\"");
        assertThat(run("report", export, "--csv", folder.resolve("csv"))).isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString()).contains("Trace: limited.", "Not all CUDA events might have been collected");
        assertThat(run("info", export)).isEqualTo(ExitStatus.PARTIAL);
    }

    @Test
    void whatTheProfilerSaysOfOtherThingsLeavesTheTraceSound() throws IOException, SQLException {
        Path export = folder.resolve("job.sqlite");
        new MadeExport(6)
                .saying(2, "CPU context switch trace is not supported, disabling.")
                .saying(1, "Number of CUDA events collected: 48.")
                .saying(2, "CUDA profiling might have not been started correctly.")
                .write(export);

        assertThat(run("report", export, "--rank", 0, "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(out.toString()).doesNotContain("Trace:", "started correctly");
    }

    @Test
    void whyKernelsAreMissingIsSaidByTheProfiler() throws IOException, SQLException {
        Path silent = folder.resolve("silent.sqlite");
        new MadeExport(7).withoutKernels().write(silent);
        assertThat(run("report", silent, "--rank", 0, "--csv", folder.resolve("a")))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("kernels were not traced", "nsys profile --trace=cuda");

        Path telling = folder.resolve("telling.sqlite");
        new MadeExport(7)
                .withoutKernels()
                .saying(3, "CUDA profiling might have not been started correctly.")
                .write(telling);
        assertThat(run("report", telling, "--rank", 0, "--csv", folder.resolve("b")))
                .isEqualTo(ExitStatus.PARTIAL);
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("CUDA profiling might have not been started correctly")
                .doesNotContain("kernels were not traced", "--trace=cuda");
    }

    @Test
    void callsOfOneRangeAreOneRowWhateverTheirNumbers() throws IOException, SQLException {
        Path export = folder.resolve("job.sqlite");
        new MadeExport(5).write(export);
        assertThat(run("report", export, "--rank", 0, "--csv", folder.resolve("csv")))
                .isZero();
        assertThat(Files.readString(folder.resolve("csv/ops_summary.csv"))).contains("aten::mm,");
        assertThat(Files.readString(folder.resolve("csv/hta_user_annotation.csv")))
                .contains("FSDP::pre_forward (layers.0),");
        for (Map.Entry<String, String> sheet :
                TestProgram.files(folder.resolve("csv")).entrySet()) {
            assertThat(sheet.getValue()).as(sheet.getKey()).doesNotContain("seq = ", "op_id = ");
        }
    }
}
