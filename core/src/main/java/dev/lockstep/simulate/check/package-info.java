// SPDX-License-Identifier: Apache-2.0
/**
 * Proof of schedules: {@link dev.lockstep.simulate.check.Verification} shows that every message is received and that
 * nobody waits for ever; {@link dev.lockstep.simulate.check.ScheduleCounts} says what a schedule holds.
 */
@NullMarked
package dev.lockstep.simulate.check;

import org.jspecify.annotations.NullMarked;
