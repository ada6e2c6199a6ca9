// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts events by the reason for which they are left out. */
final class Tally {
    private final long[] counts = new long[Reason.values().length];

    void add(Reason reason) {
        add(reason, 1);
    }

    void add(Reason reason, long count) {
        counts[reason.ordinal()] += count;
    }

    Map<Reason, Long> counts() {
        Map<Reason, Long> some = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            if (counts[reason.ordinal()] > 0) {
                some.put(reason, counts[reason.ordinal()]);
            }
        }
        return Collections.unmodifiableMap(some);
    }
}
