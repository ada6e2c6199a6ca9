// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportFactsTest {
    private static List<String> facts(Trace trace) {
        Report report = PerformanceReport.of(trace, ReportOptions.standard());
        return report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .flatMap(s -> ((FactsSection) s).facts().stream())
                .map(f -> f.label() + ": " + f.value())
                .toList();
    }

    @Test
    void rankDevicesCountsAndSpanAreThoseOfTheTrace() {
        EventText events = new EventText()
                .launch("a", 0, 10_000, 20_000, 1, 7)
                .device("gpu_memset", "Memset", 40_000, 5_000, 9, 7, "");
        Trace trace = TestTraces.parse("{\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100\"},"
                + " {\"id\": 1, \"name\": \"NVIDIA H100\"}],"
                + " \"distributedInfo\": {\"rank\": 3, \"world_size\": 8}, \"traceEvents\": [" + events + "]}");
        assertThat(facts(trace))
                .containsExactly(
                        "Rank: 3 of 8",
                        "Devices: 2 × NVIDIA H100",
                        "Measured against: H100",
                        "Events: 5",
                        "Device activities: 2",
                        "Device span: 35 µs");
    }

    @Test
    void whatIsNotRecordedIsSaidToBeSo() {
        assertThat(facts(TestTraces.of(new EventText().kernel("a", 0, 10_000, 1, 7))))
                .contains("Rank: 0", "Devices: not recorded")
                .noneMatch(fact -> fact.startsWith("Measured against"));
    }

    @Test
    void coverageListsDamageWithItsPlaceBeforeObservations() {
        EventText events = new EventText()
                .raw("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"broken\"}")
                .kernel("a", 0, 10_000, 1, 7);
        Table coverage = PerformanceReport.of(
                        TestTraces.parse(TestTraces.document(events.toString())), ReportOptions.standard())
                .tables()
                .getLast();
        assertThat(coverage.name()).isEqualTo("coverage");
        List<String> rows = IntStream.range(0, coverage.rows())
                .mapToObj(row -> cell(coverage, "weight", row) + " " + cell(coverage, "code", row) + " "
                        + cell(coverage, "count", row) + " at " + cell(coverage, "byte", row))
                .toList();
        // The first event begins behind {"traceEvents": [ and a line end, which are 18 bytes.
        assertThat(rows)
                .containsExactly(
                        "repaired ts_missing 1 at 18",
                        "observation no_launch 1 at ",
                        "observation no_rank 1 at ",
                        "observation no_steps 1 at ");
    }

    private static String cell(Table table, String header, int row) {
        return new CellText(table, table.schema().indexOf(header), CellStyle.PLAIN).at(row);
    }
}
