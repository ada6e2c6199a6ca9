// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.testkit.SampleReports;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.ReportWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The answer in short documents. */
class AnswerWritersTest {
    private static final String[] HOSTILE = {
        "</script><img src=x onerror=alert(2)>",
        "| cell |\n# head\r\n- item",
        "[link](https://example.org)",
        "`code` *b* _i_"
    };

    @TempDir
    private Path folder;

    private String written(ReportWriter writer, Report report) throws IOException {
        Path file = folder.resolve("answer" + writer.ending());
        writer.write(report, file, CellStyle.PLAIN);
        return Files.readString(file);
    }

    @Test
    void markdownBeginsWithTheVerdictAndThreeActions() throws IOException {
        String text = written(new MarkdownWriter(), SampleReports.everySection());

        assertThat(text.lines().skip(2).findFirst())
                .contains("**Launch-bound: 38 % of the 8.00 ms step waits for the CPU.**");
        assertThat(text)
                .contains("| 1 | Change launches | -2.67 ms | -33 % | `change(launches)` |")
                .contains("|  | All 4 together | -5 ms | -63 % |  |")
                .contains("Range: -17 % to -34 %.")
                .doesNotContain("Change copies |");
        assertThat(text.lines().count()).isLessThanOrEqualTo(30);
    }

    @Test
    void namesStayTextInMarkdown() throws IOException {
        Report report =
                new Report("# title", "`x`\n<b>", List.of(new Section.AnswerSection(SampleReports.answer(HOSTILE))));
        String text = written(new MarkdownWriter(), report);

        assertThat(text)
                .doesNotContain("<", "[link](", "https://", " `code`")
                .contains("\\[link\\](https\\://example.org)");
        assertThat(text.lines().filter(line -> line.startsWith("#"))).containsExactly("# \\# title");
        assertThat(text.lines().filter(line -> line.startsWith("| 2")))
                .allSatisfy(line -> assertThat(line.replace("\\|", "").chars().filter(c -> c == '|'))
                        .hasSize(6));
    }

    @Test
    void aSummaryStaysBelowEightKilobytes() throws IOException {
        String long_ = "😀 <name> \"quoted\" ".repeat(400);
        List<Finding> findings = Stream.iterate(0, i -> i + 1)
                .limit(400)
                .map(i -> new Finding(Finding.Severity.NOTICE, "code_" + i, i + long_, ""))
                .toList();
        Report report = new Report(
                long_,
                long_,
                List.of(
                        new Section.AnswerSection(
                                SampleReports.answer(long_, long_, long_, long_, long_, long_, long_, long_, long_)),
                        new Section.FindingsSection("Findings", findings)));
        String text = written(new JsonSummaryWriter(), report);

        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(JsonSummaryWriter.MOST_BYTES);
        assertThat(text)
                .contains("\"verdict\":{\"class\":\"launch-bound\"", "\"code_0\"")
                .endsWith("}\n");
    }

    @Test
    void theOverviewOfAWorkbookHasTheAnswerInItsSecondColumn() throws IOException {
        Path file = folder.resolve("answer.xlsx");
        new WorkbookWriter().write(SampleReports.everySection(), file, CellStyle.PLAIN);

        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(WorkbookWriterTest.cells(zip, "Overview", 4))
                    .contains(
                            List.of("verdict", "Launch-bound: 38 % of the 8.00 ms step waits for the CPU.", "", ""),
                            List.of(
                                    "action 1",
                                    "Change launches: -2.67 ms (-33 %), change(launches)",
                                    "",
                                    "It is launches that takes the time."),
                            List.of("", "All 4 together: -5 ms (-63 %)", "", ""),
                            List.of(
                                    "problem",
                                    "The GPU is idle 38 % of the step, in 1,204 gaps under 20 µs: launch bound.",
                                    "",
                                    "kernel_summary, idle_time"));
        }
    }

    @Test
    void aReportWithoutAnAnswerHasASummary() throws IOException {
        Report report = new Report("Nothing", "", List.of());

        assertThat(written(new JsonSummaryWriter(), report)).contains("\"verdict\":null,\"actions\":[]");
        assertThat(written(new MarkdownWriter(), report)).isEqualTo("# Nothing\n");
    }
}
