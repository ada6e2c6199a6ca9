// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.TraceRecipe.Communication;
import java.util.Comparator;
import java.util.List;

/**
 * What is in the runs of a sweep.
 *
 * @param runs in the order of the recipe
 */
public record SweepTruth(List<Entry> runs) {

    public SweepTruth {
        runs = List.copyOf(runs);
    }

    /**
     * @param directory of the run, relative to the sweep's, with {@code /}
     * @param setting that distinguishes it
     * @param truth about it
     */
    public record Entry(String directory, Communication setting, RunTruth truth) {}

    /** The runs from the fastest mean step to the slowest. */
    public List<Entry> ranking() {
        return runs.stream()
                .sorted(Comparator.comparingLong(entry -> entry.truth().meanStepNanos()))
                .toList();
    }
}
