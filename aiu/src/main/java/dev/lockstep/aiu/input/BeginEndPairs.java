// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.table.IntList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes one complete event of a begin and its end. Most often they stand side by side; otherwise an end belongs to the
 * latest begin of its name that is still open on its thread. Complete events stand where their begins stood.
 */
final class BeginEndPairs {
    private record Same(long pid, long tid, AiuName name) {}

    private final List<@Nullable AiuEvent> events;
    private final Map<Same, IntList> open = new HashMap<>();
    private int pending = -1;
    private long unmatchedEnds;

    BeginEndPairs(List<@Nullable AiuEvent> events) {
        this.events = events;
    }

    /** Forgets all events, as of a list that another one replaces. */
    void clear() {
        events.clear();
        open.clear();
        pending = -1;
        unmatchedEnds = 0;
    }

    void begin(AiuEvent event) {
        hold();
        pending = events.size();
        events.add(event);
    }

    void end(AiuEvent event) {
        if (pending == events.size() - 1 && pending >= 0 && close(pending, event)) {
            pending = -1;
            return;
        }
        hold();
        IntList begins = open.get(same(event));
        if (begins == null || begins.size() == 0 || !close(begins.removeLast(), event)) {
            unmatchedEnds++;
        }
    }

    private boolean close(int place, AiuEvent end) {
        AiuEvent begin = events.get(place);
        if (begin == null || begin.name != end.name) {
            return false;
        }
        begin.phase = 'X';
        begin.dur = end.ts - begin.ts;
        return true;
    }

    private void hold() {
        if (pending >= 0) {
            AiuEvent begin = events.get(pending);
            if (begin != null) {
                open.computeIfAbsent(same(begin), key -> new IntList(4)).add(pending);
            }
            pending = -1;
        }
    }

    private static Same same(AiuEvent event) {
        return new Same(event.pid, event.tid, event.name);
    }

    /** Takes begins without an end out; the number of begins and ends without partner. */
    long finish() {
        hold();
        long unmatched = unmatchedEnds;
        for (IntList begins : open.values()) {
            for (int i = 0; i < begins.size(); i++) {
                events.set(begins.get(i), null);
                unmatched++;
            }
        }
        return unmatched;
    }
}
