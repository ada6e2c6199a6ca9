// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Chart;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.poi.xssf.usermodel.XSSFChart;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pictures of workbooks as another library reads them. */
class ChartSheetTest {
    @TempDir
    Path folder;

    private static Chart bars() {
        return new Chart.StackedBars(
                "Where <time> goes",
                "Parts & wholes.",
                "ms",
                List.of("computation", "idle"),
                List.of(
                        new Chart.Bar("all", new double[] {3, 1}),
                        new Chart.Bar("x".repeat(300), new double[] {2, Double.NaN})));
    }

    private static Chart points() {
        return new Chart.Scatter(
                "Bandwidth",
                "",
                new Chart.Axis("size (bytes)", true),
                new Chart.Axis("GB/s", true),
                List.of(
                        new Chart.Points(
                                "all_reduce",
                                false,
                                new double[] {4, 1e6, 1e8, Double.NaN},
                                new double[] {0.1, 100, 200, 1},
                                new double[] {0.001, 10, 90, 1},
                                List.of("tiny", "small", "large", "none")),
                        new Chart.Points("none", false, new double[0], new double[0], new double[0], List.of())),
                List.of(new Chart.Polyline("roof", new double[] {1, 10}, new double[] {2, 20})));
    }

    private Path written(CellStyle style, ChartSection... charts) throws IOException {
        Path target = folder.resolve("charts.xlsx");
        new WorkbookWriter().write(new Report("charts", "", List.of(charts)), target, style);
        return target;
    }

    private static List<List<Double>> drawn(XSSFChart chart, String element) {
        List<List<Double>> all = new ArrayList<>();
        String xml = chart.getCTChartSpace().xmlText().replaceAll("<(/?)chart:", "<$1c:");
        assertThat(xml).as("a reference is a formula").doesNotContain("<c:f>");
        Matcher series = Pattern.compile("<c:" + element + "><c:numLit>(.*?)</c:numLit>", Pattern.DOTALL)
                .matcher(xml);
        while (series.find()) {
            Matcher count = Pattern.compile("ptCount val=\"(\\d+)\"").matcher(series.group(1));
            assertThat(count.find()).isTrue();
            Double[] values = new Double[Integer.parseInt(count.group(1))];
            Matcher point = Pattern.compile("idx=\"(\\d+)\"><c:v>([^<]*)</c:v>").matcher(series.group(1));
            while (point.find()) {
                values[Integer.parseInt(point.group(1))] = Double.valueOf(point.group(2));
            }
            all.add(Arrays.asList(values));
        }
        return all;
    }

    @Test
    void picturesDrawTheNumbersBesideThem() throws IOException {
        Path target = written(CellStyle.PLAIN, new ChartSection(bars()), new ChartSection(points()));
        try (XSSFWorkbook book = new XSSFWorkbook(Files.newInputStream(target))) {
            List<XSSFChart> charts =
                    book.getSheet("Charts").getDrawingPatriarch().getCharts();
            assertThat(charts).hasSize(2);
            assertThat(charts.getFirst().getTitleText().getString()).isEqualTo("Where <time> goes");
            assertThat(drawn(charts.getFirst(), "val")).containsExactly(List.of(3.0, 2.0), Arrays.asList(1.0, null));
            assertThat(drawn(charts.getLast(), "xVal"))
                    .as("the heaviest first; four bytes stretch no axis")
                    .containsExactly(List.of(1e8, 1e6), List.of(1.0, 10.0));
            assertThat(drawn(charts.getLast(), "yVal")).containsExactly(List.of(200.0, 100.0), List.of(2.0, 20.0));
        }
    }

    @Test
    void sheetsOfOtherToolsAndSlowPicturesHaveNone() throws IOException {
        ChartSection slow = new ChartSection(
                () -> {
                    throw new AssertionError("nobody asked for it");
                },
                true);
        for (Path target :
                List.of(written(CellStyle.PYTHON, new ChartSection(bars()), slow), written(CellStyle.PLAIN, slow))) {
            try (ZipFile zip = new ZipFile(target.toFile())) {
                assertThat(zip.stream().map(ZipEntry::getName)).noneMatch(name -> name.contains("chart"));
            }
        }
    }

    @Test
    void manyNumbersOfOnePictureLieBesideThoseOfTheNext() throws IOException {
        double[] many = new double[300];
        for (int i = 0; i < many.length; i++) {
            many[i] = i + 1;
        }
        Chart long_ = new Chart.Scatter(
                "long",
                "",
                new Chart.Axis("x", false),
                new Chart.Axis("y", false),
                List.of(new Chart.Points("line", true, many, many, many, Collections.nCopies(300, ""))),
                List.of());
        Path target = written(CellStyle.PLAIN, new ChartSection(long_), new ChartSection(bars()));
        try (XSSFWorkbook book = new XSSFWorkbook(Files.newInputStream(target))) {
            List<XSSFChart> charts =
                    book.getSheet("Charts").getDrawingPatriarch().getCharts();
            assertThat(drawn(charts.getFirst(), "yVal").getFirst()).hasSize(300).endsWith(300.0);
            assertThat(drawn(charts.getLast(), "val")).containsExactly(List.of(3.0, 2.0), Arrays.asList(1.0, null));
        }
        try (ZipFile zip = new ZipFile(target.toFile())) {
            String types = new String(
                    zip.getInputStream(zip.getEntry("[Content_Types].xml")).readAllBytes(), StandardCharsets.UTF_8);
            assertThat(types).contains("/xl/charts/chart1.xml", "/xl/charts/chart2.xml");
        }
    }

    @Test
    void aPictureHasNoMoreSeriesThanExcelShows() throws IOException {
        double[] one = {1};
        Chart crowded = new Chart.Scatter(
                "crowded",
                "",
                new Chart.Axis("x", false),
                new Chart.Axis("y", false),
                Collections.nCopies(20_000, new Chart.Points("cloud", false, one, one, one, List.of("point"))),
                List.of(new Chart.Polyline("roof", new double[] {1, 10}, new double[] {2, 20})));
        Chart parted = new Chart.StackedBars(
                "parted",
                "",
                "",
                Collections.nCopies(20_000, "part"),
                List.of(new Chart.Bar("bar", new double[20_000])));
        Path target = written(CellStyle.PLAIN, new ChartSection(crowded), new ChartSection(parted));
        try (XSSFWorkbook book = new XSSFWorkbook(Files.newInputStream(target))) {
            List<XSSFChart> charts =
                    book.getSheet("Charts").getDrawingPatriarch().getCharts();
            assertThat(drawn(charts.getFirst(), "yVal")).hasSize(255).endsWith(List.of(2.0, 20.0));
            assertThat(drawn(charts.getLast(), "val")).hasSize(255);
        }
    }
}
