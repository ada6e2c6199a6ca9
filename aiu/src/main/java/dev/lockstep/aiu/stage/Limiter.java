// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.EventLimit;

/** Counts events against a limit. */
final class Limiter {
    private final EventLimit limit;
    private final boolean countsFree;
    private final boolean open;
    private long counted;

    /** @param countsFree whether events of free phases use the count up although they are always let in */
    Limiter(EventLimit limit, boolean countsFree) {
        this.limit = limit;
        this.countsFree = countsFree;
        this.open = limit.isNone();
    }

    boolean lets(AiuEvent event) {
        if (open && event.ts >= 0) {
            return true;
        }
        boolean free = limit.free().indexOf(event.phase) >= 0;
        double ts = Double.isNaN(event.ts) ? -1 : event.ts;
        boolean inside = ts + event.length() >= limit.tsStart() && ts <= limit.tsEnd();
        if (inside && (countsFree || !free)) {
            counted++;
        }
        return free || inside && counted > limit.skip() && counted - limit.skip() <= limit.count();
    }
}
