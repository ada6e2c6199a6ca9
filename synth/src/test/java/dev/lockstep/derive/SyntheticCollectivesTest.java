// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.synth.Omission;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Matching of collectives against runs whose truth is known. */
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
}
