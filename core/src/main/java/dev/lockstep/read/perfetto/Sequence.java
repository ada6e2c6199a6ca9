// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the packets of one sequence have said so far: interned texts, defaults, clocks. Forgotten when it says so. */
final class Sequence {
    /** Texts by their number: positions in a list, which hold whatever the reader makes of them. */
    static final class Texts {
        private LongIntMap places = new LongIntMap(16);
        private final IntList values = new IntList(16);

        void put(long number, int value) {
            int place = places.get(number);
            if (place >= 0) {
                values.set(place, value);
            } else {
                places.put(number, values.size());
                values.add(value);
            }
        }

        /** The value of a number, -1 when it was never said. */
        int get(long number) {
            int place = places.get(number);
            return place < 0 ? -1 : values.get(place);
        }

        private void clear() {
            places = new LongIntMap(16);
            values.clear();
        }
    }

    /** A clock that only this sequence has. */
    static final class Clock {
        final boolean incremental;
        final long unitNs;
        long last;
        final long offset;

        /** @param offset what makes its time that of the trace */
        Clock(boolean incremental, long unitNs, long last, long offset) {
            this.incremental = incremental;
            this.unitNs = unitNs;
            this.last = last;
            this.offset = offset;
        }
    }

    final Texts names = new Texts();
    final Texts categories = new Texts();
    final Texts arguments = new Texts();
    final Texts strings = new Texts();
    final Map<Long, Clock> clocks = new HashMap<>();
    long defaultTrack;
    long defaultClock = -1;
    /** Values of counters that are written as differences, by track. */
    final Map<Long, Double> counters = new HashMap<>();
    /** Who the events belong to; null until it is known. */
    @Nullable
    RankEvents events;

    /** Forgets what was interned, the defaults, and what counters stood at. */
    void clear() {
        counters.clear();
        names.clear();
        categories.clear();
        arguments.clear();
        strings.clear();
        defaultTrack = 0;
        defaultClock = -1;
    }
}
