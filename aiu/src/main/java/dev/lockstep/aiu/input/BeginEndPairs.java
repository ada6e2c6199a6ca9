// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.read.flex.OpenBegins;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes one complete event of a begin and its end. It stands where its begin stood. */
final class BeginEndPairs {
    private final List<@Nullable AiuEvent> events;
    private final IdentityHashMap<AiuName, Integer> names = new IdentityHashMap<>();
    private final LongIntMap numbers = new LongIntMap(64);
    private final IntTuples tracks = new IntTuples();
    private OpenBegins open = new OpenBegins();
    private int behindBegin;
    private long unmatchedEnds;

    BeginEndPairs(List<@Nullable AiuEvent> events) {
        this.events = events;
    }

    /** Forgets all events, as of a list that another one replaces. */
    void clear() {
        events.clear();
        open = new OpenBegins();
        unmatchedEnds = 0;
    }

    void begin(AiuEvent event) {
        open.begin(events.size(), name(event), track(event));
        events.add(event);
        behindBegin = events.size();
    }

    void end(AiuEvent end) {
        if (behindBegin != events.size()) {
            open.hold();
        }
        int place = open.end(name(end), track(end));
        AiuEvent begin = place < 0 ? null : events.get(place);
        if (begin == null) {
            unmatchedEnds++;
        } else {
            begin.phase = 'X';
            begin.dur = end.ts - begin.ts;
        }
    }

    private int name(AiuEvent event) {
        return names.computeIfAbsent(event.name, name -> names.size());
    }

    private int track(AiuEvent event) {
        return tracks.then(tracks.then(IntTuples.ROOT, numbers.numberOf(event.pid)), numbers.numberOf(event.tid));
    }

    /** Takes begins without an end out; the number of begins and ends without partner. */
    long finish() {
        long unmatched = unmatchedEnds;
        for (int i = 0; i < events.size(); i++) {
            AiuEvent event = events.get(i);
            if (event != null && event.phase == 'B') {
                events.set(i, null);
                unmatched++;
            }
        }
        return unmatched;
    }
}
