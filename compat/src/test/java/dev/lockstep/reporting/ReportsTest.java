// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compat.tracelens.TraceLensReport;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.Golden;
import dev.lockstep.testkit.RawEvents;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import dev.lockstep.write.CsvWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportsTest {
    private static final ReportOptions ALL = ReportOptions.standard()
            .with(new ReportOptions.Times(5_000, false, false, null))
            .with(new ReportOptions.Operators(true, false, true, false, false))
            .with(new ReportOptions.Kernels(true, true, 10_000, 10));

    @TempDir
    Path folder;

    private static Report report(Trace trace) {
        return PerformanceReport.of(trace, ReportOptions.standard());
    }

    /** Every sheet as lines of text. */
    private static Map<String, String> sheets(Report report) {
        Map<String, String> sheets = new TreeMap<>();
        for (Table table : report.tables()) {
            List<String> lines = new ArrayList<>();
            for (int row = 0; row < table.rows(); row++) {
                List<String> cells = new ArrayList<>();
                for (int column = 0; column < table.schema().size(); column++) {
                    cells.add(new CellText(table, column, CellStyle.PLAIN).at(row));
                }
                lines.add(String.join(" | ", cells));
            }
            sheets.put(table.name(), String.join("\n", lines));
        }
        return sheets;
    }

    private static List<String> notApplicable(Report report) {
        return report.sections().stream()
                .filter(Section.NotApplicable.class::isInstance)
                .map(s -> ((Section.NotApplicable) s).name())
                .toList();
    }

    private static String finding(Report report, String code) {
        for (Section section : report.sections()) {
            if (section instanceof Section.FindingsSection findings) {
                for (Finding finding : findings.findings()) {
                    if (finding.code().equals(code)) {
                        return finding.text();
                    }
                }
            }
        }
        throw new AssertionError("no finding " + code);
    }

    @Test
    void sheetsOfATinyTraceAreAsReviewed() throws IOException {
        Path golden = Golden.folder("report", "tiny");
        Trace trace = TestTraces.read(Files.readAllBytes(golden.resolve("trace.json")));
        assertThat(trace.diagnostics().problems()).isEmpty();
        Path plain = Files.createDirectory(folder.resolve("default"));
        new CsvWriter().write(PerformanceReport.of(trace, ALL), plain, CellStyle.PLAIN);
        Path python = Files.createDirectory(folder.resolve("tracelens"));
        new CsvWriter().write(TraceLensReport.of(trace, ALL), python, CellStyle.PYTHON);
        Golden.check(plain, golden.resolve("default"));
        Golden.check(python, golden.resolve("tracelens"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void orderOfEventsLeavesNoMarkOnTheSheets(long seed) throws IOException {
        byte[] content =
                SyntheticRun.bytes(SyntheticTraces.smallRecipe(2).withSeed(seed).withSteps(1), 0);
        Map<String, String> wanted = sheets(report(TestTraces.read(content)));
        assertThat(wanted).containsKeys("gpu_timeline", "ops_summary", "ops_unique_args", "kernel_summary");
        byte[] shuffled = RawEvents.of(content).shuffled(seed);
        assertThat(sheets(report(TestTraces.read(shuffled)))).isEqualTo(wanted);
    }

    @Test
    void aTraceOfTheHostAloneHasHostSheets() {
        Trace trace = TestTraces.of(new EventText().op("aten::mm", 0, 100_000).op("aten::add", 10_000, 20_000));
        Report report = report(trace);
        assertThat(sheets(report))
                .containsKeys("host_summary", "host_ops_unique_args", "host_threads", "coverage")
                .doesNotContainKeys("gpu_timeline", "ops_summary");
        assertThat(notApplicable(report)).contains("gpu_timeline").doesNotContain("ops_summary", "kernel_summary");
        assertThat(finding(report, "no_device_activity")).contains("only the CPU was recorded");
        assertThat(notApplicable(TraceLensReport.of(trace, ALL))).contains("gpu_timeline");
    }

    @Test
    void aTraceOfTheDeviceAloneHasDeviceSheets() {
        Trace trace =
                TestTraces.of(new EventText().kernel("gemm", 0, 100_000, 1, 7).kernel("short", 110_000, 2_000, 2, 7));
        Report report = report(trace);
        assertThat(sheets(report))
                .containsKeys("gpu_timeline", "kernel_summary", "short_kernels_summary")
                .doesNotContainKeys("host_summary", "ops_summary");
        Table kernels = report.tables().stream()
                .filter(t -> t.name().equals("kernel_summary"))
                .findFirst()
                .orElseThrow();
        assertThat(kernels.schema().indexOf("Parent cpu_op")).isEqualTo(-1);
        assertThat(sheets(TraceLensReport.of(trace, withUnlinked()))).containsKeys("gpu_timeline", "kernel_summary");
    }

    private static ReportOptions withUnlinked() {
        return ReportOptions.standard().with(new ReportOptions.Kernels(true, true, 10_000, 10));
    }

    @Test
    void columnsAreDescribedAndTheirHeadersDiffer() {
        Trace trace = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(2), 0);
        List<Table> tables = new ArrayList<>(PerformanceReport.of(trace, ALL).tables());
        tables.addAll(TraceLensReport.of(trace, ALL).tables());
        for (Table table : tables) {
            List<ColumnSpec> columns = table.schema().columns();
            assertThat(columns).extracting(ColumnSpec::doc).allMatch(doc -> doc.endsWith("."));
            assertThat(columns).extracting(ColumnSpec::header).doesNotHaveDuplicates();
            assertThat(columns)
                    .extracting(ColumnSpec::id)
                    .doesNotHaveDuplicates()
                    .allMatch(id -> id.matches("[a-z0-9_]+"));
        }
    }

    @Test
    void aLaunchBoundTraceIsCalledSo() {
        EventText events = new EventText();
        int kernels = 50;
        long busy = 10_000;
        long gap = 15_000;
        for (int i = 0; i < kernels; i++) {
            long start = i * (busy + gap);
            events.op("aten::add", start - 6_000, 5_500).launch("small", start - 5_000, start, busy, i + 1, 7);
        }
        long total = kernels * busy + (kernels - 1) * gap;
        double share = 100.0 * (kernels - 1) * gap / total;
        String text = finding(report(TestTraces.of(events)), "idle");
        assertThat(text)
                .startsWith(String.format(
                        Locale.ROOT,
                        "The device is idle %.0f %% of the time (%d µs of ",
                        share,
                        (kernels - 1) * gap / 1000))
                .contains("in 49 gaps. Most of it is in 49 gaps under 20 µs.")
                .endsWith("100 % of it is launch-bound: the CPU had not yet launched the next work.");
    }

    @Test
    void gapsThoughTheWorkWasLaunchedAreTheDevices() {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            events.launch("k", i * 2_000L, 1_000_000 + i * 100_000L, 50_000, i + 1, 7);
        }
        assertThat(finding(report(TestTraces.of(events)), "idle"))
                .startsWith("The device is idle 47 % of the time (450 µs of 950 µs) in 9 gaps.")
                .endsWith("Most of it is a wait on the device: the next work was already launched.");
    }

    @Test
    void exposedCommunicationIsNamed() {
        EventText events = new EventText();
        for (int i = 0; i < 10; i++) {
            long at = i * 1_000_000L;
            events.launch("gemm", at, at + 10_000, 600_000, 2 * i + 1, 7)
                    .launch("ncclDevKernel_AllReduce", at + 5_000, at + 500_000, 500_000, 2 * i + 2, 20);
        }
        // Of 500 us each, 110 us run beside the GEMM; the span ends with the last collective.
        assertThat(finding(report(TestTraces.of(events)), "exposed_communication"))
                .isEqualTo(
                        "Exposed communication takes 3.90 ms (39 % of the time). Compute overlaps 22 % of the 5 ms of"
                                + " communication.");
    }

    @Test
    void tellingRecomputationApartDoesNotMoveTheHeadlines() {
        EventText events = new EventText();
        events.op("first", 0, 10_000).launch("k1", 1_000, 100_000, 40_000, 1, 7);
        events.python("torch/utils/checkpoint.py(1200): recompute_fn", 20_000, 30_000);
        events.op("again", 25_000, 10_000).launch("k2", 26_000, 140_000, 40_000, 2, 7);
        events.op("last", 61_000, 10_000).launch("k3", 62_000, 180_000, 20_000, 3, 7);
        Trace trace = TestTraces.of(events);
        ReportOptions apart = ReportOptions.standard().with(new ReportOptions.Times(-1, true, true, null));
        assertThat(sheets(PerformanceReport.of(trace, apart)).get("gpu_timeline"))
                .contains("idle_time | 0.04 | 40");
        assertThat(finding(PerformanceReport.of(trace, apart), "busy"))
                .isEqualTo(finding(report(trace), "busy"))
                .isEqualTo("The device is busy 100 % of the time (100 µs).");
    }

    @Test
    void callsThatLaunchAreNotPassedOffAsOperators() {
        Report report = report(TestTraces.of(new EventText().launch("k", 0, 10_000, 50_000, 1, 7)));
        assertThat(finding(report, "no_operators")).startsWith("CPU operators were not recorded.");
    }

    @Test
    void ofManyStreamsTheBusiestAreDrawn() {
        EventText events = new EventText();
        for (int i = 0; i < 30; i++) {
            events.launch("k", i * 2_000L, 1_000_000 + i * 100_000L, i < 29 ? 50_000 : 90_000, i + 1, i);
        }
        Report report = report(TestTraces.of(events));
        List<Chart> charts = report.sections().stream()
                .filter(Section.ChartSection.class::isInstance)
                .map(s -> ((Section.ChartSection) s).chart())
                .toList();
        assertThat(charts)
                .anySatisfy(chart -> assertThat(chart)
                        .isInstanceOfSatisfying(
                                Chart.StackedBars.class,
                                bars -> assertThat(bars.bars())
                                        .extracting(Chart.Bar::label)
                                        .contains("device 0 stream 29")
                                        .filteredOn(label -> label.startsWith("device"))
                                        .hasSize(12)));
        assertThat(charts)
                .anySatisfy(chart -> assertThat(chart)
                        .isInstanceOfSatisfying(
                                Chart.Timeline.class,
                                lines -> assertThat(lines.rows())
                                        .filteredOn(row -> row.head().group().equals("device"))
                                        .hasSize(24)
                                        .extracting(Chart.TimelineRow::label)
                                        .contains("device 0 · stream 29")));
    }

    @Test
    void problemsOfTheInputAreFindings() {
        Trace trace = TestTraces.parse(
                "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1, \"dur\": 5},");
        assertThat(finding(report(trace), "input_truncated")).startsWith("1 × truncated");
        assertThat(sheets(report(trace)).get("coverage")).contains("loss | truncated | 1");
    }
}
