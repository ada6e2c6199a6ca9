// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.util.ArrayList;
import java.util.List;

/**
 * Plays a run over gloo. Threads issue an all-reduce for each bucket of gradients and go on; two threads of the library take them in
 * order; an exchange ends for all shortly after the last rank is there. What is random does not depend on who is slow, so that a run
 * without a slow rank is the same but for that. Not thread-safe.
 */
final class GlooJob {
    private static final long LINK_BYTES_PER_MICROSECOND = 2_000;
    private static final long LEAST_EXCHANGE = 400_000;

    private final GlooRecipe recipe;
    private final List<GlooRank> ranks = new ArrayList<>();
    private final SplitMix network;

    GlooJob(GlooRecipe recipe) {
        this.recipe = recipe;
        for (int rank = 0; rank < recipe.ranks(); rank++) {
            ranks.add(new GlooRank(recipe, rank));
        }
        network = new SplitMix(recipe.seed(), 5_000_000_000L);
    }

    List<GlooRank> ranks() {
        return ranks;
    }

    /** Plays all steps; returns how long the run lasts, in ns. */
    long play() {
        for (int step = 1; step <= recipe.steps(); step++) {
            for (GlooRank rank : ranks) {
                rank.compute(step);
            }
            for (int bucket = 0; bucket < buckets(recipe); bucket++) {
                exchange(bucket);
            }
            for (GlooRank rank : ranks) {
                rank.update(step);
            }
        }
        return ranks.stream().mapToLong(GlooRank::now).max().orElse(0);
    }

    private void exchange(int bucket) {
        long last = Long.MIN_VALUE;
        for (GlooRank rank : ranks) {
            last = Math.max(last, rank.arrive(bucket));
        }
        double nanos = LEAST_EXCHANGE + 2000.0 * bytes(recipe, bucket) / LINK_BYTES_PER_MICROSECOND;
        long end = last + network.about(nanos);
        for (GlooRank rank : ranks) {
            rank.leave(end);
        }
    }

    /** Two layers share a bucket; of an odd number the last has one. */
    static int buckets(GlooRecipe recipe) {
        return (recipe.layers() + 1) / 2;
    }

    /** The number of gradients in a bucket. */
    static long elements(GlooRecipe recipe, int bucket) {
        int layers = Math.min(2, recipe.layers() - 2 * bucket);
        return layers * ((long) recipe.hidden() * recipe.hidden() + recipe.hidden());
    }

    static long bytes(GlooRecipe recipe, int bucket) {
        return 4 * elements(recipe, bucket);
    }
}
