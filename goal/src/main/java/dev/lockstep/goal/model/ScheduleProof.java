// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import java.util.List;

/**
 * Whether a schedule can run to its end.
 *
 * @param flaws the first flaws in words, with the line and label of the operations they speak of
 * @param flawCount how many there are
 */
public record ScheduleProof(List<String> flaws, long flawCount) {
    /** Copies the list. */
    public ScheduleProof {
        flaws = List.copyOf(flaws);
    }

    /**
     * Whether it can.
     *
     * @return true when there is no flaw
     */
    public boolean correct() {
        return flawCount == 0;
    }
}
