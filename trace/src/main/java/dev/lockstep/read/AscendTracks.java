// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.Track;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the slices of an Ascend trace are. {@code trace_view.json} has no categories for the device and for the vendor's
 * library, nor has the profiler's database. Names of processes and tasks tell instead:
 *
 * <table>
 * <caption>Processes</caption>
 * <tr><td>{@code Ascend Hardware}</td><td>a thread for each stream: kernels, copies, and tasks that wait or signal</td></tr>
 * <tr><td>{@code HCCL}, {@code Communication}</td><td>threads {@code Group … Communication} hold collectives as a whole,
 * the planes beside them the tasks of which they consist</td></tr>
 * <tr><td>{@code CANN}</td><td>calls of the vendor's library on the host</td></tr>
 * <tr><td>{@code Overlap Analysis}</td><td>sums that the profiler made itself</td></tr>
 * </table>
 *
 * <p>A call and the task that it launched have one {@code connection_id}. Calls run on a thread of their own; arrows of the
 * category {@code async_npu} lead from the operator to the task, so that the call belongs to that operator.
 */
public final class AscendTracks {
    private static final String HARDWARE = "Ascend Hardware";
    private static final Pattern COPY = Pattern.compile("(?i)^mem_?(cpy|copy)|^(SDMA|PCIE_DMA)");
    private static final Pattern WAIT = Pattern.compile(
            "(?i)^(event|notify|stream|model|capture|label)_?(record|wait|reset|active|execute|maint|switch)"
                    + "|^other$|_SQE$|_?value$|place_?holder|^profil(?:er|ing)_|^end_graph|^callback|^flip|^maintenance"
                    + "|^mstx");
    private static final Pattern NOTIFY = Pattern.compile("(?i)^notify");
    /** Numbers of processes are made of the host's process, a number for the layer, and the device in the last bits. */
    private static final int DEVICES = 32;

    /** Collectives and the tasks at their end are rounded apart from each other. */
    private static final long ROUNDING_NS = 2;

    /** What a track holds. */
    private enum Layer {
        STREAM,
        COLLECTIVES,
        PLANE,
        CALLS,
        SUMS,
        FRAMEWORK
    }

    private final TraceBuilder builder;
    private final List<Track> tracks;
    private final Layer[] layers;
    private final long[][] spans;

