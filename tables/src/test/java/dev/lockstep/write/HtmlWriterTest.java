// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart.Bar;
import dev.lockstep.report.Chart.StackedBars;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Browser;
import dev.lockstep.testkit.ReportWriterContract;
import dev.lockstep.testkit.SampleReports;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

class HtmlWriterTest extends ReportWriterContract {
    @Override
    protected ReportWriter writer() {
        return new HtmlWriter();
    }

    @Override
    protected Path target(String name) {
        return folder.resolve(name + ".html");
    }

    @Override
    protected int rowsOf(int rows) {
        return Math.min(rows, HtmlData.MOST_ROWS);
    }

    /** Reads the data that the page carries, as its script does. */
    @Override
    protected List<List<String>> read(Path target, Table table) throws IOException {
        List<List<String>> columns = new ArrayList<>();
        List<String> headers = new ArrayList<>();
        try (JsonParser parser = CellJson.factory().createParser(data(Files.readString(target)))) {
            List<String> texts = List.of();
            while (parser.nextToken() != null) {
                if (parser.currentToken() != JsonToken.FIELD_NAME) {
                    continue;
                }
                switch (parser.currentName()) {
                    case "header" -> headers.add(parser.nextTextValue());
                    case "texts" -> texts = values(parser);
                    case "cells" -> {
                        List<String> cells = values(parser);
                        List<String> known = texts;
                        boolean pointers = !known.isEmpty();
                        columns.add(cells.stream()
                                .map(cell -> pointers && !cell.isEmpty() ? known.get(Integer.parseInt(cell)) : cell)
                                .toList());
                        texts = List.of();
                    }
                    default -> {}
                }
            }
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(headers);
        for (int row = 0; row < columns.get(0).size(); row++) {
            List<String> cells = new ArrayList<>();
            for (List<String> column : columns) {
                cells.add(column.get(row));
            }
            rows.add(cells);
        }
        return rows;
    }

    @Test
    void noNameCanLeaveTheDataOrTheTitle() throws IOException {
        Table names = SampleReports.texts("names", NASTY.toArray(String[]::new));
        Report report =
                new Report("</title><script>alert(3)</script>", "<b>", List.of(new Section.TableSection(names)));
        String page = Files.readString(write(report, CellStyle.PLAIN));

        assertThat(page).doesNotContain("<script>alert", "<img src=x", "<!-- &").contains("&lt;/title&gt;");
        assertThat(data(page)).doesNotContain("<", ">", "&", "\u2028", "\u2029");
    }

    @Test
    void thePageAsksNoServerForAnything() throws IOException {
        String page = Files.readString(write(SampleReports.everySection(), CellStyle.PLAIN));

        assertThat(page)
                .contains("default-src 'none'")
                .doesNotContain("{{")
                .doesNotContainPattern("(?i)(src|href)\\s*=\\s*[\"']?(https?:)?//");
    }

    @Test
    void longDataIsPackedAndDrawnAsShortDataIs() throws Exception {
        String[] texts = IntStream.range(0, 2_000)
                .mapToObj(i -> "a name of a kernel that is as long as <names> are, " + i * 7919L + " "
                        + "with its types ".repeat(i % 16))
                .toArray(String[]::new);
        Table names = SampleReports.texts("names", texts);
        Path page = write(new Report("long", "", List.of(new Section.TableSection(names))), CellStyle.PLAIN);

        assertThat(Files.readString(page)).doesNotContain(texts[1]);
        assertThat(data(Files.readString(page))).contains("2000").hasSizeGreaterThan(PackedText.SHORT);
        assertThat(Files.size(page)).isLessThan(PackedText.SHORT);
        assertThat(Browser.open(page))
                .contains("data-ready=\"true\"", texts[1].replace("<", "&lt;").replace(">", "&gt;"))
                .doesNotContain("data-error");
    }

    @Test
    void wordsOfASentenceAreNoSheets() throws Exception {
        Finding finding =
                new Finding(Finding.Severity.NOTICE, "held", "Held up.", "times: held by times us; times: all");
        Table times = SampleReports.texts("times", "a");
        String dom = Browser.open(write(
                new Report(
                        "words",
                        "",
                        List.of(
                                new Section.FindingsSection("Findings", List.of(finding)),
                                new Section.TableSection(times))),
                CellStyle.PLAIN));

        assertThat(dom).contains("</a>: held by times us; <a ").doesNotContain("data-error");
    }

    @Test
    void theBrowserDrawsEverySection() throws Exception {
        String dom = Browser.open(write(SampleReports.everySection(), CellStyle.PLAIN));

        assertThat(dom)
                .contains("data-ready=\"true\"")
                .doesNotContain("data-error")
                .contains(">Performance of rank 0</h1>")
                .contains(">The GPU is idle 38 % of the step, in 1,204 gaps under 20 µs: launch bound.</span>")
                .contains("title=\"The accelerator the trace names.\"")
                .contains("<canvas")
                .contains("exposed communication: 0.9 ms (11.25 %)")
                .contains("short_kernels</strong>");
        assertThat(dom.indexOf("launch bound")).as("problems stand first").isLessThan(dom.indexOf("are linked to"));
    }

    @Test
    void theAnswerStandsFirstWithThreeActionsAndWhatTheyRestOn() throws Exception {
        String dom = Browser.open(write(SampleReports.everySection(), CellStyle.PLAIN));

        assertThat(dom)
                .contains("Launch-bound: 38 % of the 8.00 ms step waits for the CPU.</p>")
                .contains("<span class=\"what\">Change launches</span><span class=\"saved\">−2.67 ms</span>"
                        + "<span class=\"saved\">−33 %</span><code>change(launches)</code>")
                .contains("mark=action/action_0\"", ">show ›</a>", ">why</button>")
                .contains("<dd>−17 % to −34 %</dd>", "<dd>It is launches that takes the time.</dd>", "<summary>1 more<")
                .contains("All 4 together</span><span class=\"saved\">−5.00 ms</span>");
        assertThat(dom.split("<dt>Range</dt>", -1))
                .as("a single number has none")
                .hasSize(3 + 1);
        assertThat(dom.indexOf("class=\"verdict\"")).isLessThan(dom.indexOf("class=\"bars\""));
    }

    @Test
    void namesInAnswersStayText() throws Exception {
        Answer answer = SampleReports.answer(NASTY.toArray(String[]::new));
        Path page = write(
                new Report(
                        "nasty",
                        "",
                        List.of(
                                new Section.AnswerSection(answer),
                                new ChartSection(SampleReports.timeline(24_000_000, 1, 20)))),
                CellStyle.PLAIN);

        assertThat(data(Files.readString(page))).doesNotContain("<", ">", "&", "\u2028", "\u2029");
        assertThat(Browser.open(page))
                .contains("data-ready=\"true\"", "change(&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;)")
                .doesNotContain("data-error", "<img", "<script>alert");
    }

    @Test
    void theBrowserDrawsVectorCharts() throws Exception {
        String dom = Browser.open(write(SampleReports.vectorCharts(), CellStyle.PLAIN));

        assertThat(dom).contains("data-ready=\"true\"").doesNotContain("data-error", "NaN");
        assertThat(dom.split("class=\"dot", -1)).as("dots that have a place").hasSize(4 + 1);
        assertThat(dom.split("<rect", -1))
                .as("cells with a value, bars, boxes wide enough to see")
                .hasSize(11 + 4 + 4 + 1);
        assertThat(dom)
                .contains("2 points have no place on these axes")
                .contains("matrix_bf16 989 TFLOPS/s</text>")
                .contains(">Linear_0 &lt;first&gt;</text>")
                .contains("−14.5 ms (−12.1 %)", "108.8 ms", "exposed communication &lt;all ranks&gt;");
    }

    @Test
    void theBrowserDrawsRowsWithDefinitionsAtTheirHeads() throws Exception {
        String dom = Browser.open(write(SampleReports.everySection(), CellStyle.PLAIN));

        assertThat(dom.split("<tr><td class=\"opener\">", -1))
                .as("rows before anybody scrolls")
                .hasSize(30 + 1);
        assertThat(dom)
                .contains("void sample::kernel_1&lt;float, 4&gt;(float const*, float*)")
                .contains("title=\"dur_sum (µs)\nTime of all runs together; may be missing.\"")
                .contains("aria-sort=\"none\"")
                .contains("No rows.")
                .contains("class=\"number percent share\"");
    }

    @Test
    void theBrowserShowsNastyNamesAsText() throws Exception {
        Table names = SampleReports.texts("names", NASTY.toArray(String[]::new));
        String dom = Browser.open(write(SampleReports.of(names), CellStyle.PLAIN));

        assertThat(dom)
                .contains("data-ready=\"true\"")
                .contains(">&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;</td>")
                .doesNotContain("<img", "<script>alert");
    }

    @Test
    void theBrowserSaysHowManyRowsItLeavesOut() throws Exception {
        String dom = Browser.open(write(SampleReports.of(SampleReports.everyType("large", 5_000)), CellStyle.PLAIN));

        assertThat(dom).contains("The first 2,000 of 5,000 rows; the other 3,000 are in the CSV and the workbook.");
    }

    @Test
    void findingsLeadToTheirRowsAndPlaces() throws Exception {
        Path page = write(SampleReports.everySection(), CellStyle.PLAIN);
        String dom = Browser.open(page);
        assertThat(dom)
                .contains("href=\"#table/kernel_summary&amp;r=3,5\"")
                .contains("href=\"#timeline&amp;t=4840000-9160000&amp;mark=launch-bound\"")
                .contains("<a href=\"#table/kernel_summary\">kernel_summary</a>")
                .doesNotContain("data-error");

        String rows = Browser.open(page, "#table/kernel_summary&r=3,5");
        assertThat(rows.split("<tr class=\"marked\">", -1)).as("rows").hasSize(2 + 1);
        assertThat(rows).contains("2 rows of the link", ">2 of 60 rows · ", "kernel_2&lt;", "kernel_4&lt;");

        String place = Browser.open(page, "#timeline&t=4840000-9160000&mark=launch-bound");
        assertThat(place).contains("data-view=\"4840000-9160000\"").doesNotContain("data-error");
    }

    @Test
    void lifetimesOfMemoryHaveColoursOfTheirOwn() throws Exception {
        List<String> lifetimes = List.of("baseline", "persistent", "activation", "gradient", "workspace", "step");
        StackedBars bars = new StackedBars(
                "Memory", "", "MiB", lifetimes, List.of(new Bar("device 0", new double[] {1, 2, 3, 4, 5, 6})));
        String dom = Browser.open(write(new Report("", "", List.of(new ChartSection(bars))), CellStyle.PLAIN));
        Set<String> colours = new HashSet<>();
        Matcher swatch = Pattern.compile("<i style=\"background: var\\((--[a-z]+)\\);?\"")
                .matcher(dom);
        while (swatch.find()) {
            colours.add(swatch.group(1));
        }
        assertThat(colours).hasSameSizeAs(lifetimes);
    }

    @Test
    void anAddressFiltersOrdersAndChoosesColumns() throws Exception {
        Path page = write(SampleReports.everySection(), CellStyle.PLAIN);
        String dom =
                Browser.open(page, "#table/kernel_summary&w=stream%3D8%3BCount%3E50&s=-Count&cols=name,Count,stream");

        assertThat(dom)
                .contains("Count is above 50", "Stream is 8", ">2 of 60 rows")
                .contains("aria-sort=\"descending\"")
                .doesNotContain(">has_perf_<wbr>", "data-error");
        assertThat(dom.indexOf("kernel_58"))
                .isLessThan(dom.indexOf("kernel_55"))
                .isPositive();
    }

    @Test
    void aSelectionAddsUpToWhatLiesInIt() throws Exception {
        Path page = write(SampleReports.everySection(), CellStyle.PLAIN);
        String dom = Browser.open(page, "#timeline&sel=0-24000000");
        long softmax = 0;
        Timeline timeline = SampleReports.timeline(24_000_000, 3, 900);
        for (TimelineRow row : timeline.rows()) {
            for (int i = 0; i < row.start().length; i++) {
                softmax += row.name()[i] == 1 ? row.duration()[i] : 0;
            }
        }

        assertThat(dom).contains("24 ms selected", "data-loaded=\"true\"").doesNotContain("data-error");
        assertThat(dom).contains(String.format(Locale.ROOT, "%,d ns", softmax));
    }

    private static String data(String page) {
        String open = "<script type=\"text/plain\" id=\"data\">";
        int start = page.indexOf(open) + open.length();
        String data = page.substring(start, page.indexOf("</script>", start));
        return data.startsWith("{") ? data : unpacked(data);
    }

    private static String unpacked(String base64) {
        ByteArrayInputStream packed =
                new ByteArrayInputStream(Base64.getDecoder().decode(base64));
        try (InputStream text = new InflaterInputStream(packed)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> values(JsonParser parser) throws IOException {
        List<String> values = new ArrayList<>();
        parser.nextToken();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.add(parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getText());
        }
        return values;
    }
}
