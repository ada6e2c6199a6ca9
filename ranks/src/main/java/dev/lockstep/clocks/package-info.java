// SPDX-License-Identifier: Apache-2.0
/**
 * The clocks of the ranks of a run: a line for each, its offset and its drift, with an error. Start at {@link
 * dev.lockstep.clocks.Clocks}. {@link dev.lockstep.clocks.Ties} says what clocks are told from, {@link
 * dev.lockstep.clocks.CommonClock} takes times onto one clock.
 */
@NullMarked
package dev.lockstep.clocks;

import org.jspecify.annotations.NullMarked;
