// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.model.CounterValues;
import dev.lockstep.model.DetailRows;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.KnownArgument;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.Rank;
import dev.lockstep.model.RecordedText;
import dev.lockstep.model.Recorder;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.EventCategories;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.XlaTracks;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of one rank, as they come. Slices get their ends and tracks their names when all is read: both may stand
 * anywhere in a file.
 */
final class RankEvents {
    private final FileState file;
    private final @Nullable OwnFacts facts;
    private final Map<String, String> metadata;
    private final TraceBuilder builder;
    private final int emptyText;
    private final boolean details;
    private final @Nullable Recorder recorder;
    private final @Nullable KeptArguments kept;
    private final ArgumentValues values;
    private final Map<String, Integer> argumentNumbers = new HashMap<>();
    private final List<ArgumentName> arguments = new ArrayList<>();
    private final LongIntMap trackNumbers = new LongIntMap(16);
    private final LongList uuids = new LongList(16);
    private final List<DeviceTrack> devices = new ArrayList<>();

    private long lastUuid;
    private int lastTrack = -1;
    /** By pool id of a category: what slices of it are; null for those not met yet. */
    private @Nullable SliceKind[] kinds = new SliceKind[16];

    private int nextIndex;
    private final Edges edges = new Edges();
    private final FlowChains flows = new FlowChains();
    private final StageLinks stages = new StageLinks();

    private final LongList markTs = new LongList(16);
    private final IntList markTrack = new IntList(16);
    private final IntList markName = new IntList(16);
    private final IntList markCategory = new IntList(16);
    private final IntList markPhase = new IntList(16);

    private final LateTimes lateSlices = new LateTimes();
    private final LateTimes lateEdges = new LateTimes();
    private final LateTimes lateMarks = new LateTimes();
    private final List<LateSlice> onUnknownTracks = new ArrayList<>();
    private final List<LateCounter> countersOfUnknownTracks = new ArrayList<>();

    private final LongList bytesOfCategory = new LongList(16);
    private final LongList countOfCategory = new LongList(16);

    /** A slice of a device whose track was not described when it came, and what its arguments say of the device. */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    private record LateSlice(int slice, long track, long[] device) {}

    /**
     * A value of a counter whose track was not described when it came.
     *
     * @param sum of the values since the counter began anew
     * @param index place among all events
     * @param arguments null where they are not kept
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    private record LateCounter(Event event, double sum, int index, byte @Nullable [] arguments) {}

    /** @param facts what this program wrote about the rank; null for the events of others */
    RankEvents(FileState file, @Nullable OwnFacts facts, Map<String, String> metadata, ReadOptions options) {
        this.file = file;
        this.facts = facts;
        this.metadata = metadata;
        this.builder = new TraceBuilder(64, options.everything());
        this.details = options.details();
        this.recorder = builder.recorder();
        this.kept = recorder == null ? null : new KeptArguments(recorder.tokens(), builder.strings());
        this.values = new ArgumentValues(kept);
        this.emptyText = builder.strings().intern("");
    }

    @Nullable
    OwnFacts facts() {
        return facts;
    }

    Diagnostics diagnostics() {
        return builder.diagnostics();
    }

    StringPool strings() {
        return builder.strings();
    }

    ArgumentValues values() {
        return values;
    }

    /** The number of an argument's name. */
    int argument(String text) {
        return argumentNumbers.computeIfAbsent(text, t -> {
            arguments.add(ArgumentName.of(t));
            return arguments.size() - 1;
        });
    }

    /** The number as it was recorded, for one that joins events. */
    long recordedId(long id) {
        return facts == null ? id : facts.recordedId(id);
    }

    ArgumentName argumentAt(int number) {
        return arguments.get(number);
    }

    String argumentName(int number) {
        return arguments.get(number).name();
    }

    /** Begins a slice; its end is an event of its own. */
    void begin(Event e) {
        edges.add(track(e.track), e.ns, slice(e));
        lateEdges.add(edges.last(), e);
    }

    void end(Event e) {
        edges.add(track(e.track), e.ns, Edges.END);
        lateEdges.add(edges.last(), e);
        countCategory(e.category < 0 ? emptyText : e.category, 0, e.bytes);
    }

    /** A slice that brings its duration along. */
    void complete(Event e) {
        builder.time(slice(e), e.ns, e.duration);
    }

    /**
     * A render stage.
     *
     * @param id 0 for none
     * @param assumed whether it takes the id for the number of its launch
     * @param waits ids of those that it waited for
     */
    void stage(Event e, long id, boolean assumed, LongList waits) {
        int slice = slice(e);
        builder.time(slice, e.ns, e.duration);
        stages.stage(slice, id, assumed, waits);
    }

    void instant(Event e) {
        mark('i', e, text(e.name));
        if (details
                && values.has(KnownArgument.MEMORY_BYTES)
                && strings().get(text(e.name)).equals(MemoryDetails.MARK)) {
            values.memory(builder, markTs.size() - 1);
        }
        record();
    }

