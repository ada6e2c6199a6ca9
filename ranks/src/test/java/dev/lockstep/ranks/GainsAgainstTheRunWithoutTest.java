// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.WorkerThreads;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * What is said to be gained without a slow rank, against the run made without it from the same seed: at most 1 % of the run apart in 95 of
 * 100 runs, and never 3 %. {@code -Dgains.seeds=N} tries more seeds.
 */
class GainsAgainstTheRunWithoutTest {
    private static final int SEEDS = Integer.getInteger("gains.seeds", 1);

    private record Made(String name, TraceRecipe recipe, Straggler slow) {}

    private static List<Made> runs(int seed) {
        TraceRecipe data =
                SyntheticTraces.smallRecipe(4 + 4 * (seed % 2)).withSteps(5).withSeed(seed);
        TraceRecipe wide = data.withHidden(2048);
        TraceRecipe pipeline = SyntheticTraces.smallRecipe(8)
                .withSteps(4)
                .withSeed(seed)
                .withHidden(2048)
                .withLayers(4)
                .withParallelism(new Parallelism(4, 1, 6, 1, Schedule.ONE_F_ONE_B, List.of()));
        TraceRecipe tensor = wide.withParallelism(new Parallelism(1, 2, 1, 1, Schedule.ONE_F_ONE_B, List.of()));
        TraceRecipe both = SyntheticTraces.smallRecipe(8)
                .withSteps(4)
                .withSeed(seed)
                .withHidden(2048)
                .withLayers(4)
                .withParallelism(new Parallelism(2, 2, 4, 1, Schedule.ONE_F_ONE_B, List.of()));
        TraceRecipe nodes = wide.withRanks(8).withGpusPerNode(4);
        List<Made> runs = new ArrayList<>();
        double factor = 1.1 + seed % 5 * 0.1;
        int rank = 1 + seed % 3;
        for (TraceRecipe recipe : List.of(data, wide, pipeline, tensor, both, nodes)) {
            String name = recipe == data
                    ? "data"
                    : recipe == wide
                            ? "wide"
                            : recipe == pipeline
                                    ? "pipeline"
                                    : recipe == tensor ? "tensor" : recipe == both ? "both" : "nodes";
            runs.add(new Made(name, recipe, new Straggler(rank, Kind.DEVICE, factor)));
            runs.add(new Made(name, recipe, new Straggler(rank, Kind.CLOCK, 1 / factor)));
            runs.add(new Made(name, recipe, new Straggler(rank, Kind.HOST, 3_000 + 1_000 * seed % 4)));
            runs.add(new Made(name, recipe.launchBound(), new Straggler(rank, Kind.HOST, 6_000)));
            if (recipe != pipeline && recipe != both) {
                runs.add(new Made(name, recipe, new Straggler(rank, Kind.WORK, factor)));
            }
        }
        return runs;
    }

    private static long length(TraceRecipe recipe) {
        return SyntheticRun.stepNanos(recipe).stream().mapToLong(ns -> ns).sum();
    }

    private static MatchedRanks matched(TraceRecipe recipe) {
        List<KeptRank> kept = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            kept.add(KeptRank.of(new DerivedCache(trace.withRank(new Rank(kept.size(), Rank.Origin.TRACE)))));
        }
        return MatchedRanks.of(kept, "run", CollectiveOptions.standard());
    }

    @Test
    void gainsAreThoseOfTheRunWithoutTheCause() {
        List<String> beyondOne = new ArrayList<>();
        List<String> beyondThree = new ArrayList<>();
        int all = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            for (Made run : runs(seed)) {
                TraceRecipe slow = run.recipe.withStraggler(run.slow);
                long length = length(slow);
                long truth = length - length(run.recipe);
                MatchedRanks matched = matched(slow);
                RankGains gains = matched.dependencies() == null
                        ? RankGains.NONE
                        : matched.dependencies().gains(List.of(run.slow.rank()), List.of(), WorkerThreads.none());
                long said = gains.rows().isEmpty() ? 0 : gains.rows().getFirst().aloneNs();
                double apart = 100.0 * (said - truth) / length;
                String text = String.format(
                        Locale.ROOT,
                        "%s %s:%s seed %d: said %.2f, true %.2f of %.2f ms: %+.2f %%",
                        run.name,
                        run.slow.kind(),
                        run.slow.amount(),
                        seed,
                        said / 1e6,
                        truth / 1e6,
                        length / 1e6,
                        apart);
                all++;
                if (Math.abs(apart) > 1) {
                    beyondOne.add(text);
                }
                if (Math.abs(apart) > 3) {
                    beyondThree.add(text);
                }
            }
        }
        assertThat(beyondThree).as("of %d", all).isEmpty();
        assertThat(beyondOne).as("of %d", all).hasSizeLessThanOrEqualTo(all / 20);
    }
}
