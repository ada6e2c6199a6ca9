// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.StepDetails;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.model.XlaDetails;
import dev.lockstep.read.XlaTracks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes slices of the events of planes that were read to their end, on tracks with the numbers that XLA's JSON gives them. */
final class PlaneSlices {
    private static final String HOST = "/host:CPU";
    private static final String PROGRAMS = "/host:metadata";
    private static final String ENVIRONMENT = "Task Environment";
    private static final String NO_OPERATOR = "XlaModule:";
    private static final int HOST_NUMBER = 701;
    private static final int OTHER_NUMBERS = 601;
    private static final long LOW_BITS = 0xFFFF_FFFFL;
    private static final Pattern ALLOCATION = Pattern.compile("Memory(All|Deall)ocation");
    private static final Pattern ALLOCATOR = Pattern.compile("[GT]PU_(\\d{1,6})\\D.*");

    private final PlaneReader plane;
    private final PlaneEvents events;
    private final EventStats stats;
    private final TraceBuilder builder;
    private final HloPrograms programs;
    private final @Nullable RecordedText texts;
    private final boolean details;
    private final Set<String> processes = new HashSet<>();
    private final List<TraceInfo.Device> devices = new ArrayList<>();
    private final Map<String, String> metadata = new TreeMap<>();
    private int index;

    PlaneSlices(
            PlaneReader plane,
            TraceBuilder builder,
            HloPrograms programs,
            @Nullable RecordedText texts,
            boolean details) {
        this.plane = plane;
        this.events = plane.events;
        this.stats = plane.stats;
        this.builder = builder;
        this.programs = programs;
        this.texts = texts;
        this.details = details;
    }

    List<TraceInfo.Device> devices() {
        return devices;
    }

    /** What the planes say of the recording: key to JSON text. */
    Map<String, String> metadata() {
        return metadata;
    }

    /** Adds what was read of the plane. */
    void add() {
        ofPlane();
        if (plane.name.equals(PROGRAMS)) {
            programs();
        }
        if (events.lines.isEmpty()) {
            return;
        }
        String process = process();
        builder.processName(process, plane.name);
        Map<String, Long> threads = new HashMap<>();
        EventStats.@Nullable Shared[] shared = new EventStats.Shared[plane.kinds.size()];
        for (PlaneEvents.Line line : events.lines) {
            String thread = thread(line, threads);
            if (!line.name().isEmpty()) {
                builder.threadName(process, thread, line.name());
            }
            int track = builder.track(
                    builder.strings().intern(process), builder.strings().intern(thread));
            for (int i = line.from(); i < line.to(); i++) {
                if (events.duration(i) >= 0) {
                    event(i, track, shared);
                }
                index++;
            }
        }
    }

    /** The number of a line, as XLA shows it: its own or its last 32 bits, unless another line of the plane has these. */
    private static String thread(PlaneEvents.Line line, Map<String, Long> threads) {
        String shown = Long.toString(line.displayId() == 0 ? line.id() & LOW_BITS : line.displayId());
        Long owner = threads.putIfAbsent(shown, line.id());
        return owner == null || owner == line.id() ? shown : Long.toUnsignedString(line.id());
    }

    private String process() {
        long device = XlaTracks.device(plane.name);
        long wanted = plane.name.equals(HOST)
                ? HOST_NUMBER
                : plane.name.startsWith("/host:") ? HOST_NUMBER + 1 : device >= 0 ? plane.id + 1 : OTHER_NUMBERS;
        while (!processes.add(Long.toString(wanted))) {
            wanted++;
        }
        return Long.toString(wanted);
    }

    private void ofPlane() {
        Map<String, String> said = new HashMap<>();
        try {
            for (byte[] own : plane.ownStats) {
                stats.each(own, said::put);
            }
        } catch (Damaged e) {
            builder.diagnostics()
                    .add(Weight.OBSERVATION, "metadata_invalid", "what a plane says of itself cannot be read", -1);
        }
        long device = XlaTracks.device(plane.name);
        if (device >= 0 && !plane.name.contains(" SparseCore")) {
            String name = said.getOrDefault("gpu_device_name", said.getOrDefault("device_vendor", "\"\""));
            devices.add(new TraceInfo.Device(device, name.substring(1, Math.max(1, name.length() - 1))));
        } else if (plane.name.equals(PROGRAMS) || plane.name.equals(ENVIRONMENT)) {
            metadata.putAll(said);
        }
    }

    private void programs() {
        for (PlaneReader.Kind kind : plane.kinds) {
            if (kind == null) {
                continue;
            }
            try {
                byte[] hlo = stats.bytes(Stat.HLO, kind.stats());
                stats.clear();
                stats.take(kind.stats(), 0, kind.stats().length);
                if (hlo != null) {
                    programs.add(builder.strings().get(kind.name()), stats.number(Stat.PROGRAM), hlo);
                }
            } catch (Damaged e) {
                builder.diagnostics()
                        .add(Weight.OBSERVATION, "damaged_program", "a compiled program cannot be read", -1);
            }
        }
    }

