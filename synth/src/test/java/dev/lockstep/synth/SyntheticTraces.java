// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Synthetic traces for tests, read by the program's own reader. */
public final class SyntheticTraces {
    private SyntheticTraces() {}

    /** One rank of a synthetic run. */
    public static Trace synthetic(TraceRecipe recipe, int rank) {
        try {
            return TestTraces.read(SyntheticRun.bytes(recipe, rank));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All ranks of a synthetic run. */
    public static List<Trace> synthetic(TraceRecipe recipe) {
        List<Trace> traces = new ArrayList<>();
        try {
            for (byte[] rank : SyntheticRun.bytes(recipe)) {
                traces.add(TestTraces.read(rank));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return traces;
    }

    /** The communication kernels of all ranks of a synthetic run. */
    public static List<RankCollectives> collectives(TraceRecipe recipe) {
        return synthetic(recipe).stream()
                .map(trace -> new DerivedCache(trace).get(RankCollectives.Key.standard()))
                .toList();
    }

    /** A recipe whose traces are read in a moment: two blocks, two steps, no straggler, clocks that agree. */
    public static TraceRecipe smallRecipe(int ranks) {
        return TraceRecipe.standard()
                .withRanks(ranks)
                .withModel(new TraceRecipe.Model(2, 1024, 2048, 4))
                .withSteps(2)
                .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                .withClocks(0, 0);
    }
}
