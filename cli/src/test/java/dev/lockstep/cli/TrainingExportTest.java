// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingExportTest {
    @TempDir
    Path folder;

    /** A training run that fails would only be slow, and nobody would see it. */
    @Test
    void theExportThatStartsAreTrainedWithBecomesASoundSchedule() throws IOException {
        Path exports = Files.createDirectory(folder.resolve("in"));
        Path costs = folder.resolve("costs.json");
        Path out = folder.resolve("out");
        TrainingExport.write(exports.resolve("nid1.sqlite"));
        TrainingExport.writeCosts(costs);

        assertThat(run("goal", "-i", exports, "-o", out, "-s", costs, "-l", costs))
                .isZero();
        assertThat(run("goal", "verify", out.resolve("output.goal"))).isZero();
        assertThat(out.resolve("collectives.tsv")).content().contains("AllReduce");
    }

    private static int run(Object... args) {
        String[] texts = java.util.Arrays.stream(args).map(String::valueOf).toArray(String[]::new);
        return Main.run(new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), texts);
    }
}
