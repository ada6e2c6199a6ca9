// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Numbers tracks by process and thread in order of first appearance, and gives them their names at the end. */
final class TrackTable {
    private static final class Names {
        private @Nullable String processName;
        private @Nullable String processLabels;
        private final Map<String, String> threadNames = new HashMap<>();
    }

    private final StringPool strings;
    private final LongIntMap numbers = new LongIntMap(16);
    private final LongList places = new LongList(16);
    private final Map<String, Names> names = new HashMap<>();

    TrackTable(StringPool strings) {
        this.strings = strings;
    }

    int number(int process, int thread) {
        long place = (long) process << 32 | thread;
        int known = numbers.get(place);
        if (known >= 0) {
            return known;
        }
        numbers.put(place, places.size());
        places.add(place);
        return places.size() - 1;
    }

    /** Takes over tracks and names of another table of the same pool; to be called while this one is empty. */
    void copy(TrackTable other) {
        for (int i = 0; i < other.places.size(); i++) {
            number(other.process(i), other.thread(i));
        }
        names.putAll(other.names);
    }

    /** Takes over finished tracks with their numbers. */
    void addAll(List<Track> finished) {
        for (Track track : finished) {
            number(strings.intern(track.process()), strings.intern(track.thread()));
            Names known = of(track.process());
            known.processName = track.processName();
            known.processLabels = track.processLabels();
            String threadName = track.threadName();
            if (threadName != null) {
                known.threadNames.put(track.thread(), threadName);
            }
        }
    }

    void processName(String process, String name) {
        of(process).processName = name;
    }

    void processLabels(String process, String labels) {
        of(process).processLabels = labels;
    }

    void threadName(String process, String thread, String name) {
        of(process).threadNames.put(thread, name);
    }

    /** Takes over what a later part of the file has; says which number each of its tracks has here. */
    int[] append(TrackTable later, int[] renumbered) {
        int[] moved = new int[later.places.size()];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = number(renumbered[later.process(i)], renumbered[later.thread(i)]);
        }
        later.names.forEach((process, theirs) -> {
            Names ours = of(process);
            ours.processName = theirs.processName == null ? ours.processName : theirs.processName;
            ours.processLabels = theirs.processLabels == null ? ours.processLabels : theirs.processLabels;
            ours.threadNames.putAll(theirs.threadNames);
        });
        return moved;
    }

    List<Track> build() {
        List<Track> tracks = new ArrayList<>(places.size());
        for (int i = 0; i < places.size(); i++) {
            String process = strings.get(process(i));
            String thread = strings.get(thread(i));
            Names known = names.get(process);
            tracks.add(
                    known == null
                            ? new Track(process, thread, null, null, null)
                            : new Track(
                                    process,
                                    thread,
                                    known.processName,
                                    known.processLabels,
                                    known.threadNames.get(thread)));
        }
        return tracks;
    }

    private int process(int number) {
        return (int) (places.get(number) >>> 32);
    }

    private int thread(int number) {
        return (int) places.get(number);
    }

    private Names of(String process) {
        return names.computeIfAbsent(process, p -> new Names());
    }
}
