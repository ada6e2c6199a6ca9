// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.HostThreads;
import dev.lockstep.analyze.work.HostAnnotations;
import dev.lockstep.analyze.work.HostFrames;
import dev.lockstep.analyze.work.HostOperators;
import dev.lockstep.analyze.work.HostSummary;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of traces in which no device did anything. */
class HostReportTest {
    private static final AnalysisRules RULES = AnalysisRules.standard();
    private static final String SMALL = "\"Input Dims\": [[2, 3], [3, 4]], \"Input type\": [\"float\", \"float\"]";
    private static final String LARGE = "\"Input Dims\": [[20, 30], [30, 40]], \"Input type\": [\"float\", \"float\"]";

    /** Two steps on the main thread, which calls itself in Python once, and a loader beside it. */
    private static EventText training() {
        return new EventText()
                .annotation("ProfilerStep#4", 0, 100_000)
                .annotation("ProfilerStep#5", 100_000, 50_000)
                .python("train.py(9): walk", 0, 140_000)
                .python("train.py(9): walk", 10_000, 60_000)
                .op("aten::linear", 20_000, 40_000)
                .op("aten::mm", 25_000, 30_000, SMALL)
                .op("aten::mm", 80_000, 50_000, LARGE)
                .complete("cpu_op", "aten::stack", "1", "2", 0, 15_000, "");
    }

    @Test
    void shapesAreCountedAndSummedWhateverTheTypesAre() {
        String other = SMALL.replace("\"float\", \"float\"", "\"double\", \"float\"");
        EventText events = new EventText()
                .op("aten::mm", 0, 30_000, SMALL)
                .op("aten::mm", 40_000, 30_000, other)
                .op("aten::mm", 80_000, 40_000, LARGE);
        assertThat(Said.all(report(events)))
                .contains("INFO top_host_shapes: aten::mm with [[2, 3], [3, 4]] takes 60 % of CPU operator time. "
                        + "It is called with 2 sets of shapes.");
    }

    private static Report report(EventText events) {
        return PerformanceReport.of(TestTraces.of(events), ReportOptions.standard());
    }

    @Test
    void whoAsksForAPathIsToldWhyThereIsNone() {
        ReportOptions asked = ReportOptions.standard().with(new ReportOptions.Paths("all", List.of("host=x0.5")));
        Report report = PerformanceReport.of(TestTraces.of(training()), asked);

        assertThat(report.sections())
                .filteredOn(NotApplicable.class::isInstance)
                .extracting(section -> ((NotApplicable) section).name())
                .containsExactly("gpu_timeline", "critical_path_summary", "what_if");
    }

    @Test
    void theHostHasSheetsAChartAndFindingsInPlaceOfWordsAboutTheDevice() {
        Report report = report(training());

        assertThat(report.tables())
                .extracting(Table::name)
                .contains("host_summary", "host_ops_unique_args", "host_threads", "host_frames", "host_annotations");
        assertThat(report.sections())
                .filteredOn(NotApplicable.class::isInstance)
                .hasSize(1);
        assertThat(report.sections())
                .filteredOn(ChartSection.class::isInstance)
                .singleElement()
                .extracting(s -> ((Chart.Timeline) ((ChartSection) s).chart())
                        .rows().stream()
                                .map(row -> row.head().group() + " " + row.label() + " " + row.start().length)
                                .toList())
                .isEqualTo(List.of(
                        "steps steps 2",
                        "annotations thread 1 · annotations 2",
                        "host thread 1 2",
                        "host  1",
                        "host thread 2 1",
                        "python thread 1 · Python 1",
                        "python  1"));
        assertThat(Said.all(report))
                .containsExactly(
                        "INFO no_device_activity: The trace has no device activity: only the CPU was recorded.",
                        "INFO host_threads: Operators and calls take 60 % of the 150 µs on thread 1. It is the "
                                + "busiest of 2 threads with any.",
                        "INFO top_host_operator: aten::mm takes 76 % of CPU operator and call time (80 µs in 2 "
                                + "calls).",
                        "INFO top_host_shapes: aten::mm with [[20, 30], [30, 40]] takes 48 % of CPU operator "
                                + "time. It is called with 2 sets of shapes.",
                        "INFO top_frame: Of Python's own time, train.py(9): walk takes 100 % (50 µs in 2 calls).",
                        "INFO top_annotation: The annotation with the most own time is ProfilerStep#N: 150 µs in "
                                + "2 ranges.");
    }

    @Test
    void operatorsAreToldApartByShapes() {
        HostOperators.Result result = new HostOperators(RULES).run(new DerivedCache(TestTraces.of(training())));

        assertThat(result.rows())
                .extracting(r -> r.name() + " " + r.dims() + " " + r.count() + " " + r.self() + " " + r.total())
                .containsExactly(
                        "aten::mm [[20, 30], [30, 40]] 1 50000 50000",
                        "aten::mm [[2, 3], [3, 4]] 1 30000 30000",
                        "aten::stack null 1 15000 15000",
                        "aten::linear null 1 10000 40000");
    }

