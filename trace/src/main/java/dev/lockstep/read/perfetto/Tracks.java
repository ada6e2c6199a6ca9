// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.COUNTER_INCREMENTAL;
import static dev.lockstep.codec.PerfettoFormat.COUNTER_MULTIPLIER;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_LABEL;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_NAME;
import static dev.lockstep.codec.PerfettoFormat.PROCESS_PID;
import static dev.lockstep.codec.PerfettoFormat.THREAD_NAME;
import static dev.lockstep.codec.PerfettoFormat.THREAD_PID;
import static dev.lockstep.codec.PerfettoFormat.THREAD_TID;
import static dev.lockstep.codec.PerfettoFormat.TRACK_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.TRACK_NAME;
import static dev.lockstep.codec.PerfettoFormat.TRACK_PARENT;
import static dev.lockstep.codec.PerfettoFormat.TRACK_PROCESS;
import static dev.lockstep.codec.PerfettoFormat.TRACK_STATIC_NAME;
import static dev.lockstep.codec.PerfettoFormat.TRACK_THREAD;
import static dev.lockstep.codec.PerfettoFormat.TRACK_UUID;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tracks that a file describes. Descriptions may come before or behind the events, and several times. */
final class Tracks {
    /** What is said about one track; what is not said is null, or -1. */
    static final class Description {
        long parent;

        @Nullable
        String name;

        long pid = -1;
        long tid = -1;
        boolean isProcess;
        boolean isThread;
        boolean isCounter;
        boolean isIncremental;
        long multiplier = 1;
        /** Of what a GPU does or counts: its number, -1 for others; and the number of the stream. */
        long gpu = -1;

        long stream = -1;

        @Nullable
        String processName;

        @Nullable
        String processLabels;

        /** Whether the process is a device, by its name or its labels. */
        boolean isDevice;

        @Nullable
        String threadName;

        /** Whether what is above it was looked for, and what was found. */
        private boolean climbed;

        private @Nullable Description home;
        private @Nullable Description top;
    }

    /** Makes numbers that writers do not choose out of small ones. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private static final int STREAMS = 0;
    private static final int COUNTERS = 1;

    private final Map<Long, Description> descriptions = new HashMap<>();
    private final Map<Long, Long> threads = new HashMap<>();
    private final Map<Long, Description> processes = new HashMap<>();

    private final IntTuples placesOfGpus = new IntTuples();
    private final LongIntMap numbersOfGpus = new LongIntMap(16);
    private final LongIntMap tracksOfGpus = new LongIntMap(16);
    private final LongList uuidsOfGpus = new LongList(16);

    @Nullable
    Description get(long uuid) {
        return descriptions.get(uuid);
    }

    /** What is known of a process, by its number. */
    @Nullable
    Description process(long pid) {
        return processes.get(pid);
    }

    /** The track above, or null. */
    @Nullable
    Description above(Description track) {
        return track.parent == 0 ? null : descriptions.get(track.parent);
    }

    /** The nearest thread or process at or above a track, or null. To be asked when all tracks are described. */
    @Nullable
    Description home(Description track) {
        climb(track);
        return track.home;
    }

    /** The topmost track above one, which may be itself. To be asked when all tracks are described. */
    Description top(Description track) {
        climb(track);
        return track.top == null ? track : track.top;
    }

    /** Finds what is above a track, and above those on the way. Tracks that are above themselves have no topmost one. */
    private void climb(Description track) {
        List<Description> way = new ArrayList<>();
        Description at = track;
        while (!at.climbed) {
            at.climbed = true;
            at.home = at.isThread || at.isProcess ? at : null;
            way.add(at);
            Description next = above(at);
            at.top = next == null ? at : null;
            at = next == null ? at : next;
        }
        for (Description below : way.reversed()) {
            Description above = above(below);
            if (above != null) {
                below.home = below.home == null ? above.home : below.home;
                below.top = above.top;
            }
        }
    }

    /** The track of a thread that is named by its numbers alone; -1 stands for an unknown one of the process. */
    long thread(long pid, long tid) {
        return threads.computeIfAbsent(key(pid, tid), key -> {
            long uuid = free(key * SPREAD);
            Description d = new Description();
            d.isThread = true;
            d.pid = pid;
            d.tid = tid;
            descriptions.put(uuid, d);
            return uuid;
        });
    }

