// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.CollectiveOptions.Alignment;
import dev.lockstep.report.Report;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.CellText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The figures of these sheets are worked out by hand from the definitions of that tool. */
class TraceLensCollectivesTest {
    private static String record(String group, String ranks, String name, String dtype, long in, long out) {
        return "\"Process Group Name\": \"" + group + "\", \"Process Group Ranks\": \"" + ranks
                + "\", \"Collective name\": \"" + name + "\", \"Group size\": 2, \"dtype\": \"" + dtype
                + "\", \"In msg nelems\": " + in + ", \"Out msg nelems\": " + out
                + ", \"In split size\": \"[]\", \"Out split size\": \"[]\"";
    }

    private static EventText nccl(EventText into, long ts, long dur, int stream, String record) {
        return into.device("kernel", "ncclDevKernel_X", ts, dur, ts + 1, stream, record);
    }

    private static Report report(int gpusPerNode, boolean heatmap, EventText... ranks) {
        List<RankCollectives> kept = new ArrayList<>();
        for (EventText events : ranks) {
            RankCollectives kernels = new DerivedCache(TestTraces.of(events)).get(TraceLensCollectives.KERNELS);
            kept.add(kernels.withInfo(kernels.info().withRank(new Rank(kept.size(), Rank.Origin.PATH))));
        }
        return TraceLensCollectives.of(
                kept, "", new CollectiveOptions(gpusPerNode, heatmap, CollectiveOptions.STATISTICS, Alignment.NONE));
    }

    private static List<String> row(Report report, String sheet, int row, String... headers) {
        Table table = report.tables().stream()
                .filter(t -> t.name().equals(sheet))
                .findFirst()
                .orElseThrow();
        List<String> cells = new ArrayList<>();
        for (String header : headers) {
            cells.add(new CellText(table, table.schema().indexOf(header), CellStyle.PYTHON).at(row));
        }
        return cells;
    }

    @Test
    void aCollectiveIsTheNthOfItsGroupOnEveryRank() {
        String all = record("0", "[0, 1]", "allreduce", "Float", 262144, 262144);
        Report report = report(
                1,
                false,
                nccl(nccl(new EventText(), 1_500, 100_000, 7, all), 300_250, 50_000, 7, all),
                nccl(nccl(new EventText(), 2_000, 90_000, 7, all), 300_000, 60_000, 7, all));
        assertThat(row(report, "nccl_implicit_sync", 0, "collective_id", "comm_latency", "skew in start time"))
                .containsExactly("0_0", "90.0", "0.5");
        assertThat(row(report, "nccl_implicit_sync", 0, "algo bw (GB/s)", "bus bw (GB/s)", "node_span"))
                .containsExactly("10.850694444444445", "10.850694444444445", "inter_node");
        assertThat(row(
                        report,
                        "nccl_implicit_sync",
                        0,
                        "earliest arrival rank",
                        "rank_0_wait_time",
                        "rank_1_wait_time"))
                .containsExactly("0", "0.5", "0.0");
        assertThat(row(report, "nccl_implicit_sync", 1, "earliest arrival rank", "rank_1_ts", "skew in end time"))
                .containsExactly("1", "300.0", "9.75");
        assertThat(row(report, "straggler_summary", 0, "rank", "total_wait_time_us", "times_arrived_last", "node_id"))
                .containsExactly("1", "0.2", "1", "1");
        assertThat(row(report, "nccl_summary_implicit_sync", 0, "In msg nelems", "count", "Total comm latency (ms)"))
                .containsExactly("262144", "2", "0.14");
    }

    @Test
    void rowsMissAKeyAndGroupsAreUnknownWithoutRecords() {
        String all = record("0", "[0, 1]", "allreduce", "Float8_e4m3fn", 100, 100);
        EventText bare = nccl(nccl(new EventText(), 1_000, 10_000, 7, all), 50_000, 10_000, 9, "\"queued\": 0");
        Report report = report(8, false, bare, bare);
        assertThat(row(report, "nccl_long", 1, "collective_id", "Process Group Name", "Group size", "node_span"))
                .containsExactly("Unknown_Group_0", "Unknown_Group", "", "unknown");
        assertThat(row(report, "nccl_long", 0, "Group size", "In msg size (MB)"))
                .containsExactly("2.0", "");
        Table summary = report.tables().stream()
                .filter(t -> t.name().equals("nccl_summary_long"))
                .findFirst()
                .orElseThrow();
        assertThat(summary.rows()).isEqualTo(2);
        assertThat(summary.schema().columns()).extracting(c -> c.header()).endsWith("node_id", "node_span");
    }

    @Test
    void withoutAnyGroupAndWithOneStreamOrderAloneMatches() {
        EventText a = nccl(new EventText(), 1_000, 10_000, 7, "\"queued\": 0");
        EventText b = nccl(new EventText(), 4_000, 7_000, 7, "\"queued\": 0");
        Report report = report(-1, false, a, b);
        assertThat(row(
                        report,
                        "nccl_implicit_sync",
                        0,
                        "collective_id",
                        "Process Group Name",
                        "comm_latency",
                        "algo bw (GB/s)"))
                .containsExactly("0", "all", "7", "");
        assertThat(row(report, "nccl_summary_implicit_sync", 0, "Collective name", "dtype", "In msg nelems"))
                .containsExactly("Unknown", "Unknown", "Unknown");
        assertThat(report.tables().stream()
                        .filter(t -> t.name().equals("nccl_summary_long"))
                        .findFirst()
                        .orElseThrow()
                        .schema()
                        .size())
                .as("an empty sheet keeps its columns, without those for nodes")
                .isEqualTo(19);
    }

    @Test
    void variableAllToAllsAreSummedOverRanks() {
        String record = record("0", "[0, 1]", "all_to_allv", "Float", 262144, 262144);
        String split = record.replaceFirst("\\[\\]", "[65536, 196608]");
        Report report = report(
                8,
                true,
                nccl(new EventText(), 1_000, 100_000, 7, split),
                nccl(new EventText(), 3_000, 99_000, 7, record));
        assertThat(row(report, "nccl_all2allv", 0, "total data communicated (MB)", "wall_time (us)", "size_imbalance"))
                .containsExactly("2.0", "101", "1.0");
        assertThat(row(
                        report,
                        "nccl_all2allv",
                        0,
                        "throughput (GB/s)",
                        "rank_1_skew in start time",
                        "rank_0_skew in end time"))
                .containsExactly("19.337871287128714", "2", "1");
        assertThat(row(report, "nccl_summary_all2allv", 0, "count", "Total wall_time (ms)"))
                .containsExactly("1", "0.101");
        // The call without a split does not count.
        assertThat(row(report, "nccl_all2allv_heatmap", 1, "src_rank", "dst_rank", "total_sent_MB", "count"))
                .containsExactly("0", "1", "0.75", "1");
        assertThat(report.tables())
                .filteredOn(t -> t.name().equals("nccl_all2allv_heatmap"))
                .allMatch(t -> t.rows() == 2);
    }

    @Test
    void kernelsThatNothingLinksDoNotCount() {
        EventText events = new EventText()
                .raw("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"nccl_x\", \"pid\": 0, \"tid\": 7, \"ts\": 1,"
                        + " \"dur\": 1, \"args\": {\"stream\": 7}}");
        Report report = report(-1, false, events);
        assertThat(report.tables()).allMatch(t -> t.rows() == 0 && t.schema().size() == 0);
    }
}