    @Test
    void aFrameInsideOfOneOfTheSameNameCountsOnceInTheTotal() {
        HostFrames.Result result = new HostFrames(RULES).run(new DerivedCache(TestTraces.of(training())));

        // outer: 140 - 60 - 50 of aten::mm; inner: 60 - 40
        assertThat(result.rows()).containsExactly(new HostFrames.Row("train.py(9): walk", 2, 50_000, 140_000, 140_000));
    }

    @Test
    void stepsOfTheProfilerAreOneAnnotation() {
        HostAnnotations.Result result = new HostAnnotations().run(new DerivedCache(TestTraces.of(training())));

        assertThat(result.rows())
                .containsExactly(
                        new HostAnnotations.Row("ProfilerStep#N", 2, 150_000, 150_000, 75_000, 50_000, 100_000, 0));
    }

    /** Nested operators on three threads: what they take themselves is when their threads were in any. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void selfTimesAddUpToTheTimeOfThreads(int seed) {
        Random random = new Random(seed);
        EventText events = new EventText();
        for (int thread = 1; thread <= 3; thread++) {
            nest(events, random, thread, 0, 100_000, 0);
        }
        DerivedCache cache = new DerivedCache(TestTraces.of(events));

        long self = new HostSummary(RULES)
                .run(cache).rows().stream().mapToLong(HostSummary.Row::self).sum();
        long byShapes = new HostOperators(RULES)
                .run(cache).rows().stream().mapToLong(HostOperators.Row::self).sum();
        long working = new HostThreads()
                .run(cache).rows().stream().mapToLong(r -> r.working().total()).sum();
        assertThat(self).isPositive().isEqualTo(working).isEqualTo(byShapes);
    }

    private static void nest(EventText events, Random random, int thread, long from, long to, int depth) {
        long at = from;
        while (at < to && depth < 4) {
            long end = Math.min(to, at + 1 + random.nextInt((int) Math.max(1, (to - from) / 3)));
            if (random.nextInt(4) > 0) {
                String name = "op" + random.nextInt(5);
                events.complete(
                        "cpu_op", name, "1", Integer.toString(thread), at, end - at, random.nextBoolean() ? SMALL : "");
                nest(events, random, thread, at, end, depth + 1);
            }
            at = end + random.nextInt(500);
        }
    }

    @Test
    void aDeviceThatWorkedLeavesTheReportAsItIs() {
        Report report = report(training().launch("gemm", 21_000, 30_000, 5_000, 1, 7));

        assertThat(report.tables())
                .extracting(Table::name)
                .contains("host_summary")
                .doesNotContain("host_threads");
    }

    @Test
    void slicesOfOtherProgramsAreListedByName() {
        EventText events = new EventText()
                .complete("gfx", "Draw", "1", "1", 0, 30_000, "")
                .complete("gfx", "Swap", "1", "1", 40_000, 5_000, "")
                .complete("gfx", "Draw", "1", "1", 50_000, 20_000, "");
        HostAnnotations.Result result = new HostAnnotations().run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.annotations()).isFalse();
        assertThat(result.rows())
                .containsExactly(
                        new HostAnnotations.Row("Draw", 2, 50_000, 50_000, 25_000, 20_000, 30_000, 0),
                        new HostAnnotations.Row("Swap", 1, 5_000, 5_000, 5_000, 5_000, 5_000, 40_000));
        assertThat(Said.of(TestTraces.of(events), "top_annotation"))
                .containsExactly("INFO top_annotation: The range with the most own time is Draw: 50 µs in 2 ranges.");
    }

    /** exec is nested in itself, and what it calls takes the time; a second track shows the same range again. */
    @Test
    void nestedAndDoubledRangesCountOnce() {
        EventText events = new EventText()
                .complete("fee", "exec", "1", "1", 0, 100_000, "")
                .complete("fee", "exec", "1", "1", 1_000, 98_000, "")
                .complete("fee", "work", "1", "1", 2_000, 90_000, "")
                .complete("fee", "work", "1", "2", 2_000, 90_000, "")
                .complete("fee", "late", "1", "1", 95_000, 10_000, "");
        HostAnnotations.Result result = new HostAnnotations().run(new DerivedCache(TestTraces.of(events)));

        assertThat(result.rows())
                .containsExactly(
                        new HostAnnotations.Row("work", 1, 90_000, 90_000, 90_000, 90_000, 90_000, 2_000),
                        new HostAnnotations.Row("late", 1, 10_000, 10_000, 10_000, 10_000, 10_000, 95_000),
                        new HostAnnotations.Row("exec", 2, 5_000, 100_000, 99_000, 98_000, 100_000, 0));
    }
}
