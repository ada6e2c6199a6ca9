// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Finding;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every table, sentence and picture of a comparison of two small reports, in numbers that can be checked by hand. */
class ReportNumbersTest {
    private static SheetSet a() {
        return new SheetSet(
                "a",
                "a.xlsx",
                List.of(
                        Shown.sheet(
                                "gpu_timeline",
                                "type|time ms|percent",
                                "computation_time|60|60",
                                "exposed_comm_time|20|20",
                                "exposed_memcpy_time|5|5",
                                "busy_time|85|85",
                                "idle_time|15|15",
                                "total_time|100|100",
                                "total_comm_time|40|40"),
                        Shown.sheet(
                                "ops_summary_by_category",
                                "op category|Count|total_direct_kernel_time_ms",
                                "GEMM|10|50",
                                "elementwise|20|12"),
                        Shown.sheet(
                                "ops_summary",
                                "name|Count|total_direct_kernel_time_ms",
                                "aten::mm|10|50",
                                "aten::add|20|12"),
                        Shown.sheet(
                                "kernel_summary",
                                "Parent op category|Kernel name|Kernel duration (µs)_sum|Kernel duration (µs)_count",
                                "GEMM|gemm_a|30000|6",
                                "GEMM|gemm_b|20000|4",
                                "|copy|5000|5",
                                "|nccl|40000|4"),
                        Shown.sheet(
                                "GEMM",
                                "name|param: M|name_count|Kernel Time (µs)_sum|TFLOPS/s_mean|TB/s_mean",
                                "aten::mm|128|6|30000|100|1",
                                "aten::mm|256|4|20000|200|2")));
    }

    private static SheetSet b() {
        return new SheetSet(
                "b",
                "b.xlsx",
                List.of(
                        Shown.sheet(
                                "gpu_timeline",
                                "type|time ms|percent",
                                "computation_time|70|58.3",
                                "exposed_comm_time|25|20.8",
                                "exposed_memcpy_time|5|4.2",
                                "exposed_other_time|2|1.7",
                                "busy_time|102|85",
                                "idle_time|18|15",
                                "total_time|120|100",
                                "total_comm_time|50|41.7"),
                        Shown.sheet(
                                "ops_summary_by_category",
                                "op category|Count|total_direct_kernel_time_ms",
                                "GEMM|12|60",
                                "elementwise|20|10"),
                        Shown.sheet(
                                "ops_summary",
                                "name|Count|total_direct_kernel_time_ms",
                                "aten::mm|12|60",
                                "aten::add|20|10",
                                "aten::mul|1|0.1"),
                        Shown.sheet(
                                "kernel_summary",
                                "Parent op category|Kernel name|Kernel duration (µs)_sum|Kernel duration (µs)_count",
                                "GEMM|gemm_a|40000|8",
                                "GEMM|gemm_b|18000|4",
                                "|nccl|50000|4",
                                "|fill|2000|1"),
                        Shown.sheet(
                                "GEMM",
                                "name|param: M|name_count|Kernel Time (µs)_sum|TFLOPS/s_mean|TB/s_mean",
                                "aten::mm|128|8|40000|100|1",
                                "aten::mm|256|4|18000|220|2.2")));
    }

    private static RunComparison.Result result(SheetSet... reports) {
        return RunComparison.of(List.of(reports), sheet -> true);
    }

    private static Table table(String name) {
        return Shown.named(result(a(), b()).tables(), name);
    }

    private static List<Finding> findings(SheetSet... reports) {
        return ComparisonFindings.of(result(reports));
    }

    @Test
    void theOverviewSaysWhereTheTimeGoes() {
        assertThat(Shown.heads(table("overview"))).isEqualTo("""
            report
            total time ms
            difference ms
            difference %
            computation ms
            exposed communication ms
            exposed copies ms
            exposed other ms
            not told apart ms
            idle ms
            busy ms
            idle %
            """);
        assertThat(Shown.of(table("overview"))).isEqualTo("""
            a | 100 | 0 | 0 | 60 | 20 | 5 | 0 | 0 | 15 | 85 | 15
            b | 120 | 20 | 20 | 70 | 25 | 5 | 2 | 0 | 18 | 102 | 15
            """);
    }

