// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;

/**
 * Finds the begin that an end belongs to: the one just before it, if that has the same name, for so FLEX writes them;
 * otherwise the latest open one of its name on its thread.
 */
public final class OpenBegins {
    private final IntTuples keys = new IntTuples();

    /** By key: place of the latest open begin, counted from 1; 0 when there is none any more. */
    private final LongIntMap latest = new LongIntMap(64);

    private final IntList begins = new IntList(64);

    /** By place: the open begin of the same key before it, as in {@link #latest}. */
    private final IntList before = new IntList(64);

    private int pending = -1;
    private int pendingName;
    private int pendingTrack;

    /** Takes a begin, by any number of the caller that is not negative. */
    public void begin(int number, int name, int track) {
        hold();
        pending = number;
        pendingName = name;
        pendingTrack = track;
    }

    /** The begin that this end closes, -1 when there is none. */
    public int end(int name, int track) {
        if (pending >= 0 && pendingName == name) {
            int found = pending;
            pending = -1;
            return found;
        }
        hold();
        int key = key(name, track);
        int place = latest.get(key) - 1;
        if (place < 0) {
            return -1;
        }
        latest.put(key, before.get(place));
        return begins.get(place);
    }

    /** The begin taken last need not belong to the next end: something else stands between them. */
    public void hold() {
        if (pending < 0) {
            return;
        }
        int key = key(pendingName, pendingTrack);
        before.add(Math.max(0, latest.get(key)));
        begins.add(pending);
        latest.put(key, begins.size());
        pending = -1;
    }

    private int key(int name, int track) {
        return keys.then(keys.then(IntTuples.ROOT, track), name);
    }
}
