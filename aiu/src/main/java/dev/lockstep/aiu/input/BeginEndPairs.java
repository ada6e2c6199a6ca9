// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes one complete event of a begin and its end. Most often they stand side by side; otherwise an end belongs to the
 * latest begin of its name that is still open on its thread. Complete events stand where their begins stood.
 */
final class BeginEndPairs {
    private record Row(long pid, long tid) {}

    private final List<@Nullable AiuEvent> events;
    private final Map<Row, List<Integer>> open = new HashMap<>();
    private int pending = -1;
    private long unmatchedEnds;

    BeginEndPairs(List<@Nullable AiuEvent> events) {
        this.events = events;
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
        List<Integer> begins = open.getOrDefault(row(event), List.of());
        for (int i = begins.size() - 1; i >= 0; i--) {
            if (close(begins.get(i), event)) {
                begins.subList(i, i + 1).clear();
                return;
            }
        }
        unmatchedEnds++;
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
                open.computeIfAbsent(row(begin), row -> new ArrayList<>()).add(pending);
            }
            pending = -1;
        }
    }

    private static Row row(AiuEvent event) {
        return new Row(event.pid, event.tid);
    }

    /** Takes begins without an end out; the number of begins and ends without partner. */
    long finish() {
        hold();
        long unmatched = unmatchedEnds;
        for (List<Integer> begins : open.values()) {
            for (int place : begins) {
                events.set(place, null);
                unmatched++;
            }
        }
        return unmatched;
    }
}
