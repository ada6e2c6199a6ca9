// SPDX-License-Identifier: Apache-2.0
/**
 * Runs side by side, in one model: {@link dev.lockstep.compare.RunSummary} is what all comparisons know of a run, and
 * {@link dev.lockstep.compare.RankBreakdown} is where it is decided what a row means that a rank's timeline does not have.
 * Subpackages: {@code sheets} reads finished reports into the model, and nobody else looks at the heads of their columns;
 * {@code reports} puts any finished reports side by side, {@code configurations} the ranks of runs, {@code sweep} the
 * configurations of a sweep.
 */
@NullMarked
package dev.lockstep.compare;

import org.jspecify.annotations.NullMarked;
