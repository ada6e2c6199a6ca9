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

class CompareCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @BeforeEach
    void writeTwoReports() throws IOException {
        report("fast", 30_000);
        report("slow", 60_000);
    }

    private void report(String name, long kernelNs) throws IOException {
        EventText events = new EventText();
        for (int i = 0; i < 20; i++) {
            events.op("aten::mm", i * 100_000L, 50_000)
                    .launch("gemm", i * 100_000L + 10_000, i * 100_000L + 20_000, kernelNs, i + 1, 7);
        }
        Path trace = folder.resolve(name + ".json");
        Files.write(trace, TestTraces.document(events.toString()).getBytes(UTF_8));
        assertThat(run("report", trace, "-o", folder.resolve(name), "--quiet"))
                .as(err.toString())
                .isZero();
        Path csv = folder.resolve(name + "_compat");
        assertThat(run("report", trace, "--csv", csv, "--compat", "tracelens", "--kernel-summary", "--quiet"))
                .isZero();
    }

    private int run(Object... args) {
        return TestProgram.run(out, err, args);
    }

    private Path at(String name) {
        return folder.resolve(name);
    }

    @Test
    void saysWhatGotSlowerAndWritesEverything() {
        assertThat(run("compare", at("fast"), at("slow"), "-o", at("c"))).isZero();

        assertThat(out.toString()).contains("slow takes").contains("more").contains("On average each one takes longer");
        assertThat(at("c")).isDirectoryContaining(p -> p.endsWith("report.html"));
        assertThat(at("c/csv/contributions_by_kernel.csv")).exists();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aRankThatAReportLacksIsNamedWithItsFile() throws IOException {
        for (String run : List.of("whole", "cut")) {
            run("synth", "-o", at(run), "--ranks", 3, "--size", "40kB", "--quiet");
        }
        Path damaged = Files.writeString(at("cut/rank1_trace.json"), "{\"traceEv");
        run("report", at("whole"), "--csv", at("w"));
        run("report", at("cut"), "--csv", at("c"));

        assertThat(run("compare", at("w"), at("c"), "--csv", at("d"))).isEqualTo(ExitStatus.PARTIAL);
        assertThat(err.toString()).startsWith("c: rank 1: " + damaged + ": ").hasLineCount(1);
        assertThat(out.toString()).contains("c lacks ranks of its run, or parts of them: 1 (unreadable)");
    }

    @Test
    void workbooksAndFoldersGiveTheSameTables() throws IOException {
        run("compare", at("fast"), at("slow"), "--csv", at("folders"));
        run("compare", at("fast/report.xlsx"), at("slow/report.xlsx"), "--names", "fast,slow", "--csv", at("books"));

        for (Path file : csv("folders")) {
            assertThat(at("books").resolve(file.getFileName())).hasSameTextualContentAs(file);
        }
        assertThat(csv("books")).hasSameSizeAs(csv("folders")).hasSizeGreaterThan(8);
    }

    @Test
    void regressionBeyondTheGateFails() {
        assertThat(run("compare", at("fast"), at("slow"), "--csv", at("c"), "--fail-on-regression", "1"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("regression: slow is 1.55 % above fast");
        assertThat(at("c/overview.csv")).exists();
        assertThat(run("compare", at("fast"), at("slow"), "--csv", at("c"), "--fail-on-regression", "2"))
                .isZero();
        assertThat(run("compare", at("slow"), at("fast"), "--csv", at("c"), "--fail-on-regression", "0"))
                .isZero();
    }

    /** Nothing is slower by more than infinitely much, or by more than what is no number. */
    @Test
    void aGateThatCannotFailIsRefused() {
        for (String percent : List.of("NaN", "Infinity", "1e400", "-1")) {
            for (String command : List.of("compare", "diff")) {
                assertThat(run(command, folder.resolve("a"), folder.resolve("b"), "--fail-on-regression=" + percent))
                        .as("%s %s", command, percent)
                        .isEqualTo(ExitStatus.USAGE);
                assertThat(err.toString()).contains("--fail-on-regression");
            }
        }
    }

    @Test
    void manyReportsShareOneBaseline() throws IOException {
        run("compare", at("fast"), at("slow"), at("fast_compat"), "--csv", at("c"));

        assertThat(Files.readAllLines(at("c/overview.csv")))
                .hasSize(4)
                .anyMatch(l -> l.startsWith("fast,"))
                .anyMatch(l -> l.startsWith("slow,"))
                .anyMatch(l -> l.startsWith("fast_compat,"));
    }

    @Test
    void compatWritesThePartsOfTheJoin() throws IOException {
        assertThat(run(
                        "compare",
                        at("fast_compat"),
                        at("slow_compat"),
                        "--names",
                        "a,b",
                        "--compat",
                        "tracelens",
                        "--csv",
                        at("c")))
                .isZero();

        assertThat(Files.readString(at("c/ops_unique_args_only_baseline_b.csv")))
                .isEqualTo("\n");
        assertThat(Files.readAllLines(at("c/gpu_timeline.csv")))
                .first()
                .isEqualTo("type,time ms__b_diff,time ms__b_pct,a::time ms,a::percent,b::time ms,b::percent");
    }

    @Test
    void filesOfOneNameAreCalledAfterTheirFolders() throws IOException {
        Path before = Files.createDirectories(at("before")).resolve("report.xlsx");
        Path after = Files.createDirectories(at("after")).resolve("report.xlsx");
        assertThat(run("report", at("fast.json"), "--xlsx", before)).isZero();
        assertThat(run("report", at("fast.json"), "--xlsx", after)).isZero();

        assertThat(run("compare", before, after, "--csv", at("c"))).isZero();
        assertThat(out.toString()).contains("before", "after");
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThat(run("compare", at("fast"))).isEqualTo(2);
        assertThat(run("compare", at("fast"), at("fast"))).isEqualTo(2);
        assertThat(err.toString()).contains("two reports are called fast");
        assertThat(run("compare", at("fast"), at("slow"), "--names", "a")).isEqualTo(2);
        assertThat(run("compare", at("fast"), at("slow"), "--compat", "tracelens", "--sheets", "nonsense"))
                .isEqualTo(2);
    }

    @Test
    void aSheetThatCannotBeComparedIsNotPassedOver() {
        assertThat(run("compare", at("fast"), at("slow"), "--sheets", "gpu_timeline,nonsense", "-o", at("c")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("a table nonsense that can be compared", "gpu_timeline");
        assertThat(at("c")).doesNotExist();
    }

    /** To readers of Parquet these heads would be one. */
    @Test
    void namesThatDifferInCapitalsAloneAreNamesInEveryForm() {
        Path sheets = at("sheets");
        assertThat(run("compare", at("fast"), at("slow"), "--names", "A,a", "--parquet", sheets, "--csv", at("c")))
                .as("%s", err)
                .isZero();
        assertThat(run("sql", sheets, "SELECT max(\"a::time ms_2\") > max(\"A::time ms\") FROM gpu_timeline", "--csv"))
                .as("%s", err)
                .isZero();
        assertThat(out.toString()).contains("true");
    }

    @Test
    void whatIsNoReportCannotBeRead() {
        assertThat(run("compare", at("fast"), at("fast.json"))).isEqualTo(3);
        assertThat(err.toString()).contains("fast.json: this is no finished report");
        assertThat(run("compare", at("fast"), at("absent"))).isEqualTo(3);
    }

    @Test
    void damagedWorkbookCannotBeRead() throws IOException {
        byte[] whole = Files.readAllBytes(at("fast/report.xlsx"));
        Files.write(at("cut.xlsx"), java.util.Arrays.copyOf(whole, whole.length / 2));

        assertThat(run("compare", at("fast"), at("cut.xlsx"), "--csv", at("c"))).isEqualTo(3);
        assertThat(err.toString()).contains("cut.xlsx: the workbook cannot be read");
        assertThat(at("c")).doesNotExist();
    }

    @Test
    void inputIsNeverOverwritten() {
        assertThat(run("compare", at("fast"), at("slow"), "--csv", at("fast/csv")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("is an input");
    }

    private List<Path> csv(String name) throws IOException {
        try (Stream<Path> files = Files.list(at(name))) {
            return files.sorted().toList();
        }
    }
}
