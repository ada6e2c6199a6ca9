// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.model.DetailRows;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.Track;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the slices of a recording of XLA are, whether it came as XPlane or as JSON. Neither has categories: processes and
 * threads tell by their names.
 *
 * <table>
 * <caption>Threads of a process {@code /device:GPU:N} or {@code /device:TPU:N}</caption>
 * <tr><td>{@code Stream #7(Compute,MemcpyD2H)}</td><td>kernels, copies and fills</td></tr>
 * <tr><td>{@code XLA Ops}</td><td>the work of a device that has no streams; on others the same time once more</td></tr>
 * <tr><td>{@code Async XLA Ops}</td><td>copies and collectives under way, on a device without streams</td></tr>
 * <tr><td>{@code Steps}, {@code XLA Modules}, {@code Framework Ops} and others</td><td>ranges around what ran</td></tr>
 * </table>
 */
public final class XlaTracks {
    private static final Pattern DEVICE =
            Pattern.compile("(?:^| )/device:(?:GPU|TPU):(\\d{1,9})(?: SparseCore .*| \\(pid .*)?$");
    private static final Pattern HOST = Pattern.compile("(?:^| )/host:[A-Za-z_-]++(?: \\(pid .*)?$");
    private static final Pattern STREAM = Pattern.compile("Stream #(\\d{1,18}).*");
    private static final String WORK = "XLA Ops";
    private static final String UNDER_WAY = "Async XLA Ops";
    private static final Set<String> RANGES = Set.of(
            "Steps",
            "XLA Modules",
            "XLA TraceMe",
            "Framework Name Scope",
            "TensorFlow Name Scope",
            "Framework Ops",
            "TensorFlow Ops",
            "Source code",
            "Source Code",
            "Launch Stats",
            "Host Offload Ops",
            "_counters_");

    private static final Pattern COPY =
            Pattern.compile("(?:Memcpy|Copy[A-Z]|MemcpyAsync).*|copy(?:-start|-done)?(?:\\.\\d+)*");
    private static final Pattern FILL = Pattern.compile("Memset.*");
    private static final Pattern FRAME = Pattern.compile("\\$.*:\\d+ .*|\\$<unknown> .*");
    private static final Pattern RUNTIME = Pattern.compile("(?:cuda|hip)[A-Z]\\w*");
    private static final Pattern DRIVER = Pattern.compile("cu[A-Z]\\w*");
    private static final Pattern DETAIL = Pattern.compile("(?<!\\w)(\\w++):(\\S++)");

    /** What a thread holds. */
    private enum Lane {
        STREAM,
        WORK,
        UNDER_WAY,
        RANGES,
        HOST,
        UNKNOWN
    }

    private final TraceBuilder builder;
    private final List<Track> tracks;
    private final Lane[] lanes;

    /** By pool id of a name: what work of that name is; null for those not met yet. So for slices of the host. */
    private final @Nullable SliceKind[] work;

    private final @Nullable SliceKind[] onHost;

    /** By kind: pool id of its category; 0 for those not met yet, else one more than it. */
    private final int[] categories = new int[SliceKind.values().length];

    private XlaTracks(TraceBuilder builder) {
        this.builder = builder;
        this.work = new SliceKind[builder.strings().size()];
        this.onHost = new SliceKind[work.length];
        this.tracks = builder.trackList();
        boolean[] used = builder.usedTracks();
        Set<String> withStreams = new HashSet<>();
        for (int i = 0; i < used.length; i++) {
            if (used[i] && isStream(tracks.get(i))) {
                withStreams.add(tracks.get(i).process());
            }
        }
        this.lanes = new Lane[tracks.size()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = lane(tracks.get(i), withStreams.contains(tracks.get(i).process()));
        }
    }

    /** The number of the device that a process of this name is; -1 for none. */
    public static long device(@Nullable String processName) {
        Matcher matcher = DEVICE.matcher(processName == null ? "" : processName);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** By track: the number of the device that its process is; -1 for none. */
    public static long[] devices(List<Track> tracks) {
        return tracks.stream().mapToLong(track -> device(track.processName())).toArray();
    }

    /**
     * Gives slices their kinds and details, if this is such a recording.
     *
     * @return how many slices turned out to be work of a device; -1 where it is no such recording
     */
    public static int apply(TraceBuilder builder) {
        List<Track> tracks = builder.trackList();
        if (tracks.stream().noneMatch(track -> device(track.processName()) >= 0 || isHost(track))) {
            return -1;
        }
        XlaTracks xla = new XlaTracks(builder);
        int found = xla.kinds();
        xla.places();
        return found;
    }

    private static boolean isHost(Track track) {
        return track.processName() != null && HOST.matcher(track.processName()).find();
    }

    private static boolean isStream(Track track) {
        return track.threadName() != null && STREAM.matcher(track.threadName()).matches();
    }

    private static Lane lane(Track track, boolean withStreams) {
        if (device(track.processName()) < 0) {
            return isHost(track) ? Lane.HOST : Lane.UNKNOWN;
        }
        String name = track.threadName() == null ? "" : track.threadName();
        if (isStream(track)) {
            return Lane.STREAM;
        }
        if (name.equals(WORK) || name.equals(UNDER_WAY)) {
            return withStreams ? Lane.RANGES : name.equals(WORK) ? Lane.WORK : Lane.UNDER_WAY;
        }
        return RANGES.contains(name) || name.startsWith("Sparse Core ") ? Lane.RANGES : Lane.UNKNOWN;
    }

    private int kinds() {
        SliceKind[] told = told();
        boolean[] around = around();
        int device = 0;
        for (int i = 0; i < builder.sliceCount(); i++) {
            if (builder.kind(i) != SliceKind.HOST_OTHER) {
                continue; // a category says more
            }
            SliceKind kind = kind(i, told[i], around[i]);
            if (kind == SliceKind.HOST_OTHER) {
                continue;
            }
            builder.kind(i, kind);
            if (builder.category(i) < 0) {
                builder.source(i, categoryId(kind), builder.index(i));
            }
            device += builder.duration(i) >= 0 && kind.isDeviceActivity() ? 1 : 0;
        }
        return device;
    }

    private SliceKind kind(int slice, @Nullable SliceKind told, boolean around) {
        return switch (lanes[builder.trackOf(slice)]) {
            case STREAM, UNDER_WAY -> told != null ? told : work(builder.name(slice));
            case WORK -> around ? SliceKind.DEVICE_ANNOTATION : work(builder.name(slice));
            case RANGES -> SliceKind.DEVICE_ANNOTATION;
            case HOST -> onHost(slice);
            case UNKNOWN -> SliceKind.HOST_OTHER;
        };
    }

    private SliceKind work(int nameId) {
        SliceKind known = work[nameId];
        if (known == null) {
            String name = builder.strings().get(nameId);
            known = COPY.matcher(name).matches()
                    ? SliceKind.MEMCPY
                    : FILL.matcher(name).matches() ? SliceKind.MEMSET : SliceKind.KERNEL;
            work[nameId] = known;
        }
        return known;
    }

    private SliceKind onHost(int slice) {
        SliceKind known = onHost[builder.name(slice)];
        if (known == null) {
            String name = builder.strings().get(builder.name(slice));
            known = FRAME.matcher(name).matches()
                    ? SliceKind.PYTHON
                    : DRIVER.matcher(name).matches()
                            ? SliceKind.DRIVER_CALL
                            : RUNTIME.matcher(name).matches() ? SliceKind.RUNTIME_CALL : SliceKind.HOST_OTHER;
            onHost[builder.name(slice)] = known;
        }
        boolean launches = known == SliceKind.HOST_OTHER && builder.correlation(slice) > 0;
        return launches ? SliceKind.RUNTIME_CALL : known;
    }

    /** Pool id of the category; -1 for none. */
    private int categoryId(SliceKind kind) {
        if (categories[kind.ordinal()] == 0) {
            String category = category(kind);
            categories[kind.ordinal()] =
                    category == null ? 0 : builder.strings().intern(category) + 1;
        }
        return categories[kind.ordinal()] - 1;
    }

    /** The category under which PyTorch's profiler writes such a slice. */
    private static @Nullable String category(SliceKind kind) {
        return switch (kind) {
            case KERNEL -> "kernel";
            case MEMCPY -> "gpu_memcpy";
            case MEMSET -> "gpu_memset";
            case DEVICE_ANNOTATION -> "gpu_user_annotation";
            case RUNTIME_CALL -> "cuda_runtime";
            case DRIVER_CALL -> "cuda_driver";
            case PYTHON -> "python_function";
            case ANNOTATION -> "user_annotation";
            default -> null;
        };
    }

    /** By slice: what its arguments say that it is. */
    private @Nullable SliceKind[] told() {
        @Nullable SliceKind[] told = new SliceKind[builder.sliceCount()];
        DetailRows rows = builder.details(XlaDetails.KEY);
        for (int row = 0; row < rows.size(); row++) {
            int slice = rows.slice(row);
            int copy = rows.textOf(XlaDetails.COPY, row);
            if (copy >= 0) {
                boolean fill = work(builder.name(slice)) == SliceKind.MEMSET;
                told[slice] = fill ? SliceKind.MEMSET : SliceKind.MEMCPY;
            } else if (rows.textOf(XlaDetails.LAUNCH, row) >= 0) {
                told[slice] = SliceKind.KERNEL;
            }
        }
        return told;
    }

    /** By slice: whether it lies around other work of its line, as loops do. */
    private boolean[] around() {
        boolean[] around = new boolean[builder.sliceCount()];
        Map<Integer, IntList> byTrack = new HashMap<>();
        for (int i = 0; i < around.length; i++) {
            int track = builder.trackOf(i);
            if (lanes[track] == Lane.WORK) {
                byTrack.computeIfAbsent(track, t -> new IntList(16)).add(i);
            }
        }
        for (IntList slices : byTrack.values()) {
            int[] order = slices.toArray();
            LongOrder.sort(negative(order), order);
            long[] starts = new long[order.length];
            for (int i = 0; i < order.length; i++) {
                starts[i] = builder.start(order[i]);
            }
            LongOrder.sort(starts, order);
            for (int i = 0; i + 1 < order.length; i++) {
                long end = builder.start(order[i]) + builder.duration(order[i]);
                around[order[i]] = builder.start(order[i + 1]) < end;
            }
        }
        return around;
    }

    /** Durations of slices, the longest first. */
    private long[] negative(int[] slices) {
        long[] durations = new long[slices.length];
        for (int i = 0; i < slices.length; i++) {
            durations[i] = -builder.duration(slices[i]);
        }
        return durations;
    }

    /** Says of work where and how it ran. */
    private void places() {
        long[] devices = devices(tracks);
        long[] streams = new long[tracks.size()];
        for (int i = 0; i < devices.length; i++) {
            Track track = tracks.get(i);
            Matcher named = STREAM.matcher(track.threadName() == null ? "" : track.threadName());
            streams[i] = named.matches() ? Long.parseLong(named.group(1)) : number(track.thread());
            if (devices[i] >= 0) {
                builder.processLabels(track.process(), "GPU " + devices[i]);
            }
        }
        int[] rowOfSlice = new int[builder.sliceCount()];
        DetailRows xla = builder.details(XlaDetails.KEY);
        for (int row = 0; row < xla.size(); row++) {
            rowOfSlice[xla.slice(row)] = row + 1;
        }
        DetailRows rows = builder.details(DeviceDetails.KEY);
        Map<Integer, Launch> launches = new HashMap<>();
        for (int i = 0; i < builder.sliceCount(); i++) {
            int track = builder.trackOf(i);
            if (devices[track] < 0 || !builder.kind(i).isDeviceActivity()) {
                continue;
            }
            rows.add(i);
            rows.number(DeviceDetails.DEVICE, devices[track]);
            rows.number(DeviceDetails.STREAM, streams[track]);
            int row = rowOfSlice[i] - 1;
            int launch = row < 0 ? -1 : xla.textOf(XlaDetails.LAUNCH, row);
            int copy = row < 0 ? -1 : xla.textOf(XlaDetails.COPY, row);
            if (launch >= 0 || copy >= 0) {
                launches.computeIfAbsent(launch >= 0 ? launch : copy, this::launch)
                        .fill(rows);
            }
        }
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    /** What is said of a launch or copy: pool ids and numbers, -1 for what is not said. */
    private record Launch(int grid, int block, long registers, long shared, long occupancy, long bytes) {
        void fill(DetailRows rows) {
            rows.text(DeviceDetails.GRID, grid);
            rows.text(DeviceDetails.BLOCK, block);
            rows.number(DeviceDetails.REGISTERS, registers);
            rows.number(DeviceDetails.SHARED_MEMORY, shared);
            rows.number(DeviceDetails.OCCUPANCY, occupancy);
            rows.number(DeviceDetails.BYTES, bytes);
        }
    }

    private Launch launch(int text) {
        Map<String, String> said = new HashMap<>();
        Matcher matcher = DETAIL.matcher(builder.strings().get(text));
        while (matcher.find()) {
            said.put(matcher.group(1), matcher.group(2));
        }
        long fixed = number(said.getOrDefault("static_shared", said.getOrDefault("group_mem", "")));
        long asked = number(said.getOrDefault("dynamic_shared", ""));
        long registers = number(said.getOrDefault("regs", ""));
        boolean sound = registers <= MOST_REGISTERS; // of ROCm, both are what happened to stand there
        return new Launch(
                sizes(said.get("grid")),
                sizes(said.get("block")),
                sound ? registers : -1,
                fixed < 0 || !sound ? -1 : fixed + Math.max(0, asked),
                percent(said.getOrDefault("occ_pct", "")),
                number(said.getOrDefault("size", "")));
    }

    /** A thread has no more. */
    private static final long MOST_REGISTERS = 4096;

    /** 0 is what recorders write that do not know it. */
    private static long percent(String text) {
        long whole = number(text.replaceAll("\\..*", ""));
        return whole > 0 && whole <= 100 ? whole : -1;
    }

    private int sizes(@Nullable String text) {
        if (text == null || !text.matches("\\d{1,18},\\d{1,18},\\d{1,18}")) {
            return -1;
        }
        return builder.strings().intern("[" + text.replace(",", ", ") + "]");
    }
}
