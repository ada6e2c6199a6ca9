// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/**
 * What was left out of a schedule, or assumed for it.
 *
 * @param loss whether something that was recorded is missing in the schedule
 * @param code names the kind, as in {@code costs_assumed}
 * @param times how often it came up
 * @param first the first case in words
 */
public record ScheduleNote(boolean loss, String code, long times, String first) {}