    @Test
    void partsAddUpToTheDifference() {
        assertThat(Shown.heads(table("contributions_by_part"))).isEqualTo("""
            candidate
            part
            in
            baseline ms
            candidate ms
            difference ms
            difference %
            share of difference %
            baseline count
            candidate count
            by count ms
            by duration ms
            """);
        assertThat(Shown.of(table("contributions_by_part"))).isEqualTo("""
            b | computation | both | 60 | 70 | 10 | 16.667 | 50 | - | - | - | -
            b | exposed communication | both | 20 | 25 | 5 | 25 | 25 | - | - | - | -
            b | idle | both | 15 | 18 | 3 | 20 | 15 | - | - | - | -
            b | exposed other | both | 0 | 2 | 2 | - | 10 | - | - | - | -
            b | exposed copies | both | 5 | 5 | 0 | 0 | 0 | - | - | - | -
            """);
    }

    @Test
    void categoriesAddUpToTheDifference() {
        assertThat(Shown.heads(table("contributions_by_category"))).isEqualTo("""
            candidate
            category
            in
            baseline ms
            candidate ms
            difference ms
            difference %
            share of difference %
            baseline count
            candidate count
            by count ms
            by duration ms
            """);
        assertThat(Shown.of(table("contributions_by_category"))).isEqualTo("""
            b | GEMM | both | 50 | 60 | 10 | 20 | 50 | 10 | 12 | 10 | 0
            b | elementwise | both | 12 | 10 | -2 | -16.667 | -10 | 20 | 20 | 0 | -2
            b | (overlap and work not listed) |  | 23 | 32 | 9 | 39.13 | 45 | - | - | - | -
            b | (idle) |  | 15 | 18 | 3 | 20 | 15 | - | - | - | -
            """);
    }

    @Test
    void operatorsAddUpToTheDifference() {
        assertThat(Shown.heads(table("contributions_by_operator"))).isEqualTo("""
            candidate
            operator
            in
            baseline ms
            candidate ms
            difference ms
            difference %
            share of difference %
            baseline count
            candidate count
            by count ms
            by duration ms
            """);
        assertThat(Shown.of(table("contributions_by_operator"))).isEqualTo("""
            b | aten::mm | both | 50 | 60 | 10 | 20 | 50 | 10 | 12 | 10 | 0
            b | aten::add | both | 12 | 10 | -2 | -16.667 | -10 | 20 | 20 | 0 | -2
            b | aten::mul | candidate only | 0 | 0.1 | 0.1 | - | 0.5 | 0 | 1 | 0.1 | 0
            b | (overlap and work not listed) |  | 23 | 31.9 | 8.9 | 38.696 | 44.5 | - | - | - | -
            b | (idle) |  | 15 | 18 | 3 | 20 | 15 | - | - | - | -
            """);
    }

    @Test
    void kernelsAddUpToTheDifference() {
        assertThat(Shown.heads(table("contributions_by_kernel"))).isEqualTo("""
            candidate
            kernel
            in
            baseline ms
            candidate ms
            difference ms
            difference %
            share of difference %
            baseline count
            candidate count
            by count ms
            by duration ms
            """);
        assertThat(Shown.of(table("contributions_by_kernel"))).isEqualTo("""
            b | gemm_a | both | 30 | 40 | 10 | 33.333 | 50 | 6 | 8 | 10 | 0
            b | nccl | both | 40 | 50 | 10 | 25 | 50 | 4 | 4 | 0 | 10
            b | copy | baseline only | 5 | 0 | -5 | -100 | -25 | 5 | 0 | -5 | 0
            b | fill | candidate only | 0 | 2 | 2 | - | 10 | 0 | 1 | 2 | 0
            b | gemm_b | both | 20 | 18 | -2 | -10 | -10 | 4 | 4 | 0 | -2
            b | (overlap and work not listed) |  | -10 | -8 | 2 | -20 | 10 | - | - | - | -
            b | (idle) |  | 15 | 18 | 3 | 20 | 15 | - | - | - | -
            """);
    }

    @Test
    void timelinesStandSideBySide() {
        assertThat(Shown.heads(table("gpu_timeline"))).isEqualTo("""
            type
            in
            time ms__b_diff
            time ms__b_pct
            a::time ms
            b::time ms
            """);
        assertThat(Shown.of(table("gpu_timeline"))).isEqualTo("""
            total_time | all | 20 | 20 | 100 | 120
            busy_time | all | 17 | 20 | 85 | 102
            computation_time | all | 10 | 16.667 | 60 | 70
            total_comm_time | all | 10 | 25 | 40 | 50
            exposed_comm_time | all | 5 | 25 | 20 | 25
            idle_time | all | 3 | 20 | 15 | 18
            exposed_memcpy_time | all | 0 | 0 | 5 | 5
            exposed_other_time | b | 2 | - | - | 2
            """);
    }

