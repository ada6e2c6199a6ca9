// SPDX-License-Identifier: Apache-2.0
/**
 * What schedules look like: bytes by pair of ranks, ranks over time, collectives. Start at
 * {@link dev.lockstep.goal.report.ScheduleReport}.
 */
@NullMarked
package dev.lockstep.goal.report;

import org.jspecify.annotations.NullMarked;
