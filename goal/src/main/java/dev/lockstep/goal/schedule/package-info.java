// SPDX-License-Identifier: Apache-2.0
/**
 * Schedules in GOAL: operations with their dependencies, written as they come, as text or binary; and what computing on
 * data costs. Start at {@link dev.lockstep.goal.schedule.ScheduleSink}.
 */
@NullMarked
package dev.lockstep.goal.schedule;

import org.jspecify.annotations.NullMarked;