    /** The track of a stream of a GPU. */
    long stream(long gpu, long stream, String name) {
        return ofGpu(gpu, STREAMS, stream, name);
    }

    /**
     * The track of a counter of a GPU.
     *
     * @param text what {@code name} is among all texts
     */
    long counter(long gpu, long text, String name) {
        return ofGpu(gpu, COUNTERS, text, name);
    }

    private long ofGpu(long gpu, int kind, long number, String name) {
        int place = placesOfGpus.then(
                placesOfGpus.then(placesOfGpus.then(IntTuples.ROOT, kind), numbersOfGpus.numberOf(gpu)),
                numbersOfGpus.numberOf(number));
        int known = tracksOfGpus.get(place);
        if (known >= 0) {
            return uuidsOfGpus.get(known);
        }
        Description d = new Description();
        d.name = name;
        d.gpu = Math.max(0, gpu);
        d.stream = number;
        d.isCounter = kind == COUNTERS;
        long uuid = free((place + 1L) * SPREAD);
        descriptions.put(uuid, d);
        tracksOfGpus.put(place, uuidsOfGpus.size());
        uuidsOfGpus.add(uuid);
        return uuid;
    }

    /** A number near this one that no track has. */
    private long free(long wanted) {
        long uuid = wanted;
        while (uuid == 0 || descriptions.containsKey(uuid)) {
            uuid++;
        }
        return uuid;
    }

    private static long key(long pid, long tid) {
        return pid << Integer.SIZE | tid & 0xFFFFFFFFL;
    }

    /** Reads a description. */
    void describe(ProtoCursor in) throws Damaged {
        long uuid = 0;
        Description d = new Description();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case TRACK_UUID << 3 | VARINT -> uuid = in.varint();
                case TRACK_PARENT << 3 | VARINT -> d.parent = in.varint();
                case TRACK_NAME << 3 | BYTES, TRACK_STATIC_NAME << 3 | BYTES -> d.name = in.text();
                case TRACK_PROCESS << 3 | BYTES -> {
                    d.isProcess = true;
                    nested(in, d, TRACK_PROCESS);
                }
                case TRACK_THREAD << 3 | BYTES -> {
                    d.isThread = true;
                    nested(in, d, TRACK_THREAD);
                }
                case TRACK_COUNTER << 3 | BYTES -> {
                    d.isCounter = true;
                    nested(in, d, TRACK_COUNTER);
                }
                default -> in.skipField(tag);
            }
        }
        descriptions.put(uuid, d);
        if (d.isProcess) {
            d.isDevice = KindsByEvidence.isDevice(d.processName) || KindsByEvidence.isDevice(d.processLabels);
            processes.put(d.pid, d);
        }
        if (d.isThread) {
            threads.putIfAbsent(key(d.pid, d.tid), uuid);
        }
    }

    private static void nested(ProtoCursor in, Description d, int what) throws Damaged {
        int outer = in.enter();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (what) {
                case TRACK_PROCESS -> process(in, tag, d);
                case TRACK_THREAD -> thread(in, tag, d);
                default -> counter(in, tag, d);
            }
        }
        in.leave(outer);
    }

    private static void process(ProtoCursor in, int tag, Description d) throws Damaged {
        switch (tag) {
            case PROCESS_PID << 3 | VARINT -> d.pid = in.varint();
            case PROCESS_NAME << 3 | BYTES -> d.processName = in.text();
            case PROCESS_LABEL << 3 | BYTES -> {
                String label = in.text();
                d.processLabels = d.processLabels == null ? label : d.processLabels + ", " + label;
            }
            default -> in.skipField(tag);
        }
    }

    private static void thread(ProtoCursor in, int tag, Description d) throws Damaged {
        switch (tag) {
            case THREAD_PID << 3 | VARINT -> d.pid = in.varint();
            case THREAD_TID << 3 | VARINT -> d.tid = in.varint();
            case THREAD_NAME << 3 | BYTES -> d.threadName = in.text();
            default -> in.skipField(tag);
        }
    }

    private static void counter(ProtoCursor in, int tag, Description d) throws Damaged {
        switch (tag) {
            case COUNTER_MULTIPLIER << 3 | VARINT -> d.multiplier = in.varint();
            case COUNTER_INCREMENTAL << 3 | VARINT -> d.isIncremental = in.varint() != 0;
            default -> in.skipField(tag);
        }
    }
}
