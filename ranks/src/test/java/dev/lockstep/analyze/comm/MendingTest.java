// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What late ranks cost, against the same run made without them. */
class MendingTest {
    /** Computation hides communication here: ranks that wait for their streams go on computing. */
    @ParameterizedTest
    @CsvSource({
        "1, 8, 1.3, 1",
        "2, 8, 1.3, 1",
        "3, 4, 1.1, 1",
        "4, 8, 1.5, 1",
        "5, 8, 1.2, 4",
        "6, 4, 1.4, 2",
        "7, 8, 1.15, 2"
    })
    void whatALateRankCostsIsWhatTheRunWithoutItSaves(long seed, int ranks, double slowdown, int tensor) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks)
                .withSeed(seed)
                .withSteps(6)
                .withModel(new TraceRecipe.Model(4, 2048, 2048, 2))
                .withParallelism(new Parallelism(1, tensor, 1, 1, Parallelism.Schedule.ONE_F_ONE_B, List.of()));
        Collectives late = collectives(recipe.withStraggler(2, slowdown));
        long saved = length(late) - length(collectives(recipe));
        Mending mending = Mending.of(late);
        assertThat(mending.totalNs()).isEqualTo(length(late));
        assertThat(mending.late()).extracting(Mending.Row::rank).containsExactly(2);
        assertThat((double) mending.late().getFirst().aloneNs() / saved).isBetween(0.8, 1.05);
    }

    private static long length(Collectives collectives) {
        List<Collective> waiting =
                collectives.all().stream().filter(Collective::waits).toList();
        return waiting.stream().mapToLong(Collective::lastEnd).max().orElseThrow()
                - waiting.stream().mapToLong(Collective::firstStart).min().orElseThrow();
    }

    private static Collectives collectives(TraceRecipe recipe) {
        return Collectives.of(SyntheticTraces.collectives(recipe), CollectiveOptions.standard());
    }
}
