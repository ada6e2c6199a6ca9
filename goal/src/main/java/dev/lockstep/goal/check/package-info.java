// SPDX-License-Identifier: Apache-2.0
/**
 * Proof of schedules: {@link dev.lockstep.goal.check.ScheduleVerification} shows that every message is received and that
 * nobody waits for ever; {@link dev.lockstep.goal.check.ScheduleCounting} says what a schedule holds.
 */
@NullMarked
package dev.lockstep.goal.check;

import org.jspecify.annotations.NullMarked;
