// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepHtmlCommandTest {
    private static final String LIST = "gemm_variance.csv";
    private static final String PICTURE = "src=\"data:image/png;base64,";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void writeTwoLists() throws IOException {
        list("one", "256,28,0,k,5\n512,28,0,k,10\n");
        list("two", "256,28,0,k,4\n256,42,0,k,8\n");
    }

    private void list(String sweep, String rows) throws IOException {
        Path analysis = Files.createDirectories(folder.resolve(sweep).resolve("lockstep_reports"));
        Files.writeString(analysis.resolve(LIST), "threads,channel,rank,kernel_name,time_diff_us\n" + rows);
    }

    private int html(Object... more) {
        Stream<Object> all = Stream.concat(
                Stream.of(
                        "sweep",
                        "html",
                        "--sweep1",
                        folder.resolve("one"),
                        "--sweep2",
                        folder.resolve("two"),
                        "--output",
                        folder.resolve("page.html")),
                Stream.of(more));
        return Main.run(
                new PrintWriter(out),
                new PrintWriter(err),
                all.map(String::valueOf).toArray(String[]::new));
    }

    private String page() throws IOException {
        return Files.readString(folder.resolve("page.html"));
    }

    private int pictures() throws IOException {
        return page().split(PICTURE, -1).length - 1;
    }

    @Test
    void drawsWhatIsMissingAndShowsTheNumbers() throws IOException {
        assertThat(html("--label1", "A <b>&1")).isZero();

        assertThat(pictures()).isEqualTo(10);
        assertThat(page())
                .contains("A &lt;b&gt;&amp;1")
                .doesNotContain("A <b>")
                .contains("<td>256thread_28ch</td><td class=\"n\">1</td><td class=\"n\">5.000</td>")
                .contains("<td class=\"n\">-20.0</td>");
        assertThat(folder.resolve("two/lockstep_reports/plots")).doesNotExist();
    }

    @Test
    void picturesThatAreThereAreShownAsTheyAre() throws IOException {
        assertThat(Main.run(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        "gemm",
                        "plot",
                        "--csv-path",
                        folder.resolve("one/lockstep_reports").resolve(LIST).toString(),
                        "--compat",
                        "aorta"))
                .isZero();

        assertThat(html()).isZero();

        assertThat(page()).contains("<td>its own</td>").contains("<td>5 drawn for this page</td>");
    }

    @Test
    void aSweepWithoutPicturesAndListIsSaidToLackThem() throws IOException {
        Files.delete(folder.resolve("two/lockstep_reports").resolve(LIST));

        assertThat(html()).isEqualTo(4);

        assertThat(pictures()).isEqualTo(5);
        assertThat(page()).contains("variance_violin_combined.png is missing").doesNotContain("src=\"\"");
        assertThat(err.toString()).contains("two: variance_by_ranks_boxplot.png is missing");
    }

    @Test
    void aDamagedPictureIsNamedAndDrawnAnew() throws IOException {
        Path plots = Files.createDirectories(folder.resolve("one/lockstep_reports/plots"));
        Files.writeString(plots.resolve("variance_violin_combined.png"), "not a picture");

        assertThat(html()).isZero();

        assertThat(pictures()).isEqualTo(10);
        assertThat(page()).contains("variance_violin_combined.png is no whole PNG file");
    }

    @Test
    void theOtherToolsPageHasTheSamePairsAndNoNumbers() throws IOException {
        assertThat(html("--compat", "aorta")).isZero();

        assertThat(pictures()).isEqualTo(10);
        assertThat(page()).contains("<th scope=\"col\">Path</th>").doesNotContain("median");
    }

    @Test
    void reportsUnderTheNamesOfTheOtherToolAreFound() throws IOException {
        assertThat(html()).isZero();
        String expected = page();
        Path renamed = folder.resolve("one/tracelens_analysis");
        Files.move(folder.resolve("one/lockstep_reports"), renamed);
        Files.move(renamed.resolve(LIST), renamed.resolve("top5_gemm_kernels_time_variance.csv"));

        assertThat(html()).isZero();

        assertThat(page())
                .isEqualTo(expected.replace(
                        "one/lockstep_reports/gemm_variance.csv",
                        "one/tracelens_analysis/top5_gemm_kernels_time_variance.csv"));
    }

    @Test
    void aMissingSweepIsAnError() {
        assertThat(html("--sweep2", folder.resolve("none"))).isNotZero();
        assertThat(folder.resolve("page.html")).doesNotExist();
    }
}
