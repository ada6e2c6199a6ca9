// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.RankClock;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockFitTest {
    @TempDir
    Path folder;

    private static List<ClockFit.Clock> fit(List<Trace> traces) {
        return ClockFit.of(CollectiveMatch.of(collectives(traces)));
    }

    private static List<RankCollectives> collectives(List<Trace> traces) {
        return traces.stream()
                .map(trace -> new DerivedCache(trace).get(RankCollectives.Key.standard()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 500000, 0", "3, 3000000, 20", "4, 50000000, 5"})
    void theTruthLiesWithinTheError(long seed, long offset, double drift) throws IOException {
        TraceRecipe recipe =
                TestTraces.smallRecipe(4).withSeed(seed).withSteps(12).withClocks(offset, drift);
        RunTruth truth = SyntheticRun.write(folder, recipe, Layout.flat());
        List<Trace> traces = TestTraces.synthetic(recipe);
        List<ClockFit.Clock> clocks = fit(traces);
        RankClock first = truth.ranks().getFirst().clock();
        long begin = traces.getFirst().slices().ts(0) - first.read(0);
        long length = truth.stepNanos().stream().mapToLong(n -> n).sum();
        assertThat(clocks.getFirst().ahead(begin)).isZero();
        for (int rank = 1; rank < 4; rank++) {
            RankClock clock = truth.ranks().get(rank).clock();
            for (long moment = 0; moment <= length; moment += length / 10) {
                long shown = begin + clock.read(moment);
                long estimated = shown - clocks.get(rank).ahead(shown);
                assertThat(Math.abs(estimated - begin - first.read(moment)))
                        .as("rank " + rank + " at " + moment)
                        .isLessThanOrEqualTo(clocks.get(rank).errorNs());
            }
            assertThat(clocks.get(rank).errorNs()).isLessThan(20_000);
        }
    }

    private static Trace rank(int rank, long ahead, int lateAt, String group) {
        EventText events = new EventText();
        for (int i = 0; i < 40; i++) {
            long end = 1_000_000 + i * 100_000L + ahead + (i * 7 + rank * 3) % 5 * 10 + (i == lateAt ? 70_000 : 0);
            events.complete(
                    "kernel",
                    "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                    "0",
                    "7",
                    end - 5_000,
                    5_000,
                    "\"stream\": 7, \"correlation\": " + i
                            + ", \"Collective name\": \"allreduce\", \"dtype\": \"Float\","
                            + " \"In msg nelems\": 8, \"Out msg nelems\": 8, \"Group size\": 2, \"Process Group Name\": \""
                            + group + "\", \"Process Group Ranks\": \"" + group + "\"");
        }
        return TestTraces.of(events).withRank(new dev.lockstep.model.Rank(rank, dev.lockstep.model.Rank.Origin.TRACE));
    }

    @Test
    void oneLateEndDecidesNothing() {
        List<Trace> traces = new ArrayList<>();
        traces.add(rank(0, 0, -1, "[0, 1]"));
        traces.add(rank(1, 123_456, 11, "[0, 1]"));
        ClockFit.Clock clock = fit(traces).get(1);
        assertThat(clock.offsetNs()).isBetween(123_400L, 123_500L);
        assertThat(clock.drift()).isZero();
        assertThat(clock.outliers()).isEqualTo(1);
        assertThat(clock.errorNs()).isLessThan(1_000);
    }

    @Test
    void aRankThatSharesNoCollectiveIsSaidToBeUnaligned() {
        List<Trace> traces = List.of(rank(0, 0, -1, "[0, 1]"), rank(1, 5_000, -1, "[0, 1]"), rank(2, 0, -1, "[2, 3]"));
        CollectiveAlignment alignment = new CollectiveAlignment(collectives(traces));
        assertThat(alignment.isComplete()).isFalse();
        assertThat(alignment.json()).contains("{\"rank\":2,\"aligned\":false}");
        assertThat(alignment.clockOf(traces.get(1)).applyAsLong(1_005_000L)).isBetween(999_900L, 1_000_100L);
        assertThat(alignment.clockOf(traces.get(2)).applyAsLong(42L)).isEqualTo(42);
    }
}
