// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDependenciesTest {
    private static final long US = 1_000;
    private static final int RANKS = 3;
    private static final int LATE = 1;

    /**
     * Every rank computes, 100 us or 160 if it is the late one, then meets the others in an all-reduce that takes 40 us from
     * the last start on, twice. The host launches everything at once and waits at the end.
     */
    private static Trace rank(int rank) {
        EventText events = new EventText();
        long mine = rank == LATE ? 160 * US : 100 * US;
        long at = 10 * US;
        events.op("aten::forward", 0, 8 * US);
        for (int round = 0; round < 2; round++) {
            int id = 10 * round;
            events.call("cudaLaunchKernel", (round * 4L) * US, US, id + 1).kernel("compute", at, mine, id + 1, 7);
            long begin = at + mine;
            long last = at + 160 * US;
            events.call("cudaLaunchKernelExC", (round * 4L + 2) * US, US, id + 2)
                    .device(
                            "kernel",
                            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                            begin,
                            last + 40 * US - begin,
                            id + 2,
                            7,
                            "\"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 1000, \"Out"
                                    + " msg nelems\": 1000, \"Group size\": 3, \"Process Group Name\": \"0\", \"Process"
                                    + " Group Ranks\": \"[0, 1, 2]\", \"Seq\": "
                                    + (round + 1));
            at = last + 40 * US;
        }
        events.call("cudaDeviceSynchronize", 9 * US, at + 2 * US - 9 * US, 99);
        return TestTraces.of(events).withRank(new Rank(rank, Rank.Origin.TRACE));
    }

    private static List<Table> tables(String... edits) {
        List<RankPart> parts = new ArrayList<>();
        List<RankCollectives> collectives = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            DerivedCache cache = new DerivedCache(rank(rank));
            parts.add(RankPart.of(cache, AnalysisRules.standard()));
            collectives.add(cache.get(RankCollectives.Key.standard()));
        }
        return RunDependencies.joined(parts, Collectives.of(collectives, CollectiveOptions.standard()))
                .tables(new ReportOptions.Paths(null, List.of(edits)), WorkerThreads.none());
    }

    private static Table table(List<Table> tables, String name) {
        return tables.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }

    /** Steps from one on, in each of which a rank computes for 100 us, the late one for 200, and all reduce for 50 behind that. */
    private static Trace steps(int rank, int from, int to) {
        EventText events = new EventText();
        for (int step = from; step < to; step++) {
            long at = 300 * US * step;
            int id = 10 * step + 1;
            long mine = (rank == LATE ? 200 : 100) * US;
            long begin = at + 10 * US + mine;
            events.annotation("ProfilerStep#" + step, at, 270 * US)
                    .call("cudaLaunchKernel", at + US, US, id)
                    .kernel("compute", at + 10 * US, mine, id, 7)
                    .call("cudaLaunchKernelExC", at + 3 * US, US, id + 1)
                    .device(
                            "kernel",
                            "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                            begin,
                            at + 260 * US - begin,
                            id + 1,
                            7,
                            "\"Collective name\": \"allreduce\", \"dtype\": \"Float\", \"In msg nelems\": 1000, \"Out"
                                    + " msg nelems\": 1000, \"Group size\": 3, \"Process Group Name\": \"0\", \"Process"
                                    + " Group Ranks\": \"[0, 1, 2]\", \"Seq\": "
                                    + step)
                    .call("cudaDeviceSynchronize", at + 5 * US, 260 * US, id + 2);
        }
        return TestTraces.of(events).withRank(new Rank(rank, Rank.Origin.TRACE));
    }

    private static StragglerCosts costs(Trace... traces) {
        List<RankCollectives> collectives = new ArrayList<>();
        List<RankPart> parts = new ArrayList<>();
        List<List<Steps.Step>> steps = new ArrayList<>();
        for (Trace trace : traces) {
            DerivedCache cache = new DerivedCache(trace);
            collectives.add(cache.get(RankCollectives.Key.standard()));
            parts.add(RankPart.of(cache, AnalysisRules.standard()));
            steps.add(cache.get(new Steps.Key(null)).steps());
        }
        return RunDependencies.joined(parts, Collectives.of(collectives, CollectiveOptions.standard()))
                .costs(steps, false, WorkerThreads.none());
    }

    /** A rank begins two steps later, and another ends one earlier; the slow one costs what it does among equal recordings. */
    @Test
    void stepsThatOnlySomeRanksHaveCountForNothing() {
        StragglerCosts equal = costs(steps(0, 1, 9), steps(LATE, 1, 9), steps(2, 1, 9));
        StragglerCosts apart = costs(steps(0, 1, 9), steps(LATE, 1, 8), steps(2, 3, 9));

        assertThat(equal.steps()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(equal.leftOut()).isZero();
        assertThat(apart.steps()).containsExactly(4, 5, 6, 7);
        assertThat(apart.leftOut()).isEqualTo(4);
        assertThat(apart.replayed()).isEqualTo(Arrays.copyOfRange(equal.replayed(), 3, 7));
        // 100 us of computation on the median rank, and 100 that all take; the first step, which begins with nothing,
        // takes less
        assertThat(apart.ideal()).containsOnly(200_000);
        assertThat(StragglerCosts.mean(equal.ideal())).isBetween(191_000.0, 200_000.0);
    }

    @Test
    void thePathRunsThroughTheLateRank() {
        Table path = table(tables(), "critical_path");
        List<String> rows = new ArrayList<>();
        for (int row = 0; row < path.rows(); row++) {
            long time = path.longs(path.schema().indexOf("duration us")).get(row) / US;
            String of = path.strings(path.schema().indexOf("class")).get(row);
            if (of.equals("computation") || of.equals("communication")) {
                rows.add(of + " " + path.longs(path.schema().indexOf("rank")).get(row) + " " + time);
            }
        }

        assertThat(rows).hasSize(4);
        assertThat(rows.get(0)).isEqualTo("computation 1 160");
        assertThat(rows.get(1)).startsWith("communication ").endsWith(" 40");
        assertThat(rows.get(2)).isEqualTo("computation 1 160");
        assertThat(rows.get(3)).startsWith("communication ").endsWith(" 40");
    }

    @ParameterizedTest
    @CsvSource({
        "host=x1, 412, 412",
        "rank:1=median, 412, 292",
        "rank:0=median, 412, 412",
        "rank:1=x0.5, 412, 292",
        "rank:1=x0.75, 412, 332",
        "rank:1:host=x0, 412, 412",
        "class:communication=x0, 412, 332",
        "kernel:compute=x0.5, 412, 252",
        "rank:7=median, 412, 412",
        "class:late_peer=0, 412, 412",
        "rank:1=median;class:late_peer=0, 412, 292",
        "collective:all_reduce=x0.5, 412, 372",
        "collective:all_reduce:0:4000=10us, 412, 352",
        "collective:all_reduce:1=10us, 412, 412",
        "collective:*:*:4000=bandwidth:0.1GB/s, 412, 438.666",
        "collective:all_reduce=bandwidth:1000GB/s, 412, 412",
        "collective:all_reduce=bandwidth:1000GB/s!, 412, 332.010"
    })
    void whatOthersWaitForComesEarlierAndTransfersStay(String edit, long before, BigDecimal after) {
        Table whatIf = table(tables(edit), "what_if");

        assertThat(whatIf.longs(whatIf.schema().indexOf("before_us")).get(0)).isEqualTo(before * US);
        assertThat(whatIf.longs(whatIf.schema().indexOf("after_us")).get(0))
                .isEqualTo(after.scaleByPowerOfTen(3).longValueExact());
    }
}
