// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.snapshot;

import dev.lockstep.codec.PickleBytes;
import dev.lockstep.codec.PlainPickle;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.MemoryFailureDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.SegmentDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.TraceInput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes a snapshot apart. It says what is allocated and held at its end, and every change before; so it says the totals after
 * each change, too. A change is a mark on the track of its device.
 */
final class SnapshotDocument {
    private static final int DEEPEST = 100;
    private static final int MOST_DEVICES = 1024;
    private static final long MOST_BYTES = 1L << 53;
    private static final long MOST_MICROS = Long.MAX_VALUE / 1000;
    private static final String NO_FRAMES = "";

    private final TraceInput input;
    private final PickleBytes bytes;
    private final TraceBuilder builder;
    private final IdentityHashMap<Object, Integer> textOfFrames = new IdentityHashMap<>();
    private final IdentityHashMap<Object, Integer> numberOfFrame = new IdentityHashMap<>();
    private final Map<String, Integer> textOfNumbers = new HashMap<>();
    private final long mostText = Runtime.getRuntime().maxMemory() / 4;
    private long text;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Integer> entries = new ArrayList<>();
    private final int memory;
    private final int segment;
    private final int failure;

    SnapshotDocument(TraceInput input, PickleBytes bytes, Diagnostics packing) {
        this.input = input;
        this.bytes = bytes;
        this.builder = new TraceBuilder(16);
        builder.diagnostics().addAll(packing);
        memory = builder.strings().intern(MemoryDetails.MARK);
        failure = builder.strings().intern(MemoryFailureDetails.MARK);
        segment = builder.strings().intern("segment");
    }

    Trace trace(Object value) throws TraceFormatException {
        int levels = Nested.levels(value);
        if (levels < 0 || levels > DEEPEST) {
            throw refused(levels < 0 ? "a value that holds itself" : "values within each other " + levels + " deep");
        }
        if (!(value instanceof Map<?, ?> snapshot)) {
            throw refused("expected a dictionary with segments and device_traces");
        }
        List<?> segments = list(snapshot, "segments");
        List<?> traces = list(snapshot, "device_traces");
        if (traces.size() > MOST_DEVICES) {
            throw refused("device_traces of " + traces.size() + " devices, expected at most " + MOST_DEVICES);
        }
        Segments held = new Segments(traces.size());
        for (Object one : segments) {
            held.add(dictionary(one, "segments"));
        }
        long last = 0;
        for (int device = 0; device < traces.size(); device++) {
            if (!(traces.get(device) instanceof List<?> changes) || !seen.add(changes) && !changes.isEmpty()) {
                throw refused("expected a list of its own in device_traces");
            }
            entries.add(changes.size());
            last = Math.max(last, changes(device, changes, held));
        }
        boolean history = builder.markCount() > 0;
        held.state(last);
        builder.counts().add(builder.markCount(), 0, 0);
        builder.counts().addPhase("i", builder.markCount());
        if (!history) {
            observed(
                    "no_memory_history", "the snapshot holds no history: _record_memory_history was not called before");
        }
        OptionalInt rank = RankNames.rankOf(input.path());
        return builder.build(new TraceInfo(
                input.name(),
                TraceFormat.SNAPSHOT.id(),
                rank.isPresent() ? new Rank(rank.getAsInt(), Rank.Origin.PATH) : new Rank(0, Rank.Origin.ORDER),
                -1,
                List.of(),
                0,
                Map.of("history_entries", entries.toString())));
    }

    /** The changes of a device; returns the time of the last. */
    private long changes(int device, List<?> changes, Segments held) throws TraceFormatException {
        Totals net = new Totals(0, 0);
        for (Object one : changes) {
            net.take(dictionary(one, "device_traces"));
        }
        Totals totals = new Totals(held.active[device] - net.allocated, held.total[device] - net.reserved);
        int track = track(device);
        long time = 0;
        int untimed = 0;
        for (Object one : changes) {
            Map<?, ?> change = dictionary(one, "device_traces");
            totals.take(change);
            switch (word(change, "action")) {
                case "oom" -> {
                    observed("out_of_memory", "a request for memory failed; the snapshot's history shows when");
                    time = change.containsKey("time_us") ? micros(change) * 1000 : time + 1000;
                    builder.mark('i', time, track, failure, -1);
                    failed(device, change, totals);
                }
                case "alloc", "free_completed" -> {
                    untimed += change.containsKey("time_us") ? 0 : 1;
                    time = change.containsKey("time_us") ? micros(change) * 1000 : time + 1000;
                    builder.mark('i', time, track, memory, -1);
                    describe(device, change, totals);
                }
                default -> {
                    // says nothing about what is allocated
                }
            }
        }
        if (untimed > 0) {
            observed("no_times", "the snapshot's history has no times; its entries count as one each µs");
        }
        return time;
    }

