// SPDX-License-Identifier: Apache-2.0
/**
 * Ranks of a configuration on one timeline, rank by rank as they are read, in one or several formats. Start at
 * {@link dev.lockstep.sweep.merge.MergePlan}.
 */
@NullMarked
package dev.lockstep.sweep.merge;

import org.jspecify.annotations.NullMarked;