    @Test
    void categoriesStandSideBySide() {
        assertThat(Shown.heads(table("ops_summary_by_category"))).isEqualTo("""
            op category
            in
            time ms__b_diff
            time ms__b_pct
            a::time ms
            a::count
            a::mean us
            b::time ms
            b::count
            b::mean us
            """);
        assertThat(Shown.of(table("ops_summary_by_category"))).isEqualTo("""
            GEMM | all | 10 | 20 | 50 | 10 | 5000 | 60 | 12 | 5000
            elementwise | all | -2 | -16.667 | 12 | 20 | 600 | 10 | 20 | 500
            """);
    }

    @Test
    void operatorsStandSideBySide() {
        assertThat(Shown.heads(table("ops_summary"))).isEqualTo("""
            name
            in
            time ms__b_diff
            time ms__b_pct
            a::time ms
            a::count
            a::mean us
            b::time ms
            b::count
            b::mean us
            """);
        assertThat(Shown.of(table("ops_summary"))).isEqualTo("""
            aten::mm | all | 10 | 20 | 50 | 10 | 5000 | 60 | 12 | 5000
            aten::add | all | -2 | -16.667 | 12 | 20 | 600 | 10 | 20 | 500
            aten::mul | b | 0.1 | - | - | - | - | 0.1 | 1 | 100
            """);
    }

    @Test
    void kernelsStandSideBySide() {
        assertThat(Shown.heads(table("kernel_summary"))).isEqualTo("""
            Kernel name
            in
            time ms__b_diff
            time ms__b_pct
            a::time ms
            a::count
            a::mean us
            b::time ms
            b::count
            b::mean us
            """);
        assertThat(Shown.of(table("kernel_summary"))).isEqualTo("""
            nccl | all | 10 | 25 | 40 | 4 | 10000 | 50 | 4 | 12500
            gemm_a | all | 10 | 33.333 | 30 | 6 | 5000 | 40 | 8 | 5000
            gemm_b | all | -2 | -10 | 20 | 4 | 5000 | 18 | 4 | 4500
            copy | a | -5 | -100 | 5 | 5 | 1000 | - | - | -
            fill | b | 2 | - | - | - | - | 2 | 1 | 2000
            """);
    }

    @Test
    void familiesStandSideBySideByParameters() {
        assertThat(Shown.heads(table("GEMM"))).isEqualTo("""
            name
            param: M
            in
            time ms__b_diff
            time ms__b_pct
            a::time ms
            a::count
            a::mean us
            a::TFLOPS/s_mean
            a::TB/s_mean
            b::time ms
            b::count
            b::mean us
            b::TFLOPS/s_mean
            b::TB/s_mean
            """);
        assertThat(Shown.of(table("GEMM"))).isEqualTo("""
            aten::mm | 128 | all | 10 | 33.333 | 30 | 6 | 5000 | 100 | 1 | 40 | 8 | 5000 | 100 | 1
            aten::mm | 256 | all | -2 | -10 | 20 | 4 | 5000 | 200 | 2 | 18 | 4 | 4500 | 220 | 2.2
            """);
    }