    /** A value of a counter, whose name is that of its track. */
    void counter(Event e, Sequence sequence) {
        Tracks.Description d = file.tracks.get(e.track);
        double sum =
                d == null || d.isIncremental ? sequence.counters.merge(e.track, e.counter, Double::sum) : e.counter;
        if (d == null) {
            byte[] said = kept == null ? null : kept.text().arguments();
            countersOfUnknownTracks.add(new LateCounter(e.ofCounter(), sum, nextIndex++, said));
            return;
        }
        String number = counter(e, d, sum);
        if (kept != null) {
            kept.add("value", number);
        }
        record();
    }

    /** Adds the mark of a counter; returns its value as text. */
    private String counter(Event e, Tracks.@Nullable Description d, double raw) {
        double value = raw * (d == null ? 1 : d.multiplier);
        mark('C', e, d == null || d.name == null ? text(e.name) : strings().intern(d.name));
        boolean whole = e.counterIsWhole && Math.abs(value) < 1L << 53;
        String number = whole ? Long.toString((long) value) : JsonValues.number(value);
        if (details) {
            DetailRows rows = builder.markDetails(CounterValues.KEY);
            rows.add(markTs.size() - 1);
            rows.text(CounterValues.VALUES, strings().intern("{\"\": " + number + "}"));
        }
        return number;
    }

    /** Adds the counters whose tracks were described later, if at all. */
    private void lateCounters() {
        for (LateCounter late : countersOfUnknownTracks) {
            Tracks.Description d = file.tracks.get(late.event.track);
            nextIndex = late.index;
            String number = counter(late.event, d, d != null && d.isIncremental ? late.sum : late.event.counter);
            if (recorder != null && late.arguments != null) {
                RecordedText text = new RecordedText();
                text.replace(late.arguments, new byte[0], -1, -1);
                text.argument("value", number);
                recorder.mark(text, late.index);
            }
        }
    }

    /** Says of slices whose tracks were described later which device they are of. */
    private void lateDevices() {
        for (LateSlice late : onUnknownTracks) {
            DeviceTrack track = DeviceTrack.of(file.tracks.get(late.track));
            if (track.device() >= 0) {
                values.restoreDevice(late.device);
                track.complete(values);
                values.details(builder, late.slice, true);
            }
        }
    }

    private void lateTimes() {
        lateSlices.move(
                file.clocks, (slice, ns) -> builder.time(slice, builder.start(slice) + ns, builder.duration(slice)));
        lateEdges.move(file.clocks, edges::move);
        lateMarks.move(file.clocks, (mark, ns) -> markTs.set(mark, markTs.get(mark) + ns));
    }

    private int slice(Event e) {
        if (e.submissions.size() > 0 && values.number(KnownArgument.CORRELATION) <= 0) {
            values.take(KnownArgument.CORRELATION.spelling(), e.submissions.get(0), this);
        }
        int raw = track(e.track);
        SliceKind sliceKind = e.category < 0 ? KindsByEvidence.of(e, this, isOfGpu(raw)) : kind(e.category);
        if (sliceKind == SliceKind.HOST_OTHER && e.isGpuCall) {
            sliceKind = KindsByEvidence.ofCall(strings().get(text(e.name)));
        }
        int number = builder.slice(e.ns, -1, text(e.name), raw, sliceKind);
        lateSlices.add(number, e);
        builder.source(number, e.category, nextIndex++);
        builder.join(number, values.number(KnownArgument.CORRELATION), values.number(KnownArgument.EXTERNAL_ID));
        if (details) {
            if (sliceKind.isDeviceActivity()) {
                devices.get(raw).complete(values);
                if (devices.get(raw).isUnknown()) {
                    onUnknownTracks.add(new LateSlice(number, e.track, values.ofDevice()));
                }
            }
            values.details(builder, number, sliceKind.isDeviceActivity());
        }
        flows.add(e, number);
        stages.submitted(number, e.submissions);
        stages.awaited(number, e.awaited);
        countCategory(e.category < 0 ? emptyText : e.category, 1, e.bytes);
        if (recorder != null && kept != null) {
            recorder.slice(number, kept.text());
        }
        return number;
    }

    private SliceKind kind(int category) {
        if (category >= kinds.length) {
            kinds = Arrays.copyOf(kinds, Math.max(category + 1, kinds.length * 2));
        }
        SliceKind known = kinds[category];
        if (known == null) {
            known = EventCategories.kindOf(strings().get(category));
            kinds[category] = known;
        }
        return known;
    }

    private void mark(char phase, Event e, int nameId) {
        lateMarks.add(markTs.size(), e);
        markTs.add(e.ns);
        markTrack.add(track(e.track));
        markName.add(nameId);
        markCategory.add(e.category);
        markPhase.add(phase);
        nextIndex++;
        countCategory(e.category < 0 ? emptyText : e.category, 1, e.bytes);
    }

    private void record() {
        if (recorder != null && kept != null) {
            recorder.mark(kept.text(), nextIndex - 1);
        }
    }

    private int text(int poolId) {
        return poolId < 0 ? emptyText : poolId;
    }