    private void event(int event, int track, EventStats.@Nullable Shared[] shared) {
        int metadataNumber = events.metadata(event);
        PlaneReader.Kind kind = metadataNumber < plane.kinds.size() ? plane.kinds.get(metadataNumber) : null;
        stats.clear();
        try {
            if (kind != null && kind.stats().length > 0) {
                EventStats.Shared all = shared[metadataNumber];
                if (all == null) {
                    stats.take(kind.stats(), 0, kind.stats().length);
                    all = stats.shared();
                    shared[metadataNumber] = all;
                    stats.clear();
                }
                stats.take(all);
            }
            long place = events.statPlace(event);
            if (place >= 0) {
                events.store.release(place);
                int from = (int) place;
                stats.take(events.store.block(place), from, from + events.statLength(event));
            }
        } catch (Damaged e) {
            builder.diagnostics()
                    .add(Weight.LOSS, "damaged_stat", "what an event says of itself cannot be read to its end", -1);
        }
        int name = kind == null ? builder.strings().intern("") : kind.name();
        if (kind == null) {
            builder.diagnostics().add(Weight.OBSERVATION, "name_missing", "an event has no name", -1);
        }
        long start = events.start(event);
        if (stats.has(Stat.BLOCK_BYTES) && stats.number(Stat.BLOCK_BYTES) > 0) {
            Matcher allocation = ALLOCATION.matcher(builder.strings().get(name));
            if (allocation.matches()) {
                memory(start, track, allocation.group(1).equals("All") ? 1 : -1);
                return;
            }
        }
        int step = stats.text(Stat.STEP_NAME);
        int slice = builder.slice(start, events.duration(event), step < 0 ? name : step, track, SliceKind.HOST_OTHER);
        builder.source(slice, -1, index);
        builder.join(slice, Math.max(-1, stats.number(Stat.CORRELATION)), -1);
        if (details) {
            details(slice);
        }
        Recorder recorder = builder.recorder();
        if (recorder != null && texts != null) {
            recorder.slice(slice, texts);
        }
    }

    private void details(int slice) {
        if (stats.number(Stat.STEP) >= 0) {
            DetailRows rows = builder.details(StepDetails.KEY);
            rows.add(slice);
            rows.number(StepDetails.NUMBER, stats.number(Stat.STEP));
        }
        long graph = stats.has(Stat.GRAPH) ? stats.number(Stat.GRAPH) : stats.number(Stat.CAPTURED_GRAPH);
        if (graph > 0) {
            DetailRows rows = builder.details(GraphDetails.KEY);
            rows.add(slice);
            rows.number(GraphDetails.GRAPH, graph);
            rows.number(GraphDetails.NODE, Math.max(-1, stats.number(Stat.GRAPH_NODE)));
        }
        if (stats.hasAny(Stat.OF_XLA)) {
            DetailRows rows = builder.details(XlaDetails.KEY);
            rows.add(slice);
            rows.text(XlaDetails.INSTRUCTION, stats.text(Stat.INSTRUCTION));
            rows.text(XlaDetails.MODULE, stats.text(Stat.MODULE));
            rows.text(XlaDetails.LAUNCH, stats.text(Stat.LAUNCH));
            rows.text(XlaDetails.COPY, stats.text(stats.has(Stat.COPY) ? Stat.COPY : Stat.FILL));
            rows.text(XlaDetails.OPERATOR, operator());
            rows.text(XlaDetails.SHAPE, stats.text(Stat.SHAPE));
            rows.text(XlaDetails.SOURCE, stats.text(Stat.SOURCE));
            rows.text(XlaDetails.CATEGORY, stats.text(Stat.CATEGORY));
            rows.number(XlaDetails.PROGRAM, Math.max(-1, stats.number(Stat.PROGRAM)));
            rows.number(XlaDetails.FLOPS, positive(stats.has(Stat.FLOPS) ? Stat.FLOPS : Stat.FLOPS_OF_DEVICE));
            rows.number(XlaDetails.BYTES, positive(Stat.BYTES));
        }
    }

    /** Of the user's program; where none is known, a device of NVIDIA or AMD names the module as such. */
    private int operator() {
        int framework = stats.text(Stat.FRAMEWORK_OPERATOR);
        boolean none = framework >= 0 && builder.strings().get(framework).equals(NO_OPERATOR);
        return stats.has(Stat.OPERATOR) ? stats.text(Stat.OPERATOR) : none ? -1 : framework;
    }

    private long positive(Stat stat) {
        return stats.number(stat) > 0 ? stats.number(stat) : -1;
    }

    /** @param sign 1 for an allocation, -1 for a release */
    private void memory(long start, int track, int sign) {
        builder.mark('i', start, track, builder.strings().intern(MemoryDetails.MARK), -1);
        int word = stats.text(Stat.ALLOCATOR);
        Matcher allocator = ALLOCATOR.matcher(word < 0 ? "" : builder.strings().get(word));
        long device = allocator.matches() ? Long.parseLong(allocator.group(1)) : MemoryDetails.HOST;
        if (details) {
            DetailRows rows = builder.markDetails(MemoryDetails.KEY);
            rows.add(builder.markCount() - 1);
            rows.number(MemoryDetails.DEVICE, device);
            rows.number(MemoryDetails.BYTES, sign * stats.number(Stat.BLOCK_BYTES));
            rows.number(MemoryDetails.ADDRESS, positive(Stat.ADDRESS));
            rows.number(MemoryDetails.ALLOCATED, Math.max(-1, stats.number(Stat.ALLOCATED)));
            rows.number(MemoryDetails.RESERVED, positive(Stat.RESERVED));
        }
        Recorder recorder = builder.recorder();
        if (recorder != null && texts != null) {
            texts.argument(KnownArgument.MEMORY_DEVICE.spelling(), Long.toString(device));
            texts.argument(KnownArgument.MEMORY_BYTES.spelling(), Long.toString(sign * stats.number(Stat.BLOCK_BYTES)));
            texts.argument(KnownArgument.MEMORY_ADDRESS.spelling(), Long.toString(positive(Stat.ADDRESS)));
            recorder.mark(texts, index);
        }
    }
}
