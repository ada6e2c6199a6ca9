// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GemmPlotCommandTest {
    private static final String HEAD = "threads,channel,rank,kernel_name,time_diff_us\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    private int plot(String rows, Object... more) throws IOException {
        Path csv = Files.writeString(folder.resolve("list.csv"), HEAD + rows);
        String[] arguments = Stream.concat(Stream.of("gemm", "plot", "--csv-path", csv), Stream.of(more))
                .map(String::valueOf)
                .toArray(String[]::new);
        return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    private static Stream<String> names(Path plots) throws IOException {
        try (Stream<Path> files = Files.list(plots)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    @Test
    void drawsFivePicturesBesideTheList() throws IOException {
        assertThat(plot("256,28,0,k,5\n512,28,0,k,7\n")).isZero();

        assertThat(names(folder.resolve("plots")))
                .containsExactlyInAnyOrder(
                        "variance_by_threads_boxplot.png",
                        "variance_by_channels_boxplot.png",
                        "variance_by_ranks_boxplot.png",
                        "variance_violin_combined.png",
                        "variance_thread_channel_interaction.png");
        assertThat(out.toString()).contains("512: mean 7.00 us, median 7.00 us, max 7.00 us, n = 1");
    }

    @Test
    void theOtherToolsPicturesDiffer() throws IOException {
        assertThat(plot("256,28,0,k,5\n")).isZero();
        assertThat(plot("256,28,0,k,5\n", "--compat", "aorta", "--output-dir", folder.resolve("other")))
                .isZero();

        String name = "variance_thread_channel_interaction.png";
        assertThat(folder.resolve("other").resolve(name)).exists();
        assertThat(Files.mismatch(
                        folder.resolve("other").resolve(name),
                        folder.resolve("plots").resolve(name)))
                .isNotEqualTo(-1);
    }

    @Test
    void rowsWithoutANumberMakeItPartial() throws IOException {
        assertThat(plot("256,28,0,k,5\n256,28,0,k,\n")).isEqualTo(4);
        assertThat(err.toString()).contains("1 row lacks a number");
        assertThat(plot("256,28,0,k,5\n256,28,0,k,\n", "--allow-partial")).isZero();
    }

    @Test
    void nothingToDrawIsSaidAndNothingWritten() throws IOException {
        assertThat(plot("")).isEqualTo(5);
        assertThat(folder.resolve("plots")).doesNotExist();
    }
}
