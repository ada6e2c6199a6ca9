// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compat.aorta.config.ConfigComparison.Run;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.Mean;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.RankTimeline;
import dev.lockstep.report.SheetSet;
import dev.lockstep.report.StyledSheet;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Schema;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConfigComparisonTest {
    private static final Schema TIMELINE = Schema.of(
            ColumnSpec.text("type", "x"),
            ColumnSpec.real("time ms", Unit.MILLISECONDS, Unit.MILLISECONDS, "x"),
            ColumnSpec.percent("percent", "x"));
    private static final Schema CALLS = Schema.of(
            ColumnSpec.text("Collective name", "x"),
            ColumnSpec.text("dtype", "x"),
            ColumnSpec.count("In msg nelems", "x"),
            ColumnSpec.real("comm_latency_mean", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.real("algo bw (GB/s)_mean", Unit.NONE, Unit.NONE, "x"),
            ColumnSpec.count("count", "x"));

    @Test
    void meansAreOverRanksThatHaveTheTypeAndFilesThatFailedCountAsRanks() {
        GpuTimelineSummary summary =
                GpuTimelineSummary.of(List.of(rank(10, "busy", 4, "idle", 1), rank(2, "busy", 2)), 3, Mean.ARITHMETIC);

        assertThat(row(summary.summary(), 0)).containsExactly("busy", 3.0, 50.0, 3L);
        assertThat(row(summary.summary(), 1)).containsExactly("idle", 1.0, 50.0, 3L);
        assertThat(heads(summary.timePerRank())).containsExactly("type", "2", "10");
        assertThat(row(summary.timePerRank(), 0)).containsExactly("busy", 2.0, 4.0);
        assertThat(row(summary.timePerRank(), 1)).containsExactly("idle", null, 1.0);
        assertThat(summary.allRanks().rows()).isEqualTo(3);
    }

    @Test
    void geometricMeansTakeZeroForNextToNothing() {
        GpuTimelineSummary summary = GpuTimelineSummary.of(
                List.of(rank(0, "busy", 5), rank(1, "busy", 5), rank(2, "busy", 0), rank(3, "busy", 5)),
                4,
                Mean.GEOMETRIC);

        assertThat(summary.summary().shown(1, 0)).isCloseTo(0.010573712634405642, within(1e-12));
    }

    @Test
    void positiveIsFasterAndAZeroBaselineHasNotChanged() {
        ConfigComparison made = ConfigComparison.ofTwo(
                run("b", timelines("busy", 4, "copy", 0), null),
                run("t", timelines("busy", 5, "copy", 1), null),
                false);

        assertThat(made.workbooks().keySet())
                .containsExactly("gpu_timeline_combined.xlsx", "gpu_timeline_comparison.xlsx");
        Table byRank = sheet(made, "gpu_timeline_comparison.xlsx", "Comparison_By_Rank")
                .table();
        assertThat(row(byRank, 0)).containsExactly(0L, "busy", 4.0, 5.0, 1.0, -25.0, "Worse", 1.25, 50.0, 50.0, 0.0);
        assertThat(row(byRank, 1)).startsWith(0L, "copy", 0.0, 1.0, 1.0, 0.0, "Similar", 0.0);
        assertThat(sheet(made, "gpu_timeline_comparison.xlsx", "Summary_Comparison")
                        .colors())
                .singleElement()
                .satisfies(scale -> assertThat(scale.column()).isEqualTo(4));
    }

    @Test
    void collectivesTakeTheFirstRowOfAKeyInOrderOfKeys() {
        SheetSet base = calls(
                "b",
                call("reduce", "Float", 8, 10, 100),
                call("gather", "Int", 4, 5, 50),
                call("gather", "Int", 4, 7, 70));
        SheetSet test = calls("t", call("gather", "Int", 4, 4, 60), call("send", "Int", 4, 1, 1));

        ConfigComparison made = ConfigComparison.ofTwo(run("b", null, base), run("t", null, test), false);

        Table compared = sheet(made, "collective_comparison.xlsx", "nccl_implicit_sync_cmp")
                .table();
        assertThat(compared.rows()).isOne();
        assertThat(row(compared, 0))
                .containsExactly(
                        "gather", "Int", 4L, 5.0, 4.0, -1.0, 20.0, 0.8, 50.0, 60.0, 10.0, 20.0, 1.2, 6.0, 6.0, 0.0,
                        1.0);
    }

    @Test
    void theFinalReportHidesItsSourcesAndRoundsItsDashboard() {
        SheetSet none = calls("x", call("gather", "Int", 4, 5, 50));
        ConfigComparison made = ConfigComparison.ofTwo(
                run("b", timelines("busy", 3), none), run("t", timelines("busy", 2.995), none), true);

        List<StyledSheet> sheets =
                made.workbooks().get("final_analysis_report.xlsx").sheets();
        assertThat(sheets.stream().map(s -> s.table().name() + (s.hidden() ? " hidden" : "")))
                .containsExactly(
                        "Summary_Dashboard",
                        "GPU_Summary_Raw hidden",
                        "GPU_AllRanks_Raw hidden",
                        "GPU_Time_Raw hidden",
                        "GPU_Pct_Raw hidden",
                        "GPU_ByRank_Cmp",
                        "GPU_Summary_Cmp",
                        "NCCL_ImplSync_Raw hidden",
                        "NCCL_nccl_summary_implicit_sync hidden",
                        "NCCL_ImplicitSyncCmp");
        assertThat(row(sheets.getFirst().table(), 0)).containsExactly("GPU_busy", 3.0, 3.0, 0.17, "Better");
        assertThat(sheets)
                .allSatisfy(s -> assertThat(s.excelTable()).isEqualTo(s.table().name()));
        assertThat(made.pictured()).isNotNull();
    }

    @Test
    void manyRunsHaveTheOppositeSignAndMultiplyCollectivesOfOneSize() {
        SheetSet two = calls("x", call("reduce", "Float", 8, 1, 1), call("reduce", "Int", 8, 2, 2));
        ConfigComparison made = ConfigComparison.ofAll(List.of(
                run("a", timelines("busy", 4, "copy", 0), two),
                run("b", timelines("busy", 5, "copy", 1), two),
                run("c", timelines("busy", 3), two)));

        Table summary =
                sheet(made, "final_analysis_report_for_all.xlsx", "Summary").table();
        assertThat(heads(summary)).endsWith("num_ranks_c", "percentage_change_b", "percentage_change_c");
        assertThat(row(summary, 0)).endsWith(25.0, -25.0);
        assertThat(row(summary, 1).subList(10, 12)).containsExactly(Double.POSITIVE_INFINITY, null);
        Table joined = sheet(made, "final_analysis_report_for_all.xlsx", "NCCL_Summary")
                .table();
        assertThat(joined.rows()).isEqualTo(2 * 2 * 2);
        assertThat(joined.strings(joined.schema().indexOf("index")).get(0)).isEqualTo("reduce_8");
    }

    private static Run run(String label, @Nullable GpuTimelineSummary timelines, @Nullable SheetSet calls) {
        return new Run(label, timelines, calls);
    }

    private static GpuTimelineSummary timelines(Object... typesAndTimes) {
        return GpuTimelineSummary.of(List.of(rank(0, typesAndTimes)), 1, Mean.ARITHMETIC);
    }

    private static RankTimeline rank(int rank, Object... typesAndTimes) {
        TableBuilder table = new TableBuilder("gpu_timeline", "x", TIMELINE);
        for (int i = 0; i < typesAndTimes.length; i += 2) {
            table.row(typesAndTimes[i], ((Number) typesAndTimes[i + 1]).doubleValue(), 50.0);
        }
        return new RankTimeline(rank, table.build());
    }

    private static Object[] call(String name, String dtype, int elements, double latency, double bandwidth) {
        return new Object[] {name, dtype, elements, latency, bandwidth, 6};
    }

    private static SheetSet calls(String name, Object[]... rows) {
        TableBuilder table = new TableBuilder("nccl_summary_implicit_sync", "x", CALLS);
        for (Object[] row : rows) {
            table.row(row);
        }
        return new SheetSet(name, "", List.of(table.build()));
    }

    private static StyledSheet sheet(ConfigComparison made, String file, String name) {
        return made.workbooks().get(file).sheets().stream()
                .filter(s -> s.table().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> heads(Table table) {
        return table.schema().columns().stream().map(ColumnSpec::header).toList();
    }

    private static List<Object> row(Table table, int row) {
        List<Object> cells = new ArrayList<>();
        for (int column = 0; column < table.schema().size(); column++) {
            boolean missing = table.columns().get(column).isMissing(row);
            Object value = table.columns().get(column) instanceof StringColumn c
                    ? c.get(row)
                    : table.columns().get(column) instanceof LongColumn l
                            ? (Object) l.get(row)
                            : (Object) table.shown(column, row);
            cells.add(missing ? null : value);
        }
        return cells;
    }
}