    /** Details of the last mark. */
    private void describe(int device, Map<?, ?> change, Totals totals) throws TraceFormatException {
        DetailRows rows = builder.markDetails(MemoryDetails.KEY);
        rows.add(builder.markCount() - 1);
        rows.number(MemoryDetails.DEVICE, device);
        rows.number(MemoryDetails.BYTES, word(change, "action").equals("alloc") ? size(change) : -size(change));
        rows.number(MemoryDetails.ADDRESS, whole(change, "addr"));
        rows.number(MemoryDetails.ALLOCATED, totals.allocated);
        rows.number(MemoryDetails.RESERVED, totals.reserved);
        rows.number(MemoryDetails.STREAM, change.containsKey("stream") ? whole(change, "stream") : -1);
        rows.text(MemoryDetails.FRAMES, frames(change.get("frames")));
    }

    /** Details of the last mark, a request that could not be met. */
    private void failed(int device, Map<?, ?> change, Totals totals) throws TraceFormatException {
        DetailRows rows = builder.markDetails(MemoryFailureDetails.KEY);
        rows.add(builder.markCount() - 1);
        rows.number(MemoryFailureDetails.DEVICE, device);
        rows.number(MemoryFailureDetails.BYTES, size(change));
        rows.number(MemoryFailureDetails.FREE, change.get("device_free") instanceof Long free && free >= 0 ? free : -1);
        rows.number(MemoryFailureDetails.ALLOCATED, totals.allocated);
        rows.number(MemoryFailureDetails.RESERVED, totals.reserved);
        rows.text(MemoryFailureDetails.FRAMES, frames(change.get("frames")));
    }

    private void observed(String code, String message) {
        builder.diagnostics().add(Weight.OBSERVATION, code, message, -1);
    }

    private int track(int device) {
        int process = builder.strings().intern("allocator");
        return builder.track(process, builder.strings().intern(Integer.toString(device)));
    }

    /** Pool id of the frames, one a line. Stacks are shared between changes, frames between stacks. */
    private int frames(@Nullable Object frames) throws TraceFormatException {
        if (frames == null || frames == PlainPickle.Other.NONE) {
            return builder.strings().intern(NO_FRAMES);
        }
        Integer known = textOfFrames.get(frames);
        if (known != null) {
            return known;
        }
        if (!(frames instanceof List<?> list)) {
            throw refused("expected a list of frames");
        }
        StringBuilder numbers = new StringBuilder();
        for (Object one : list) {
            int number = numberOfFrame.computeIfAbsent(one, o -> numberOfFrame.size());
            numbers.append((char) (number >>> 16)).append((char) number);
        }
        String key = numbers.toString();
        Integer id = textOfNumbers.get(key);
        if (id == null) {
            id = builder.strings().intern(textOf(list));
            textOfNumbers.put(key, id);
        }
        textOfFrames.put(frames, id);
        return id;
    }

    /** A frame is stated once, however long its names, and may stand in any number of stacks. */
    private String textOf(List<?> frames) throws TraceFormatException {
        StringBuilder lines = new StringBuilder();
        for (Object one : frames) {
            Map<?, ?> frame = dictionary(one, "frames");
            String name = word(frame, "name");
            String file = word(frame, "filename");
            text += name.length() + file.length();
            if (text > mostText) {
                throw refused("stacks of more than " + (mostText >> 20) + " MiB; LOCKSTEP_HEAP, as in 8g, gives more");
            }
            lines.append(lines.isEmpty() ? "" : "\n")
                    .append(name.replace('\n', ' '))
                    .append(' ')
                    .append(file.replace('\n', ' '))
                    .append(':')
                    .append(whole(frame, "line"));
        }
        return lines.toString();
    }

    private TraceFormatException refused(String problem) {
        return bytes.refused(-1, "the pickle is no snapshot of PyTorch's allocator: " + problem);
    }

    private List<?> list(Map<?, ?> of, String key) throws TraceFormatException {
        if (of.get(key) instanceof List<?> list) {
            return list;
        }
        throw refused("expected a list " + key);
    }

