// SPDX-License-Identifier: Apache-2.0
/**
 * The configurations of a sweep side by side: their timelines, their collectives, and which is best and why. Works on the
 * sheets of finished reports, whether they were just made or read back. Start at
 * {@link dev.lockstep.analyze.sweep.SweepTimelines}.
 */
@NullMarked
package dev.lockstep.analyze.sweep;

import org.jspecify.annotations.NullMarked;
