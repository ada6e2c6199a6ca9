// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stages of a pipeline pass what a rank is late as messages, which wait for one rank alone. */
class SlowRankFindingsTest {
    private static SortedMap<Integer, RankFigures> figures(TraceRecipe recipe) {
        SortedMap<Integer, RankFigures> figures = new TreeMap<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            int rank = figures.size();
            figures.put(
                    rank,
                    RankFigures.of(
                            new DerivedCache(trace.withRank(new Rank(rank, Rank.Origin.TRACE))),
                            ReportOptions.standard()));
        }
        return figures;
    }

    private static List<Finding> said(TraceRecipe recipe) {
        SortedMap<Integer, RankFigures> figures = figures(recipe);
        return SlowRankFindings.of(SlowRankFindings.slow(figures), figures, List.of());
    }

    private static TraceRecipe pipeline(long seed) {
        return SyntheticTraces.smallRecipe(8)
                .withSteps(5)
                .withSeed(seed)
                .withParallelism(new Parallelism(2, 1, 4, 1, Schedule.ONE_F_ONE_B, List.of()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theSlowRankOfAStageIsNamedAlone(long seed) {
        assertThat(said(pipeline(seed).withStraggler(6, 1.2)))
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .startsWith("Rank 6 takes 1.")
                .contains("like ranks take in a step without waiting, in its kernels");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ranksThatAreAlikeAreNotNamed(long seed) {
        assertThat(said(pipeline(seed))).isEmpty();
    }

    @Test
    void twoStepsDoNotTell() {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4).withSteps(2).withStraggler(1, 1.5);
        assertThat(said(recipe)).isEmpty();
    }
}
