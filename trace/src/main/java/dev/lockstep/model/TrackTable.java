// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers tracks by process and thread in order of first appearance, and gives them their names at the end. */
final class TrackTable {
    private static final class Names {
        private final GivenName process = new GivenName();
        private final GivenName labels = new GivenName();
        private final Map<String, GivenName> threads = new HashMap<>();

        private GivenName thread(String thread) {
            return threads.computeIfAbsent(thread, t -> new GivenName());
        }

        private Track track(String process, String thread) {
            GivenName ofThread = threads.getOrDefault(thread, UNNAMED);
            return new Track(
                    process,
                    thread,
                    new Track.Names(this.process.telling(), labels.telling(), ofThread.telling()),
                    new Track.Names(this.process.last(), labels.last(), ofThread.last()));
        }
    }

    /** Never given a name. */
    private static final GivenName UNNAMED = new GivenName();

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
            give(known, track.thread(), track.names());
            give(known, track.thread(), track.lastNames());
        }
    }

    private static void give(Names known, String thread, Track.Names names) {
        if (names.process() != null) {
            known.process.give(names.process());
        }
        if (names.labels() != null) {
            known.labels.give(names.labels());
        }
        if (names.thread() != null) {
            known.thread(thread).give(names.thread());
        }
    }

    void processName(String process, String name) {
        of(process).process.give(name);
    }

    void processLabels(String process, String labels) {
        of(process).labels.give(labels);
    }

    void threadName(String process, String thread, String name) {
        of(process).thread(thread).give(name);
    }

    /** Takes over what a later part of the file has; says which number each of its tracks has here. */
    int[] append(TrackTable later, int[] renumbered) {
        int[] moved = new int[later.places.size()];
        for (int i = 0; i < moved.length; i++) {
            moved[i] = number(renumbered[later.process(i)], renumbered[later.thread(i)]);
        }
        later.names.forEach((process, theirs) -> {
            Names ours = of(process);
            ours.process.append(theirs.process);
            ours.labels.append(theirs.labels);
            theirs.threads.forEach((thread, name) -> ours.thread(thread).append(name));
        });
        return moved;
    }

    List<Track> build() {
        List<Track> tracks = new ArrayList<>(places.size());
        for (int i = 0; i < places.size(); i++) {
            String process = strings.get(process(i));
            String thread = strings.get(thread(i));
            Names known = names.get(process);
            tracks.add(known == null ? new Track(process, thread, Track.Names.NONE) : known.track(process, thread));
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
