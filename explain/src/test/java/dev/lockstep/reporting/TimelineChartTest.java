// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.memory.AllocatorLog;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineJoined;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.synth.MemoryPlan;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Golden;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineChartTest {
    private static Report report(String name) throws IOException {
        byte[] trace = Files.readAllBytes(Golden.folder("report", name).resolve("trace.json"));
        return PerformanceReport.of(TestTraces.read(trace), ReportOptions.standard());
    }

    private static Timeline timeline(Report report) {
        return report.sections().stream()
                .filter(ChartSection.class::isInstance)
                .map(section -> ((ChartSection) section).chart())
                .filter(Timeline.class::isInstance)
                .map(Timeline.class::cast)
                .filter(line ->
                        line.rows().stream().anyMatch(row -> !row.head().group().isEmpty()))
                .findFirst()
                .orElseThrow();
    }

    private static List<TimelineRow> rows(Timeline timeline, String group) {
        return timeline.rows().stream()
                .filter(row -> row.head().group().equals(group))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"training", "attention", "serving"})
    void inOneRowNothingOverlapsAndStartsAscend(String name) throws IOException {
        Timeline timeline = timeline(report(name));

        assertThat(timeline.rows()).isNotEmpty();
        for (TimelineRow row : timeline.rows()) {
            for (int i = 1; i < row.start().length; i++) {
                assertThat(row.start()[i])
                        .as(row.label())
                        .isGreaterThanOrEqualTo(row.start()[i - 1] + row.duration()[i - 1]);
            }
            int last = row.start().length - 1;
            assertThat(row.start()[last] + row.duration()[last])
                    .isLessThanOrEqualTo(timeline.endNs() - timeline.startNs());
        }
    }

    @Test
    void memoryShowsTheRecordedPeak() throws IOException {
        Trace trace = SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(1).withMemory(MemoryPlan.plain()), 0);
        Timeline timeline = timeline(PerformanceReport.of(trace, ReportOptions.standard()));
        DerivedCache cache = new DerivedCache(trace);
        List<AllocatorLog> logs = cache.get(new AllocatorLog.Key());
        List<TimelineRow> rows = rows(timeline, "memory").stream()
                .filter(row -> row.label().startsWith("memory, "))
                .toList();
        assertThat(rows).hasSameSizeAs(logs).isNotEmpty();
        for (int i = 0; i < rows.size(); i++) {
            AllocatorLog log = logs.get(i);
            long peak = 0;
            for (int event = 0; event < log.size(); event++) {
                peak = Math.max(peak, log.level(event));
            }
            TimelineJoined joined = rows.get(i).joined();
            assertThat(joined).isNotNull();
            assertThat(Arrays.stream(joined.merged()).max().orElse(0)).isEqualTo((peak + 1023) / 1024);
            assertThat(rows.get(i).head().unit()).isEqualTo("KiB");
        }
    }

    @Test
    void aCounterThatChangesTooOftenKeepsItsLargestValue() {
        int n = 100_000;
        long[] times = new long[n];
        int[] values = new int[n];
        for (int i = 0; i < n; i++) {
            times[i] = 10L * i;
            values[i] = i % 7;
        }
        values[77_777] = 1_000;
        TimelineRow row = new CounterLane(new TimelineHead("x", "queue", true), 0, 0)
                .of(times, values, n)
                .row(0, slice -> -1);
        assertThat(row.start().length).isBetween(10_000, 20_001);
        assertThat(Arrays.stream(row.joined().merged()).max()).hasValue(1_000);
        for (int i = 1; i < row.start().length; i++) {
            assertThat(row.start()[i]).isEqualTo(row.start()[i - 1] + row.duration()[i - 1]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"training", "attention", "serving"})
    void thePathIsWithoutGaps(String name) throws IOException {
        TimelineRow path = rows(timeline(report(name)), "path").getFirst();

        for (int i = 1; i < path.start().length; i++) {
            assertThat(path.start()[i]).isEqualTo(path.start()[i - 1] + path.duration()[i - 1]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"training", "attention", "serving"})
    void whatTheDeviceDidIsLinkedToItsLaunch(String name) throws IOException {
        Timeline timeline = timeline(report(name));
        List<String> names = new ArrayList<>();
        for (TimelineRow row : timeline.rows()) {
            Arrays.stream(row.name())
                    .forEach(i -> names.add(timeline.texts().names().get(i)));
        }
        int linked = 0;
        for (TimelineRow row : rows(timeline, "device")) {
            TimelineLinks links = row.links();
            assertThat(links).isNotNull();
            for (int i = 0; i < row.start().length; i++) {
                if (links.cause()[i] >= 0) {
                    linked++;
                    assertThat(names.get(links.cause()[i])).matches("(cuda|hip|cu)[A-Z].*");
                }
            }
        }
        assertThat(linked).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"training", "attention", "serving"})
    void whatFindingsRestOnIsInTheReport(String name) throws IOException {
        Report report = report(name);
        Timeline timeline = timeline(report);
        Map<String, Table> tables =
                report.tables().stream().collect(Collectors.toMap(Table::name, Function.identity()));
        List<Finding> findings = report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .toList();
        for (Finding finding : findings) {
            for (Evidence evidence : finding.evidence()) {
                switch (evidence) {
                    case Evidence.Rows rows -> {
                        assertThat(tables).as(finding.code()).containsKey(rows.sheet());
                        assertThat(rows.lines())
                                .as(finding.code())
                                .isNotEmpty()
                                .allMatch(
                                        line -> line < tables.get(rows.sheet()).rows());
                    }
                    case Evidence.Places places ->
                        assertThat(places.places())
                                .as(finding.code())
                                .isNotEmpty()
                                .allSatisfy(place -> {
                                    assertThat(place.start()).isGreaterThanOrEqualTo(timeline.startNs());
                                    assertThat(place.end()).isLessThanOrEqualTo(timeline.endNs());
                                    assertThat(place.length()).isPositive();
                                });
                    case Evidence.Events events ->
                        assertThat(timeline.texts().names()).as(finding.code()).contains(events.name());
                    case Evidence.Pairs pairs -> assertThat(pairs.pairs()).isNotEmpty();
                    case Evidence.Page page -> assertThat(page.target()).isNotBlank();
                    case Evidence.OfRank one -> assertThat(one.rank()).isNotNegative();
                }
            }
            boolean provable = finding.severity() != Finding.Severity.PROBLEM
                    || finding.code().startsWith("input_")
                    || !finding.evidence().isEmpty();
            assertThat(provable).as("evidence of " + finding.code()).isTrue();
        }
        assertThat(findings).anyMatch(finding -> !finding.evidence().isEmpty());
    }

    @Test
    void countersAreRowsThatHoldTheirExtremes() throws IOException {
        StringBuilder events = new StringBuilder();
        double[] watts = {250.5, 612.25, 90, 700.125};
        for (int i = 0; i < watts.length; i++) {
            events.append(String.format(
                    java.util.Locale.ROOT,
                    "{\"ph\":\"C\",\"name\":\"power\",\"pid\":\"GPU 0"
                            + " Counters\",\"ts\":%d,\"args\":{\"W\":%s,\"drop\":%s}},",
                    100 + 10 * i,
                    watts[i],
                    -1 - i));
        }
        Report report = PerformanceReport.of(
                TestTraces.read(("{\"traceEvents\":[" + events
                                + "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":100,\"dur\":60,\"args\":{\"device\":0,\"stream\":7}}]}")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                ReportOptions.standard());
        Timeline timeline = timeline(report);
        List<TimelineRow> rows = rows(timeline, "counters");
        assertThat(rows).hasSize(1);
        TimelineRow row = rows.getFirst();
        assertThat(row.label()).contains("power", "W");
        double[] shown = Arrays.stream(row.joined().merged())
                .mapToDouble(value -> value * row.head().step())
                .toArray();
        assertThat(shown).containsExactly(watts, org.assertj.core.data.Offset.offset(1e-5));
        assertThat(row.duration()).containsOnly(10_000);
        assertThat(timeline.doc()).contains("negative", ": 1.");
    }
}
