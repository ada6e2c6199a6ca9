// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.clocks.ClockLine;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings ranks together whose clocks count from different moments: from 1970, from the start of a host, from that of the
 * recording. Where a rank would begin days away from the first one, or before the time at which the file begins, it is
 * moved so that it begins with the first; ranks behind it that fit there are moved by the same, so that what their clocks
 * have in common stays.
 */
final class ClockOrigins {
    private final long start;
    private final List<Long> shifts = new ArrayList<>();

    /** @param start when the first rank begins, in the time of the file */
    ClockOrigins(long start) {
        this.start = start;
        shifts.add(0L);
    }

    /**
     * What is to be added to all times of a rank, 0 for most.
     *
     * @param begin when it would begin in the time of the file
     */
    long shiftOf(long begin) {
        for (long shift : shifts) {
            long moved = begin + shift;
            if (moved >= 0 && Math.abs(moved - start) <= ClockLine.FARTHEST_NS) {
                return shift;
            }
        }
        shifts.add(start - begin);
        return start - begin;
    }
}
