// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.generate.MessageTags;
import dev.lockstep.goal.generate.TagFormat;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;

/**
 * The reference's tags: messages with the same peer and label are numbered in the order in which they are written, sent
 * and received ones apart.
 */
final class ReferenceTags implements MessageTags {
    private static final int SENT = 0;
    private static final int RECEIVED = 1;

    private final long step;
    private final LongIntMap places = new LongIntMap(64);
    private final LongList numbers = new LongList(64);
    private long label;
    private long lastKey = -1;
    private int lastPlace;

    ReferenceTags(TagFormat format) {
        step = format.step();
    }

    /** The label of what comes next. */
    void label(long next) {
        label = next;
    }

    @Override
    public long send(int to) {
        return next(to, SENT) * step + label;
    }

    @Override
    public long recv(int from) {
        return next(from, RECEIVED) * step + label;
    }

    /** Takes numbers without using them; the largest number taken so far in this direction. */
    long skip(int peer, boolean sent, long messages) {
        int place = place(peer, sent ? SENT : RECEIVED);
        numbers.set(place, numbers.get(place) + messages);
        return numbers.get(place) - 1;
    }

    private long next(int peer, int direction) {
        int place = place(peer, direction);
        long number = numbers.get(place);
        numbers.set(place, number + 1);
        return number;
    }

    private int place(int peer, int direction) {
        long key = ((long) peer << 32 | label) << 1 | direction;
        if (key == lastKey) {
            return lastPlace;
        }
        int place = places.get(key);
        if (place < 0) {
            place = numbers.size();
            places.put(key, place);
            numbers.add(0);
        }
        lastKey = key;
        lastPlace = place;
        return place;
    }
}