    private AscendTracks(TraceBuilder builder) {
        this.builder = builder;
        this.tracks = builder.trackList();
        this.layers = new Layer[tracks.size()];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = layer(tracks.get(i));
        }
        this.spans = collectives();
    }

    /** Gives slices their kinds and links, if this is such a trace. */
    public static void apply(TraceBuilder builder) {
        if (builder.trackList().stream().anyMatch(track -> processOf(track).endsWith(HARDWARE))) {
            AscendTracks ascend = new AscendTracks(builder);
            ascend.kinds();
            ascend.operators();
        }
    }

    private static String processOf(Track track) {
        return track.processName() == null ? "" : track.processName();
    }

    private static Layer layer(Track track) {
        String process = processOf(track);
        String thread = track.threadName() == null ? "" : track.threadName();
        if (process.endsWith(HARDWARE)) {
            return Layer.STREAM;
        }
        if (process.endsWith("HCCL") || process.endsWith("Communication")) {
            return thread.contains("Communication") ? Layer.COLLECTIVES : Layer.PLANE;
        }
        return process.endsWith("CANN")
                ? Layer.CALLS
                : process.endsWith("Overlap Analysis") ? Layer.SUMS : Layer.FRAMEWORK;
    }

    private String name(int slice) {
        return builder.strings().get(builder.name(slice));
    }

    /** Starts of all collectives, ascending, and the latest end of those that have started by then. */
    private long[][] collectives() {
        TreeMap<Long, Long> ends = new TreeMap<>();
        for (int i = 0; i < builder.sliceCount(); i++) {
            if (layers[builder.trackOf(i)] == Layer.COLLECTIVES) {
                ends.merge(builder.start(i), builder.start(i) + builder.duration(i), Math::max);
            }
        }
        long[][] spans = new long[2][ends.size()];
        int n = 0;
        long latest = Long.MIN_VALUE;
        for (Map.Entry<Long, Long> one : ends.entrySet()) {
            latest = Math.max(latest, one.getValue());
            spans[0][n] = one.getKey();
            spans[1][n++] = latest;
        }
        return spans;
    }

    private void kinds() {
        boolean[] notified = new boolean[tracks.size()];
        for (int i = 0; i < builder.sliceCount(); i++) {
            int track = builder.trackOf(i);
            notified[track] |=
                    layers[track] == Layer.STREAM && NOTIFY.matcher(name(i)).find();
        }
        int device = 0;
        for (int i = 0; i < builder.sliceCount(); i++) {
            int track = builder.trackOf(i);
            SliceKind kind = switch (layers[track]) {
                case STREAM -> task(i, notified[track]);
                case COLLECTIVES -> SliceKind.KERNEL;
                case PLANE -> SliceKind.DEVICE_PART;
                case CALLS -> SliceKind.RUNTIME_CALL;
                case SUMS -> SliceKind.PROFILER_SPAN;
                case FRAMEWORK -> builder.kind(i);
            };
            boolean counted = builder.duration(i) >= 0; // others are when their ends are found
            device -= counted && builder.kind(i).isDeviceActivity() ? 1 : 0;
            device += counted && kind.isDeviceActivity() ? 1 : 0;
            builder.kind(i, kind);
            if (kind.isDeviceActivity()) {
                place(i, tracks.get(track));
            }
        }
        builder.counts().add(0, 0, device);
    }

    /** @param notified whether the stream exchanges signals with other devices: then it works for collectives, too */
    private SliceKind task(int slice, boolean notified) {
        String name = name(slice);
        boolean copy = COPY.matcher(name).find();
        if (!copy && WAIT.matcher(name).find()) {
            return SliceKind.DEVICE_SYNC;
        }
        if (notified && isInCollective(builder.start(slice), builder.start(slice) + builder.duration(slice))) {
            return SliceKind.DEVICE_PART;
        }
        return copy ? SliceKind.MEMCPY : SliceKind.KERNEL;
    }

    private boolean isInCollective(long start, long end) {
        int found = Arrays.binarySearch(spans[0], start);
        int last = found >= 0 ? found : -found - 2;
        return last >= 0 && end <= spans[1][last] + ROUNDING_NS;
    }

    private void place(int slice, Track track) {
        DetailRows rows = builder.details(DeviceDetails.KEY);
        rows.add(slice);
        rows.number(DeviceDetails.DEVICE, number(track.process()) % DEVICES);
        rows.number(DeviceDetails.STREAM, number(track.thread()));
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    /** Puts each call under the operator from which an arrow leads to what the call launched. */
    private void operators() {
        Map<Integer, LongIntMap> byStart = new HashMap<>();
        LongIntMap calls = new LongIntMap(1024);
        for (int i = 0; i < builder.sliceCount(); i++) {
            SliceKind kind = builder.kind(i);
            if (kind == SliceKind.CPU_OP || kind.isDeviceActivity()) {
                LongIntMap starts = byStart.computeIfAbsent(builder.trackOf(i), track -> new LongIntMap(64));
                int known = starts.get(builder.start(i));
                if (known < 0 || builder.duration(i) <= builder.duration(known)) {
                    starts.put(builder.start(i), i);
                }
            } else if (layers[builder.trackOf(i)] == Layer.CALLS && builder.correlation(i) >= 0) {
                calls.put(builder.correlation(i), i);
            }
        }
        LongIntMap operators = new LongIntMap(1024);
        builder.flows("async_npu", (id, phase, ts, track) -> {
            int slice = byStart.getOrDefault(track, new LongIntMap(1)).get(ts);
            if (slice >= 0 && phase == 's') {
                operators.put(id, slice);
            }
        });
        builder.flows("async_npu", (id, phase, ts, track) -> {
            int task = byStart.getOrDefault(track, new LongIntMap(1)).get(ts);
            int call = task < 0 || phase != 'f' ? -1 : calls.get(builder.correlation(task));
            if (call >= 0 && operators.get(id) >= 0) {
                DetailRows grafts = builder.details(Grafts.KEY);
                grafts.add(call);
                grafts.number(Grafts.PARENT, builder.index(operators.get(id)));
                grafts.number(Grafts.ROLE, Grafts.Role.MOVED.ordinal());
            }
        });
    }
}
