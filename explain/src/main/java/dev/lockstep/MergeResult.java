// SPDX-License-Identifier: Apache-2.0
package dev.lockstep;

import dev.lockstep.merge.MergeSummary;
import dev.lockstep.session.RankSet;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What came of a merge.
 *
 * @param file the merged trace
 * @param manifest Perfetto's merge manifest, which tells the differences of clocks; null when they were not estimated
 * @param ranks which ranks were read, which are damaged and which are missing
 * @param summary what was written of each rank, and what was left out
 */
public record MergeResult(Path file, @Nullable Path manifest, RankSet<Boolean> ranks, MergeSummary summary) {}
