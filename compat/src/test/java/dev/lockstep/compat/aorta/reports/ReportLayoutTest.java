// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.reports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ReportLayoutTest {
    private static Section sheet(String name, String... heads) {
        return new TableSection(new TableBuilder(
                        name,
                        name,
                        new Schema(Stream.of(heads)
                                .map(head -> ColumnSpec.text(head, "x"))
                                .toList()))
                .row((Object[]) heads)
                .build());
    }

    private static List<String> heads(Table table) {
        return table.schema().columns().stream().map(ColumnSpec::header).toList();
    }

    @Test
    void laterColumnsGoAndCellsStayWithTheirHeads() {
        Report report = ReportLayout.PERFORMANCE.of(new Report(
                "",
                "",
                List.of(
                        sheet("GEMM", "name", "TFLOPS/s_max", "process_name_first", "Compute Spec", "UID_first"),
                        sheet("ops_summary", "name", "total_direct_kernel_time_sum", "Categories", "x", "Count"))));

        assertThat(heads(report.tables().get(0))).containsExactly("name", "TFLOPS/s_max", "UID_first");
        assertThat(report.tables().get(0).strings(2).get(0)).isEqualTo("UID_first");
        assertThat(heads(report.tables().get(1))).containsExactly("name", "total_direct_kernel_time_sum", "Count", "x");
        assertThat(report.tables().get(1).strings(2).get(0)).isEqualTo("Count");
    }

    @Test
    void aColumnThatOnlyOneSheetGotLaterStaysInTheOthers() {
        Report report = ReportLayout.PERFORMANCE.of(new Report(
                "",
                "",
                List.of(
                        sheet("ops_unique_args", "name", "op category"),
                        sheet("ops_summary_by_category", "op category"))));

        assertThat(heads(report.tables().get(0))).containsExactly("name");
        assertThat(heads(report.tables().get(1))).containsExactly("op category");
    }

    @Test
    void laterSheetsGoAndTwoSwapTheirPlaces() {
        Report report = ReportLayout.PERFORMANCE.of(new Report(
                "",
                "",
                List.of(
                        sheet("unified_perf_summary", "a"),
                        sheet("BinaryElementwise", "a"),
                        sheet("other", "a"),
                        sheet("UnaryElementwise", "a"),
                        new NotApplicable("unified_perf_summary", "x"))));

        assertThat(report.tables())
                .extracting(Table::name)
                .containsExactly("UnaryElementwise", "other", "BinaryElementwise");
        assertThat(report.sections()).hasSize(3);
    }
}
