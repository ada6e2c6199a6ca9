// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** Recipes whose traces are small enough to be read as a whole. */
final class SmallRecipes {
    private SmallRecipes() {}

    /** Four ranks, two small blocks, two steps, rank 2 at half speed. */
    static TraceRecipe small() {
        return TraceRecipe.standard()
                .withRanks(4)
                .withModel(new TraceRecipe.Model(2, 1024, 2048, 4))
                .withSteps(2)
                .withStraggler(2, 2);
    }
}