    @Test
    void wordsSayWhatMadeItSlowerOrFaster() {
        assertThat(Shown.findings(findings(a(), b()))).isEqualTo("""
            PROBLEM slower: b takes 20 ms (20 %) more than a: 120 ms against 100 ms. Without steps to compare, noise \
            cannot be ruled out.
            NOTICE slower_part: b, by part: computation takes 10 ms more (+17 %). That is 50 % of the difference in \
            total time.
            NOTICE slower_part: b, by part: exposed communication takes 5 ms more (+25 %). That is 25 % of the \
            difference in total time.
            NOTICE slower_part: b, by part: idle takes 3 ms more (+20 %). That is 15 % of the difference in total time.
            NOTICE slower_category: b, by category: GEMM takes 10 ms more (+20 %). There are 12 instead of 10. That is \
            50 % of the difference in total time.
            NOTICE slower_operator: b, by operator: aten::mm takes 10 ms more (+20 %). There are 12 instead of 10. That \
            is 50 % of the difference in total time.
            NOTICE slower_kernel: b, by kernel: gemm_a takes 10 ms more (+33 %). There are 8 instead of 6. That is 50 % \
            of the difference in total time.
            NOTICE slower_kernel: b, by kernel: nccl takes 10 ms more (+25 %). On average each one takes longer. That is \
            50 % of the difference in total time.
            NOTICE slower_kernel: b, by kernel: fill takes 2 ms more (only here). That is 10 % of the difference in \
            total time.
            NOTICE other_kernels: Kernels of 5 ms run only in the baseline, kernels of 2 ms only in b. Names differ \
            between devices and library versions.
            """);
        assertThat(Shown.findings(findings(b(), a()))).isEqualTo("""
            NOTICE faster: a takes 20 ms (17 %) less than b: 100 ms against 120 ms. Without steps to compare, noise cannot be ruled out.
            NOTICE faster_part: a, by part: computation takes 10 ms less (-14 %). That is 50 % of the difference in total time.
            NOTICE faster_part: a, by part: exposed communication takes 5 ms less (-20 %). That is 25 % of the difference in total time.
            NOTICE faster_part: a, by part: idle takes 3 ms less (-17 %). That is 15 % of the difference in total time.
            NOTICE faster_category: a, by category: GEMM takes 10 ms less (-17 %). There are 10 instead of 12. That is 50 % of the difference in total time.
            NOTICE slower_category: a, by category: elementwise takes 2 ms more (+20 %). On average each one takes longer.
            NOTICE faster_operator: a, by operator: aten::mm takes 10 ms less (-17 %). There are 10 instead of 12. That is 50 % of the difference in total time.
            NOTICE slower_operator: a, by operator: aten::add takes 2 ms more (+20 %). On average each one takes longer.
            NOTICE faster_kernel: a, by kernel: gemm_a takes 10 ms less (-25 %). There are 6 instead of 8. That is 50 % of the difference in total time.
            NOTICE faster_kernel: a, by kernel: nccl takes 10 ms less (-20 %). On average each one is shorter. That is 50 % of the difference in total time.
            NOTICE slower_kernel: a, by kernel: copy takes 5 ms more (only here).
            NOTICE other_kernels: Kernels of 2 ms run only in the baseline, kernels of 5 ms only in a. Names differ between devices and library versions.
            """);
    }

    @Test
    void picturesShowTheSameNumbers() {
        assertThat(result(a(), b()).charts().stream().map(Shown::of).collect(Collectors.joining("\n")))
                .isEqualTo("""
                    Where the time goes [computation, exposed communication, exposed copies, exposed other, not told apart, idle]
                    a: [60, 20, 5, 0, 0, 15]
                    b: [70, 25, 5, 2, 0, 18]

                    From a to b, by part
                    a: 100
                    computation: 10
                    exposed communication: 5
                    idle: 3
                    exposed other: 2

                    From a to b, by category
                    a: 100
                    GEMM: 10
                    elementwise: -2
                    (overlap and work not listed): 9
                    (idle): 3

                    From a to b, by operator
                    a: 100
                    aten::mm: 10
                    aten::add: -2
                    aten::mul: 0.1
                    (overlap and work not listed): 8.9
                    (idle): 3

                    From a to b, by kernel
                    a: 100
                    gemm_a: 10
                    nccl: 10
                    copy: -5
                    fill: 2
                    gemm_b: -2
                    (overlap and work not listed): 2
                    (idle): 3
                    """);
    }

    /** With several candidates, too, whose rows follow each other in one sheet. */
    @Test
    void findingsLeadToTheRowsThatTheySpeakOf() {
        RunComparison.Result result = result(a(), a(), b());
        int seen = 0;
        for (Finding finding : ComparisonFindings.of(result)) {
            for (var evidence : finding.evidence()) {
                if (evidence instanceof dev.lockstep.report.Evidence.Rows rows
                        && rows.sheet().startsWith("contributions_by_")) {
                    Table sheet = result.tables().stream()
                            .filter(one -> one.name().equals(rows.sheet()))
                            .findFirst()
                            .orElseThrow();
                    for (int line : rows.lines()) {
                        List<String> texts = new java.util.ArrayList<>();
                        for (var column : sheet.columns()) {
                            if (column instanceof dev.lockstep.table.StringColumn text) {
                                texts.add(String.valueOf(text.get(line)));
                            }
                        }
                        boolean many = finding.code().equals("other_kernels");
                        assertThat(texts)
                                .as(finding.text())
                                .anyMatch(text -> many
                                        ? text.endsWith(" only")
                                        : finding.text().contains(": " + text + " takes"));
                        assertThat(finding.text()).contains(texts.getFirst());
                        seen++;
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(9);
    }
}
