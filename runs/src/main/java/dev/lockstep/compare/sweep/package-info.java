// SPDX-License-Identifier: Apache-2.0
/**
 * The configurations of a sweep side by side: their timelines, their collectives, and which is best and why. Works on
 * {@link dev.lockstep.compare.RunSummary}. Start at
 * {@link dev.lockstep.compare.sweep.SweepTimelines}.
 */
@NullMarked
package dev.lockstep.compare.sweep;

import org.jspecify.annotations.NullMarked;
