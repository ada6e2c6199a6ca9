// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** How another tool merges ranks. */
public interface MergeDialect {
    /** How it merges the configurations of a sweep. */
    MergePlan plan();

    /**
     * Begins a single merge.
     *
     * @param inputs what is merged, as the user names it
     * @param target where the file will lie; its ending tells whether it is packed
     * @param staged where it is written
     * @param say takes the lines that the tool prints
     */
    RankMerge open(List<String> inputs, Path target, Path staged, Consumer<String> say) throws IOException;
}
