// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TraceRecipeTest {
    private final TraceRecipe standard = TraceRecipe.standard();

    @Test
    void nonsenseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withRanks(0));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withStraggler(8, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withHidden(100));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withShardRanks(3));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withSteps(0));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withCommunication(16, 32));
        assertThatIllegalArgumentException().isThrownBy(() -> standard.withHostFactor(0));
    }

    @Test
    void fewerRanksDropAStragglerThatIsGone() {
        assertThat(standard.withRanks(2).disturbance().stragglerRank()).isEqualTo(TraceRecipe.NO_STRAGGLER);
        assertThat(standard.withRanks(4).disturbance().stragglerRank()).isEqualTo(3);
    }

    @Test
    void omissionsAddUp() {
        assertThat(standard.without(Omission.FLOWS)
                        .without(Omission.STEPS, Omission.SHAPES)
                        .recording()
                        .omitted())
                .containsExactlyInAnyOrder(Omission.FLOWS, Omission.STEPS, Omission.SHAPES);
    }

    @Test
    void clocksStayWithinTheirBounds() {
        TraceRecipe recipe = standard.withRanks(64).withClocks(1_000, 5);
        for (int rank = 0; rank < 64; rank++) {
            RankClock clock = RankClock.of(recipe, rank);
            assertThat(clock.offsetNanos()).isBetween(-1_000L, 1_000L);
            assertThat(clock.driftPpb()).isBetween(-5_000L, 5_000L);
        }
    }

    @Test
    void driftAddsUpOverTime() {
        assertThat(new RankClock(10, 2_000).read(1_000_000_000L)).isEqualTo(1_000_002_010L);
        assertThat(new RankClock(-10, 0).read(5)).isEqualTo(-5);
    }
}
