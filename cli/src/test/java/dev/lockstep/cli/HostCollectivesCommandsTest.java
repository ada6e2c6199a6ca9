// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose ranks meet on the host alone. */
class HostCollectivesCommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(Object... arguments) {
        return TestProgram.run(out, err, arguments);
    }

    private Path made(String where, String straggler) {
        Path traces = folder.resolve("traces");
        assertThat(run("synth", "-o", traces, "--gloo", where, "--ranks", 3, "--steps", 12, "--straggler", straggler))
                .isZero();
        return traces;
    }

    @ParameterizedTest
    @CsvSource({"cpu, data", "cpu, forward", "cuda, backward", "cuda, optimizer"})
    void everyCommandNamesTheSlowRankAndNoOther(String where, String stage) throws IOException {
        Path traces = made(where, "1:" + stage + ":20000");
        for (String command : List.of("report", "collectives", "fleet")) {
            Path json = folder.resolve(command + ".json");
            assertThat(run(command, traces, "-o", folder.resolve(command), "--json", json))
                    .isZero();
            assertThat(Files.readString(json))
                    .containsPattern("Rank 1 (comes|takes|is)")
                    .doesNotContainPattern("Rank [02] (comes|takes)");
        }
        Path csv = folder.resolve("stragglers");
        assertThat(run("stragglers", traces, "--csv", csv)).isZero();
        assertThat(out.toString())
                .containsPattern("Without\\s+rank\\s+1\\s")
                .doesNotContainPattern("Without\\s+rank\\s+[02]\\s");
    }

    @Test
    void theTableOfCollectivesTellsTheLibrary() throws IOException {
        Path csv = folder.resolve("csv");
        assertThat(run("collectives", made("cpu", "-1"), "--csv", csv)).isZero();
        assertThat(Files.readAllLines(csv.resolve("nccl_implicit_sync.csv")).get(1))
                .startsWith("gloo:0_0,0,\"[0, 1, 2]\",group_and_order,0,all_reduce,gloo:all_reduce,3,3,float,");
    }

    @Test
    void aMergedTimelineLeadsThroughExchanges() throws IOException {
        Path merged = folder.resolve("all.json");
        assertThat(run("merge", made("cpu", "2:data:20000"), "-o", merged, "--critical-path"))
                .isZero();
        assertThat(Files.readString(merged)).contains("critical_path");
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        assertThat(run("synth", "-o", folder.resolve("x"), "--gloo", "tpu")).isEqualTo(2);
        assertThat(err.toString()).contains("known: cpu, cuda");
        assertThat(run("synth", "-o", folder.resolve("x"), "--gloo", "cpu", "--pipeline", 2))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--gloo takes only");
        assertThat(run("synth", "-o", folder.resolve("x"), "--gloo", "cpu", "--straggler", "1:device:2"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("unknown stage");
    }
}
