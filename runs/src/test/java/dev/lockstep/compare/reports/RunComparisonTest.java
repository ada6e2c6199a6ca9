// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.reports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.report.Chart;
import dev.lockstep.report.SheetSet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunComparisonTest {
    /** A total that is none is no total of 0: nothing is faster for it. */
    @Test
    void aTimelineOfWhichATimeCannotBeReadIsNotCompared() {
        for (String cell : List.of("", "NaN", "abc", "-1", "Infinity", "1e308", "1e400")) {
            RunComparison.Result result = RunComparison.of(
                    List.of(timeline("a", "100"), timeline("b", cell), timeline("c", "110")), sheet -> true);

            assertThat(result.totals()).as(cell).containsExactly(100_000_000L, -1L, 110_000_000L);
            assertThat(result.change(1).percent()).isNaN();
            assertThat(result.change(2).percent()).isEqualTo(10);
            assertThat(Shown.findings(ComparisonFindings.of(result)))
                    .contains("total_unknown: Whether b takes longer than a is unknown: no total time of b.")
                    .contains(
                            "times_unread: b: table gpu_timeline has 1 row without a readable time, or with a repeated"
                                    + " part. Its timeline is not compared.");
        }
        SheetSet twice = report("b", Shown.sheet("gpu_timeline", "type | time ms", "total_time | 1", "total_time | 2"));
        assertThat(RunComparison.of(List.of(timeline("a", "100"), twice, timeline("c", "1")), sheet -> true)
                        .change(1)
                        .percent())
                .isNaN();
    }

    /** Recomputation has a span of its own, 40 ms within those 100: both added up would be 140. */
    @Test
    void aTimelineThatTellsRecomputationApartIsNotComparedWithOneThatDoesNot() {
        SheetSet apart = report(
                "b",
                Shown.sheet(
                        "gpu_timeline",
                        "type | time ms | is_recompute",
                        "total_time | 100 | false",
                        "total_time | 40 | true"));

        RunComparison.Result one =
                RunComparison.of(List.of(timeline("a", "100"), apart, timeline("c", "110")), s -> true);

        assertThat(one.totals()).containsExactly(100_000_000L, -1L, 110_000_000L);
        assertThat(one.missing())
                .contains(new RunComparison.Result.Missing(
                        "gpu_timeline", "tells recomputation apart in b, and not in the other reports"));
        assertThat(RunComparison.of(List.of(apart, apart), s -> true).totals())
                .containsExactly(100_000_000L, 100_000_000L);
    }

    /** Nor is a sum of which a part is missing. */
    @Test
    void rowsWithoutATimeAreLeftOutOfAllReports() {
        String head = "Kernel name | Kernel duration (µs)_sum | Kernel duration (µs)_count";
        SheetSet a = report("a", Shown.sheet("kernel_summary", head, "x | 10 | 1", "y | 20 | 1"));
        SheetSet b = report("b", Shown.sheet("kernel_summary", head, "x | 12 | 1", "y | oops | 1"));
        RunComparison.Result result = RunComparison.of(List.of(a, b), sheet -> true);

        assertThat(result.totals()).containsExactly(10_000L, -1L);
        assertThat(result.contributions().getFirst().rows()).hasSize(1);
        assertThat(Shown.findings(ComparisonFindings.of(result)))
                .contains(
                        "times_unread: b: table kernel_summary has 1 row without a readable time. Their subjects are left"
                                + " out of all reports.");
    }

    /** There is no percentage of nothing, nor of less. */
    @Test
    void aBaselineThatIsNotAboveZeroHasNoPercentage() {
        SheetSet a = report(
                "a", Shown.sheet("gpu_timeline", "type | time ms", "total_time | 100", "computation_time | 101"));
        SheetSet b = report(
                "b",
                Shown.sheet(
                        "gpu_timeline",
                        "type | time ms",
                        "total_time | 150",
                        "computation_time | 101",
                        "exposed_memcpy_time | 10"));

        assertThat(Shown.findings(ComparisonFindings.of(RunComparison.of(List.of(a, b), sheet -> true))))
                .contains("unattributed time takes 40 ms more. ")
                .contains("exposed copies takes 10 ms more. ");
    }

    /** Idle 40 ms of 100; steps of 50 ms. The loader takes 1 and 2 ms of them, or so many more. */
    private static SheetSet idle(String name, double more, double scatter) {
        return new SheetSet(
                name,
                name,
                List.of(
                        Shown.sheet(
                                "gpu_timeline",
                                "type | time ms",
                                "total_time | " + (100 + more),
                                "computation_time | 60",
                                "idle_time | " + (40 + more)),
                        Shown.sheet(
                                "idle_causes",
                                "cause | name | place | gaps | time ms",
                                "operator | aten::mm | between | 9 | 30",
                                "operator | aten::add | between | 9 | 7",
                                "data_loader | next | between | 2 | " + (3 + more),
                                "data_loader | next | before | 1 | 77"),
                        Shown.sheet(
                                "step_parts",
                                "step | data loader ms | host ms",
                                "all | " + (3 + more) + " | 37",
                                "0 | " + (1 + more / 2 - scatter) + " | 18",
                                "1 | " + (2 + more / 2 + scatter) + " | 19")));
    }

    @Test
    void whatFillsMoreIdleTimeIsNamed() {
        RunComparison.Result result = RunComparison.of(List.of(idle("a", 0, 0), idle("b", 44, 0)), sheet -> true);

        assertThat(Shown.findings(ComparisonFindings.of(result)))
                .contains(
                        "slower_idle_cause: b: the device is idle 44 ms longer for the data loader. It is 47 ms instead of"
                                + " 3 ms. That is 100 % of the difference in total time.");
        Contributions level = result.contributions().getLast();
        assertThat(level.level()).isEqualTo("idle cause");
        assertThat(level.rows().stream().mapToLong(Contribution::candidateNs).sum())
                .isEqualTo(144_000_000);
        assertThat(Shown.findings(ComparisonFindings.of(
                        RunComparison.of(List.of(idle("a", 0, 0), idle("b", 4, 3)), sheet -> true))))
                .doesNotContain("idle_cause");
    }

    @Test
    void theSameReportGivenTwiceIsSaid() {
        RunComparison.Result result =
                RunComparison.of(List.of(idle("a", 0, 0), idle("copy", 0, 0), idle("b", 44, 0)), sheet -> true);

        assertThat(Shown.findings(ComparisonFindings.of(result)))
                .contains("same_report: copy and a hold the same numbers in every table: both are reports of the same"
                        + " trace.")
                .contains("slower: b takes 44 ms")
                .doesNotContain("copy takes");
    }

    @Test
    void everyLevelAddsUpToTheDifferenceOfTheTotals() {
        RunComparison.Result result = RunComparison.of(List.of(a(), b()), sheet -> true);

        assertThat(result.totals()).containsExactly(10_000_000L, 13_000_000L);
        assertThat(result.contributions()).extracting(Contributions::level).containsExactly("part", "kernel");
        for (Contributions level : result.contributions()) {
            assertThat(level.rows().stream()
                            .mapToLong(Contribution::differenceNs)
                            .sum())
                    .as(level.level())
                    .isEqualTo(3_000_000);
        }
    }

    @Test
    void waterfallsEndAtTheTotalOfTheCandidate() {
        for (Chart chart : RunComparison.of(List.of(a(), b()), sheet -> true).charts()) {
            if (chart instanceof Chart.Waterfall fall) {
                double end = fall.from()
                        + fall.steps().stream()
                                .mapToDouble(Chart.Contribution::value)
                                .sum();
                assertThat(end).isCloseTo(13, within(1e-9));
            }
        }
    }

    @Test
    void repeatedKeysAreAddedUpInsteadOfMultiplied() {
        Table kernels = sheet(RunComparison.of(List.of(a(), b()), sheet -> true), "kernel_summary");

        assertThat(IntStream.range(0, kernels.rows())
                        .mapToObj(r -> kernels.strings(0).get(r)))
                .containsExactly("gemm", "copy", "new");
        assertThat(kernels.shown(kernels.schema().indexOf("a::time ms"), 0)).isEqualTo(6);
        assertThat(kernels.shown(kernels.schema().indexOf("b::time ms"), 0)).isEqualTo(8);
        assertThat(kernels.longs(kernels.schema().indexOf("a::count")).get(0)).isEqualTo(3);
    }

    @Test
    void differenceIsSplitIntoNumberAndDuration() {
        Contribution gemm = RunComparison.of(List.of(a(), b()), sheet -> true).contributions().get(1).named().stream()
                .filter(c -> c.what().equals("gemm"))
                .findFirst()
                .orElseThrow();

        // 3 of 2 ms become 4 of 2 ms.
        assertThat(gemm.byCountNs()).isEqualTo(2_000_000);
        assertThat(gemm.byDurationNs()).isZero();
    }

    @Test
    void slowdownIsInPercentOfTheBaseline() {
        assertThat(RunComparison.of(List.of(a(), b()), sheet -> true).change(1).percent())
                .isEqualTo(30);
        assertThat(RunComparison.of(List.of(b(), a(), b()), sheet -> true)
                        .change(2)
                        .percent())
                .isZero();
    }

    @Test
    void impossibleUnitsAreMended() {
        SheetSet wrong = new SheetSet("wrong", "wrong", List.of(timeline(8, 2), rocprof("gemm", 8_000, 4)));
        SheetSet right = new SheetSet("right", "right", List.of(timeline(8, 2), rocprof("gemm", 8, 4)));

        RunComparison.Result result = RunComparison.of(List.of(right, wrong), sheet -> true);

        assertThat(result.mended()).containsExactly("wrong");
        assertThat(sheet(result, "kernel_summary").shown(2, 0)).isZero();
    }

    @Test
    void argumentsMeetHoweverTheyAreSpelt() {
        SheetSet ours = new SheetSet("ours", "", List.of(arguments("[[8, 4], []]", "[\"\", \"false\"]")));
        SheetSet theirs = new SheetSet("theirs", "", List.of(arguments("((8, 4), ())", "('', 'False')")));

        Table table = sheet(RunComparison.of(List.of(ours, theirs), sheet -> true), "ops_unique_args");

        assertThat(table.rows()).isEqualTo(2);
        SheetSet alike = new SheetSet("alike", "", List.of(arguments("((8, 4), ())", "('', 'false')")));
        assertThat(sheet(RunComparison.of(List.of(ours, alike), sheet -> true), "ops_unique_args")
                        .rows())
                .isEqualTo(1);
    }

    @Test
    void sheetThatOneLacksIsNamed() {
        SheetSet bare = new SheetSet("bare", "", List.of(timeline(8, 2)));

        assertThat(RunComparison.of(List.of(a(), bare), sheet -> true).missing())
                .containsExactly(new RunComparison.Result.Missing("kernel_summary", "not in bare"));
    }

    private static Table sheet(RunComparison.Result result, String name) {
        return result.tables().stream()
                .filter(t -> t.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static SheetSet a() {
        return new SheetSet("a", "a", List.of(timeline(8, 2), kernels("gemm", 4.0, 2, "gemm", 2.0, 1, "copy", 3.0, 3)));
    }

    private static SheetSet b() {
        return new SheetSet("b", "b", List.of(timeline(9, 4), kernels("gemm", 8.0, 4, "new", 0.5, 1, "copy", 0.5, 1)));
    }

    private static Table timeline(double computation, double idle) {
        return new TableBuilder(
                        "gpu_timeline",
                        "",
                        Schema.of(ColumnSpec.text("type", "x"), ColumnSpec.real("time ms", Unit.NONE, Unit.NONE, "x")))
                .row("computation_time", computation)
                .row("busy_time", computation)
                .row("idle_time", idle)
                .row("total_time", computation + idle)
                .build();
    }

    private static Table kernels(Object... cells) {
        TableBuilder table = new TableBuilder(
                "kernel_summary",
                "",
                Schema.of(
                        ColumnSpec.text("Kernel name", "x"),
                        ColumnSpec.real("Kernel duration (µs)_sum", Unit.NONE, Unit.NONE, "x"),
                        ColumnSpec.count("Kernel duration (µs)_count", "x")));
        for (int i = 0; i < cells.length; i += 3) {
            table.row(cells[i], (double) cells[i + 1] * 1000, cells[i + 2]);
        }
        return table.build();
    }

    private static SheetSet timeline(String name, String total) {
        return report(
                name, Shown.sheet("gpu_timeline", "type | time ms", "computation_time | 70", "total_time | " + total));
    }

    private static SheetSet report(String name, Table sheet) {
        return new SheetSet(name, name, List.of(sheet));
    }

    private static Table rocprof(String name, double ms, int count) {
        return new TableBuilder(
                        "kernel_summary",
                        "",
                        Schema.of(
                                ColumnSpec.text("name", "x"),
                                ColumnSpec.real("Total Kernel Time (ms)", Unit.NONE, Unit.NONE, "x"),
                                ColumnSpec.count("Count", "x")))
                .row(name, ms, count)
                .build();
    }

    private static Table arguments(String dims, String values) {
        return new TableBuilder(
                        "ops_unique_args",
                        "",
                        Schema.of(
                                ColumnSpec.text("name", "x"),
                                ColumnSpec.text("Input type", "x"),
                                ColumnSpec.text("Input Dims", "x"),
                                ColumnSpec.text("Input Strides", "x"),
                                ColumnSpec.text("Concrete Inputs", "x"),
                                ColumnSpec.real("total_direct_kernel_time_sum", Unit.NONE, Unit.NONE, "x"),
                                ColumnSpec.count("operation_count", "x")))
                .row("aten::mm", "[]", dims, "[]", values, 5.0, 1)
                .build();
    }
}
