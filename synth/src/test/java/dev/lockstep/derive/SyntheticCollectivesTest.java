// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.model.Trace;
import dev.lockstep.synth.Omission;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Matching of collectives and clocks against runs whose truth is known. */
class SyntheticCollectivesTest {
    @ParameterizedTest
    @EnumSource(
            value = Omission.class,
            names = {"COLLECTIVE_METADATA", "STEPS"})
    void everyCollectiveOfASyntheticRunHasAllItsRanks(Omission omission) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4);
        recipe = recipe.withRecording(new TraceRecipe.Recording(2, 0, false, Set.of(omission)));
        List<RankCollectives> ranks = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            ranks.add(new DerivedCache(trace).get(RankCollectives.Key.standard()));
        }
        CollectiveMatch match = CollectiveMatch.of(ranks);
        assertThat(match.size()).isPositive();
        assertThat(match.disagreements()).isZero();
        for (int i = 0; i < match.size(); i++) {
            assertThat(match.members(i)).isEqualTo(4);
            long latestStart = Long.MIN_VALUE;
            long earliestEnd = Long.MAX_VALUE;
            for (int m = 0; m < 4; m++) {
                RankCollectives kernels = ranks.get(match.rank(i, m));
                latestStart = Math.max(latestStart, kernels.ts(match.row(i, m)));
                earliestEnd = Math.min(earliestEnd, kernels.end(match.row(i, m)));
            }
            // On clocks that agree, nobody leaves a collective before the last one has come.
            assertThat(earliestEnd).isGreaterThan(latestStart);
        }
    }

    @Test
    void clocksOfASyntheticRunAreFoundFromTheEndsOfItsCollectives() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4).withClocks(3_000_000, 0);
        List<RankCollectives> there = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            there.add(new DerivedCache(trace).get(RankCollectives.Key.standard()));
        }
        List<RankCollectives> here = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(4))) {
            here.add(new DerivedCache(trace).get(RankCollectives.Key.standard()));
        }
        ClockOffsets clocks = ClockOffsets.of(CollectiveMatch.of(there));
        assertThat(clocks.differ()).isTrue();
        assertThat(ClockOffsets.of(CollectiveMatch.of(here)).differ()).isFalse();
        long first = there.getFirst().ts(0) - here.getFirst().ts(0);
        for (int rank = 0; rank < 4; rank++) {
            long truth = there.get(rank).ts(0) - here.get(rank).ts(0) - first;
            assertThat(clocks.offset(rank)).isCloseTo(truth, within(3_000L));
        }
    }

    /** Ranks that share each layer meet far more often than stages and copies of the model do. */
    @ParameterizedTest
    @CsvSource({
        "8, 2, 4, 1",
        "8, 2, 2, 2",
        "4, 2, 1, 3",
        "8, 4, 1, 4",
        "8, 4, 2, 5",
        "16, 2, 4, 6",
        "8, 1, 4, 7",
        "6, 3, 2, 8"
    })
    void clocksAreFoundAcrossGroupsThatSeldomMeet(int count, int stages, int tensor, long seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(count)
                .withModel(new TraceRecipe.Model(12, 512, 512, 1))
                .withSeed(seed)
                .withParallelism(new Parallelism(stages, tensor, 6, 1, Parallelism.Schedule.ONE_F_ONE_B, List.of()));
        List<RankCollectives> here = SyntheticTraces.collectives(recipe);
        List<RankCollectives> there = SyntheticTraces.collectives(recipe.withClocks(500_000, 0));
        ClockOffsets clocks = ClockOffsets.of(CollectiveMatch.of(there));
        long first = there.getFirst().ts(0) - here.getFirst().ts(0);
        for (int rank = 1; rank < count; rank++) {
            long truth = there.get(rank).ts(0) - here.get(rank).ts(0) - first;
            assertThat(clocks.offset(rank)).as("rank %d", rank).isCloseTo(truth, within(clocks.error(rank)));
            assertThat(clocks.error(rank)).isLessThan(5_000);
        }
    }

    /** Clocks drift: the one offset of each is right to within its error from the first to the last collective. */
    @Test
    void theErrorOfAClockHoldsOverTheWholeRecording() {
        for (long seed = 1; seed <= 10; seed++) {
            TraceRecipe recipe = SyntheticTraces.smallRecipe(4).withSeed(seed);
            List<RankCollectives> here = SyntheticTraces.collectives(recipe);
            List<RankCollectives> there = SyntheticTraces.collectives(recipe.withClocks(500_000, 20));
            ClockOffsets clocks = ClockOffsets.of(CollectiveMatch.of(there));
            for (int rank = 0; rank < 4; rank++) {
                for (int i : new int[] {0, here.get(rank).size() - 1}) {
                    long ahead = there.get(rank).ts(i) - here.get(rank).ts(i);
                    long first = there.getFirst().ts(i) - here.getFirst().ts(i);
                    assertThat(clocks.offset(rank)).isCloseTo(ahead - first, within(clocks.error(rank) + 1));
                }
            }
        }
    }
}