    private Map<?, ?> dictionary(Object one, String where) throws TraceFormatException {
        if (one instanceof Map<?, ?> map) {
            return map;
        }
        throw refused("expected a dictionary in " + where);
    }

    private String word(Map<?, ?> of, String key) throws TraceFormatException {
        if (of.get(key) instanceof String text) {
            return text;
        }
        throw refused("expected a text '" + key + "'");
    }

    private long whole(Map<?, ?> of, String key) throws TraceFormatException {
        if (of.get(key) instanceof Long number) {
            return number;
        }
        throw refused("expected a number '" + key + "' of 64 bits");
    }

    private long size(Map<?, ?> of) throws TraceFormatException {
        return bytes(of, "size");
    }

    private long bytes(Map<?, ?> of, String key) throws TraceFormatException {
        long size = whole(of, key);
        if (size < 0 || size > MOST_BYTES) {
            throw refused("expected a number of bytes '" + key + "', found " + size);
        }
        return size;
    }

    private long sum(long bytes, long more) throws TraceFormatException {
        long sum = bytes + more;
        if (Math.abs(sum) > MOST_BYTES) {
            throw refused("numbers of bytes that add up to " + sum);
        }
        return sum;
    }

    private long micros(Map<?, ?> of) throws TraceFormatException {
        long time = whole(of, "time_us");
        if (time < 0 || time > MOST_MICROS) {
            throw refused("expected a time 'time_us', found " + time);
        }
        return time;
    }

    /** Bytes of a device that are allocated and that are held, change by change. */
    private final class Totals {
        private long allocated;
        private long reserved;

        Totals(long allocated, long reserved) {
            this.allocated = allocated;
            this.reserved = reserved;
        }

        void take(Map<?, ?> change) throws TraceFormatException {
            switch (word(change, "action")) {
                case "alloc" -> allocated = sum(allocated, size(change));
                case "free_completed" -> allocated = sum(allocated, -size(change));
                case "segment_alloc", "segment_map" -> reserved = sum(reserved, size(change));
                case "segment_free", "segment_unmap" -> reserved = sum(reserved, -size(change));
                default -> {
                    // does not change what is allocated
                }
            }
        }
    }

    /** What the allocator holds at the end. */
    private final class Segments {
        private final long[] active;
        private final long[] total;
        private final List<long[]> kept = new ArrayList<>();

        Segments(int devices) {
            active = new long[devices];
            total = new long[devices];
        }

        void add(Map<?, ?> one) throws TraceFormatException {
            long device = whole(one, "device");
            if (device < 0 || device >= total.length) {
                throw refused("a segment of device " + device + ", of which device_traces say nothing");
            }
            List<?> blocks = list(one, "blocks");
            if (!seen.add(blocks) && !blocks.isEmpty()) {
                throw refused("expected blocks of its own in each segment");
            }
            long free = 0;
            long largest = 0;
            for (Object block : blocks) {
                Map<?, ?> part = dictionary(block, "blocks");
                if (word(part, "state").startsWith("active")) {
                    active[(int) device] = sum(
                            active[(int) device],
                            bytes(part, part.containsKey("requested_size") ? "requested_size" : "size"));
                } else {
                    free = sum(free, size(part));
                    largest = Math.max(largest, size(part));
                }
            }
            long size = bytes(one, "total_size");
            total[(int) device] = sum(total[(int) device], size);
            kept.add(new long[] {
                device, one.containsKey("stream") ? whole(one, "stream") : -1, size, free, largest, pool(one)
            });
        }

        /** A pool is named by two numbers, one of which is 0; both are for the common one, and in old snapshots. */
        private long pool(Map<?, ?> one) throws TraceFormatException {
            Object id = one.get("segment_pool_id");
            if (id == null) {
                return 0;
            }
            if (id instanceof List<?> pair
                    && pair.size() == 2
                    && pair.getFirst() instanceof Long first
                    && pair.getLast() instanceof Long second) {
                return first == 0 ? second : first;
            }
            throw refused("expected two numbers 'segment_pool_id'");
        }

        /** States the segments, at the end of the history. */
        void state(long time) {
            for (long[] one : kept) {
                builder.mark('i', time, track((int) one[0]), segment, -1);
                DetailRows rows = builder.markDetails(SegmentDetails.KEY);
                rows.add(builder.markCount() - 1);
                for (int column = 0; column < one.length; column++) {
                    rows.number(column, one[column]);
                }
            }
        }
    }
}
