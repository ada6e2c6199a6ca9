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
public record ScheduleNote(boolean loss, String code, long times, String first) {
    /**
     * {@return the first case, and how many more there are}
     */
    public String text() {
        return text(first);
    }

    /**
     * {@return the first case in other words, and how many more there are}
     *
     * @param words for the first case
     */
    public String text(String words) {
        return words + (times > 1 ? " (and " + (times - 1) + " more like this)" : "");
    }
}
