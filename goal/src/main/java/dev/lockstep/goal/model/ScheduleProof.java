// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a schedule runs to its end.
 *
 * @param flaws the first flaws in words, with the line and label of the operations they speak of
 * @param flawCount how many there are
 * @param open what is neither proven nor wrong: a schedule that ends in the order of the file may not in another order in which
 *     messages of one tag can meet; null otherwise
 */
public record ScheduleProof(
        List<String> flaws, long flawCount, @Nullable String open) {
    /** Copies the list. */
    public ScheduleProof {
        flaws = List.copyOf(flaws);
    }

    /**
     * Whether it does, on any network and in whatever order messages meet.
     *
     * @return true when there is no flaw, and nothing is left open
     */
    public boolean correct() {
        return flawCount == 0 && open == null;
    }
}
