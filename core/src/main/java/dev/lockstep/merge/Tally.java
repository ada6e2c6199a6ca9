// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** Counts events by the reason for which they are left out. */
final class Tally {
    private final EnumMap<Reason, Long> counts = new EnumMap<>(Reason.class);

    void add(Reason reason) {
        counts.merge(reason, 1L, Long::sum);
    }

    Map<Reason, Long> counts() {
        return Collections.unmodifiableMap(new EnumMap<>(counts));
    }
}
