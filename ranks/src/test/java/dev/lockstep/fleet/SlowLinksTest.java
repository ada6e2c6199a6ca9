// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowLinksTest {
    private static TraceRecipe recipe(int seed) {
        return SyntheticTraces.smallRecipe(8)
                .withSeed(seed)
                .withGpusPerNode(1)
                .withParallelism(new Parallelism(1, 2, 1, 1, Schedule.ONE_F_ONE_B, List.of()));
    }

    private static List<FleetRun.Group> slow(TraceRecipe recipe) {
        return SlowLinks.of(Collectives.of(SyntheticTraces.collectives(recipe), CollectiveOptions.standard()));
    }

    /** Of four tensor-parallel groups that of ranks 2 and 3. */
    @Test
    void theGroupWithASlowLinkIsNamed() {
        for (int seed = 1; seed <= 5; seed++) {
            List<FleetRun.Group> found = slow(recipe(seed).withStraggler(new Straggler(3, Straggler.Kind.LINK, 1.6)));

            assertThat(found).isNotEmpty().allSatisfy(group -> {
                assertThat(group.ranks()).isEqualTo(List.of(2, 3));
                assertThat(group.ratio()).isCloseTo(1.6, within(0.1));
                assertThat(group.others()).isEqualTo(3);
            });
            assertThat(SlowLinks.words(found)).contains("Process group 2 has a slow link, at one of its ranks 2, 3.");
        }
    }

    @Test
    void equalLinksAreNotSlow() {
        for (int seed = 1; seed <= 20; seed++) {
            assertThat(slow(recipe(seed))).isEmpty();
        }
    }
}