    private int track(long uuid) {
        if (uuid == lastUuid && lastTrack >= 0) {
            return lastTrack;
        }
        int known = trackNumbers.get(uuid);
        if (known < 0) {
            known = uuids.size();
            trackNumbers.put(uuid, known);
            uuids.add(uuid);
            devices.add(DeviceTrack.of(file.tracks.get(uuid)));
        }
        lastUuid = uuid;
        lastTrack = known;
        return known;
    }

    /** Whether a track lies in the process of a device, or of it directly. */
    private boolean isOfGpu(int raw) {
        Tracks.Description d = file.tracks.get(uuids.get(raw));
        Tracks.Description process = d == null || d.pid < 0 ? null : file.tracks.process(d.pid);
        return d != null && (d.gpu >= 0 || process != null && process.isDevice);
    }

    private void countCategory(int poolId, long count, long bytes) {
        while (bytesOfCategory.size() <= poolId) {
            bytesOfCategory.add(0);
            countOfCategory.add(0);
        }
        bytesOfCategory.set(poolId, bytesOfCategory.get(poolId) + bytes);
        countOfCategory.set(poolId, countOfCategory.get(poolId) + count);
    }

    /** The finished trace. */
    Trace trace(
            TraceInput input,
            String format,
            Rank rank,
            Map<String, String> ofFile,
            Diagnostics found,
            Diagnostics packing) {
        lateDevices();
        lateCounters();
        lateTimes();
        int unpaired = edges.pair(builder);
        stages.resolve(builder, flows);
        TrackPlaces places = new TrackPlaces(file.tracks, facts, builder);
        int[] trackOf = new int[uuids.size()];
        for (int i = 0; i < trackOf.length; i++) {
            trackOf[i] = places.track(uuids.get(i));
        }
        builder.moveTracks(trackOf);
        XlaTracks.apply(builder);
        slices();
        flows.build(builder, facts);
        for (int i = 0; i < markTs.size(); i++) {
            builder.mark(
                    (char) markPhase.get(i),
                    markTs.get(i),
                    trackOf[markTrack.get(i)],
                    markName.get(i),
                    markCategory.get(i));
        }
        open();
        Diagnostics diagnostics = builder.diagnostics();
        if (unpaired > 0) {
            diagnostics.add(
                    Weight.OBSERVATION,
                    "unpaired_edges",
                    "begin or end events without a partner were left out",
                    -1,
                    unpaired);
        }
        diagnostics.addAll(found);
        diagnostics.addAll(packing);
        return builder.build(info(input, format, rank, ofFile));
    }

    /** Where everything is kept, slices that never end are begins without a partner. */
    private void open() {
        for (int i = 0; recorder != null && i < builder.sliceCount(); i++) {
            if (builder.duration(i) < 0) {
                builder.mark('B', builder.start(i), builder.trackOf(i), builder.name(i), builder.category(i));
                recorder.markOfSlice(i, builder.index(i));
            }
        }
    }

    private void slices() {
        long complete = 0;
        long device = 0;
        for (int i = 0; i < builder.sliceCount(); i++) {
            boolean counts = builder.duration(i) >= 0 && !builder.isLeftOut(i);
            complete += counts ? 1 : 0;
            device += counts && builder.kind(i).isDeviceActivity() ? 1 : 0;
            if (builder.isLeftOut(i) && builder.category(i) >= 0) {
                countCategory(builder.category(i), -1, 0);
            }
        }
        builder.counts().add(complete + markTs.size(), complete, device);
        count("X", complete);
        long counters = 0;
        for (int i = 0; i < markPhase.size(); i++) {
            counters += markPhase.get(i) == 'C' ? 1 : 0;
        }
        count("C", counters);
        count("i", markPhase.size() - counters);
        for (int i = 0; i < countOfCategory.size(); i++) {
            if (countOfCategory.get(i) > 0 && i != emptyText) {
                builder.counts().addCategory(strings().get(i), countOfCategory.get(i), bytesOfCategory.get(i));
            }
        }
        if (facts != null && facts.slices() > complete) {
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            "truncated",
                            "the file says that it holds " + facts.slices() + " slices of the rank, but only "
                                    + complete + " are there; the file was cut",
                            -1);
        }
    }

    /** Where the time of the file begins, when it was moved for all ranks. */
    private static long base(Map<String, String> ofFile) {
        String base = ofFile.getOrDefault("baseTimeNanoseconds", "0");
        return base.matches("-?\\d{1,18}|-?[1-8]\\d{18}") ? Long.parseLong(base) : 0;
    }

    private void count(String phase, long events) {
        if (events > 0) {
            builder.counts().addPhase(phase, events);
        }
    }

    private TraceInfo info(TraceInput input, String format, Rank rank, Map<String, String> ofFile) {
        Map<String, String> all = new LinkedHashMap<>(metadata);
        if (facts == null) {
            all.putAll(ofFile);
        }
        int worldSize = facts == null ? -1 : facts.worldSize();
        List<TraceInfo.Device> seen = facts == null ? file.gpus : facts.devices();
        return new TraceInfo(input.name(), format, rank, worldSize, seen, base(ofFile), all);
    }
}
