// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.ByteList;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.StringPool;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The words in which readers speak, and the only way to make a {@link Trace}. Readers state facts in the order of the
 * file; sorting, pairing of begin and end, and leaving out what cannot be true happen in {@link #build}. Confined to one
 * thread; parts of a file that were read at the same time are joined by {@link #append}.
 */
public final class TraceBuilder {
    /** The part of a slice that belongs to the rank of its track. */
    public static final int BY_TRACK = -1;

    /** The part of a slice that all ranks have. */
    public static final int EVERY_PART = -2;

    private final StringPool strings;
    private TrackTable tracks;
    private Diagnostics diagnostics = new Diagnostics();
    private EventCounts counts = new EventCounts();
    final Map<TableKey<?>, DetailRows> details = new LinkedHashMap<>();
    final Map<TableKey<?>, DetailRows> markDetails = new LinkedHashMap<>();
    private final Map<TableKey<?>, DetailRows> spareDetails = new HashMap<>();

    final LongList ts;
    final LongList dur;
    final IntList name;
    final IntList category;
    final IntList track;
    final ByteList kind;
    final LongList correlation;
    final LateLongs externalId;
    final IntList index;
    /** Numbers that distinguish slices without an external id. */
    private final LateLongs numbers = new LateLongs(0);

    final LongList flowId = new LongList(16);
    final ByteList flowPhase = new ByteList(16);
    final LongList flowTs = new LongList(16);
    final IntList flowTrack = new IntList(16);
    final IntList flowCategory = new IntList(16);

    final LongList markTs = new LongList(16);
    final IntList markTrack = new IntList(16);
    final IntList markName = new IntList(16);
    final IntList markCategory = new IntList(16);
    final ByteList markPhase = new ByteList(16);

    /** Slices that the file has twice. */
    private final BitSet withheld = new BitSet(0);

    private OpenSlices open = new OpenSlices();
    /** By id of a text: its id in the pool of the builder that this one was appended to. */
    private final IntList renumbered = new IntList(16);

    private final @Nullable Recorder recorder;

    /**
     * A builder of a trace that holds what analyses use.
     *
     * @param expectedSlices how many slices there may be; only a hint
     */
    public TraceBuilder(int expectedSlices) {
        this(expectedSlices, false);
    }

    /**
     * A builder of a trace.
     *
     * @param expectedSlices how many slices there may be; only a hint
     * @param everything whether the trace shall also have what no column holds: {@link #recorder()} takes it
     */
    public TraceBuilder(int expectedSlices, boolean everything) {
        this(expectedSlices, new StringPool(), everything ? new Recorder(expectedSlices) : null);
    }

    private TraceBuilder(int expectedSlices, StringPool pool, @Nullable Recorder recording) {
        strings = pool;
        tracks = new TrackTable(pool);
        recorder = recording;
        ts = new LongList(expectedSlices);
        dur = new LongList(expectedSlices);
        name = new IntList(expectedSlices);
        category = new IntList(expectedSlices);
        track = new IntList(expectedSlices);
        kind = new ByteList(expectedSlices);
        correlation = new LongList(expectedSlices);
        externalId = new LateLongs(0);
        index = new IntList(expectedSlices);
    }

    /**
     * {@return a builder that begins with all that a trace holds, so that more can be added} Slices have their rows as
     * numbers, texts keep their ids, tracks their numbers.
     *
     * @param trace stays as it is
     */
    public static TraceBuilder continuing(Trace trace) {
        return keeping(trace, slice -> true, mark -> true);
    }

    /**
     * {@return a builder that begins with a part of what a trace holds} Texts keep their ids, tracks their numbers; arrows
     * stay, and what is counted and told of the input.
     *
     * @param trace stays as it is
     * @param keptSlices judges rows of {@link Slices}
     * @param keptMarks judges rows of {@link Marks}
     */
    public static TraceBuilder keeping(Trace trace, IntPredicate keptSlices, IntPredicate keptMarks) {
        Slices slices = trace.slices();
        int n = slices.size();
        TraceBuilder builder = new TraceBuilder(n + (n >> 2), trace.strings().copy(), null);
        builder.tracks.addAll(trace.tracks());
        int[] moved = new int[n];
        for (int i = 0; i < n; i++) {
            moved[i] = -1;
            if (keptSlices.test(i)) {
                moved[i] = builder.slice(slices.ts(i), slices.dur(i), slices.name(i), slices.track(i), slices.kind(i));
                builder.source(moved[i], slices.category(i), slices.index(i));
                builder.join(moved[i], slices.correlation(i), slices.externalId(i));
            }
        }
        trace.tables().forEach((key, table) -> builder.details(key).addAll(table, moved));
        Flows flows = trace.flows();
        for (int i = 0; i < flows.size(); i++) {
            builder.flow(flows.id(i), flows.phase(i), flows.ts(i), flows.track(i), flows.category(i));
        }
        Marks marks = trace.marks();
        int[] movedMarks = new int[marks.size()];
        for (int i = 0; i < marks.size(); i++) {
            movedMarks[i] = -1;
            if (keptMarks.test(i)) {
                movedMarks[i] = builder.markCount();
                builder.mark(marks.phase(i), marks.ts(i), marks.track(i), marks.name(i), marks.category(i));
            }
        }
        trace.markTables().forEach((key, table) -> builder.markDetails(key).addAll(table, movedMarks));
        builder.counts.addAll(trace.counts());
        builder.diagnostics.addAll(trace.diagnostics());
        return builder;
    }

    /** {@return the pool in which all texts of this trace are interned} */
    public StringPool strings() {
        return strings;
    }

    /** {@return what is odd about the input so far; to be added to} */
    public Diagnostics diagnostics() {
        return diagnostics;
    }

    /** {@return how many events the file holds so far; to be added to} */
    public EventCounts counts() {
        return counts;
    }

    /** {@return what takes all that no column holds; null when the trace is not to keep it} */
    public @Nullable Recorder recorder() {
        return recorder;
    }

    /** {@return number of slices so far} */
    public int sliceCount() {
        return ts.size();
    }

    /**
     * {@return the number of the track of a process and thread, given by pool ids; made when new}
     *
     * @param process pool id of the process
     * @param thread pool id of the thread
     */
    public int track(int process, int thread) {
        return tracks.number(process, thread);
    }

    /**
     * States the name of a process.
     *
     * @param process process id as the file writes it
     * @param text its name
     */
    public void processName(String process, String text) {
        tracks.processName(process, text);
    }

    /**
     * States the labels of a process.
     *
     * @param process process id as the file writes it
     * @param text its labels, e.g. {@code GPU 0}
     */
    public void processLabels(String process, String text) {
        tracks.processLabels(process, text);
    }

    /**
     * States the name of a thread.
     *
     * @param process process id as the file writes it
     * @param thread thread id as the file writes it
     * @param text its name
     */
    public void threadName(String process, String thread, String text) {
        tracks.threadName(process, thread, text);
    }

    /**
     * Adds a slice.
     *
     * @param startNs start in ns
     * @param durationNs at least 0; -1 when the end is missing: then the slice is left out of the trace, and counted
     * @param nameId pool id of the name
     * @param trackNumber number of the track, from {@link #track}
     * @param sliceKind what it is
     * @return its number for {@link #source}, {@link #join} and {@link #details}
     */
    public int slice(long startNs, long durationNs, int nameId, int trackNumber, SliceKind sliceKind) {
        ts.add(startNs);
        dur.add(durationNs);
        name.add(nameId);
        category.add(-1);
        track.add(trackNumber);
        kind.add(sliceKind.ordinal());
        correlation.add(-1);
        index.add(-1);
        return ts.size() - 1;
    }

    /**
     * States the number that the profiler gave to a slice; profilers count upwards as calls begin.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param number the profiler's number
     */
    public void number(int slice, long number) {
        numbers.set(slice, number);
    }

    /** The number that the profiler gave to a slice, -1 for none. */
    long number(int slice) {
        return numbers.get(slice);
    }

    /**
     * States how the file has a slice.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param categoryId pool id of the category as written, -1 for none
     * @param eventIndex place among all events of the file
     */
    public void source(int slice, int categoryId, int eventIndex) {
        category.set(slice, categoryId);
        index.set(slice, eventIndex);
    }

    /**
     * States the numbers that join a slice with others.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param correlationId joins a launch and its device activity, -1 for none
     * @param externalIdNumber joins an operator and the launches inside it, -1 for none
     */
    public void join(int slice, long correlationId, long externalIdNumber) {
        correlation.set(slice, correlationId);
        externalId.set(slice, externalIdNumber);
    }

    /**
     * {@return start in ns of the slice with this number}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public long start(int slice) {
        return ts.get(slice);
    }

    /**
     * {@return what the slice with this number is}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public SliceKind kind(int slice) {
        return SliceKind.of(kind.get(slice));
    }

    /**
     * Gives a slice another name than the file does, so that all calls of one thing share it; {@link Trace#recordedName} is
     * what the file says.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param nameId pool id of the name
     */
    public void name(int slice, int nameId) {
        RangeNames.keep(this, slice, name.get(slice));
        name.set(slice, nameId);
    }

    /**
     * States anew what kind of work a slice is, for readers that learn it late.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param sliceKind what it is
     */
    public void kind(int slice, SliceKind sliceKind) {
        kind.set(slice, sliceKind.ordinal());
    }

    /**
     * {@return number that joins the slice with its launch or what it launched, -1 when absent}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public long correlation(int slice) {
        return correlation.get(slice);
    }

    /**
     * {@return number that joins the slice with operators or launches, -1 when absent}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public long externalId(int slice) {
        return externalId.get(slice);
    }

    /**
     * Leaves a slice out of the trace, for readers that learn late that the file has it twice.
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public void leaveOut(int slice) {
        withheld.set(slice);
    }

    /**
     * {@return whether a slice is left out of the trace}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public boolean isLeftOut(int slice) {
        return withheld.get(slice);
    }

    /**
     * {@return duration in ns of the slice with this number, -1 when the end is missing}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public long duration(int slice) {
        return dur.get(slice);
    }

    /**
     * {@return pool id of the name of the slice with this number}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public int name(int slice) {
        return name.get(slice);
    }

    /**
     * {@return pool id of the category of the slice with this number}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public int category(int slice) {
        return category.get(slice);
    }

    /**
     * {@return track of the slice with this number}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public int trackOf(int slice) {
        return track.get(slice);
    }

    /**
     * {@return place of the slice with this number among all events of the file}
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public int index(int slice) {
        return index.get(slice);
    }

    /**
     * Puts all slices so far on other tracks, for readers that learn late what a track is.
     *
     * @param moved by number that was given for a track: the number of the track
     */
    public void moveTracks(int[] moved) {
        move(track, moved);
    }

    /**
     * Puts slices, arrows and marks so far on other tracks.
     *
     * @param moved by number that was given for a track: the number of the track
     */
    public void moveAll(int[] moved) {
        move(track, moved);
        move(flowTrack, moved);
        move(markTrack, moved);
    }

    private static void move(IntList tracks, int[] moved) {
        for (int i = 0; i < tracks.size(); i++) {
            tracks.set(i, moved[tracks.get(i)]);
        }
    }

    /**
     * States anew when a slice was, in ns; the duration may be -1 as in {@link #slice}.
     *
     * @param slice its number, as {@link #slice} returned it
     * @param startNs start in ns
     * @param durationNs duration in ns, -1 when the end is missing
     */
    public void time(int slice, long startNs, long durationNs) {
        ts.set(slice, startNs);
        dur.set(slice, durationNs);
    }

    /**
     * {@return the rows of a side table}
     *
     * @param key key of the table
     */
    public DetailRows details(TableKey<?> key) {
        DetailRows rows = details.get(key); // for each row: without a function object
        if (rows == null) {
            rows = spareDetails.remove(key);
            rows = rows == null ? new DetailRows(key) : rows;
            details.put(key, rows);
        }
        return rows;
    }

    /**
     * Gives all slices so far with a name another one; both are ids in the pool.
     *
     * @param from pool id of the name so far
     * @param to pool id of the name from now on
     */
    public void rename(int from, int to) {
        for (int i = 0; i < name.size(); i++) {
            if (name.get(i) == from) {
                name.set(i, to);
            }
        }
    }

    /**
     * States that a slice, whose duration is -1 yet, gets its end by {@link #end}; begins and ends are paired by track,
     * in order of time, when the trace is built.
     *
     * @param slice its number, as {@link #slice} returned it
     */
    public void begin(int slice) {
        open.begin(this, slice);
    }

    /**
     * Adds the end of a slice that {@link #begin} names.
     *
     * @param tsNs when it ends, in ns
     * @param nameId of the slice; that of the empty text when the end names none
     * @param categoryId pool id of the category as written in the file, -1 for none
     * @param trackNumber number of the track, from {@link #track}
     * @param eventIndex place among all events of the file
     */
    public void end(long tsNs, int nameId, int categoryId, int trackNumber, int eventIndex) {
        open.end(tsNs, nameId, categoryId, trackNumber, eventIndex);
    }

    /**
     * Adds an end of an arrow; {@code phase} is {@code 's'}, {@code 't'} or {@code 'f'}.
     *
     * @param id number that joins the ends of an arrow, within a category
     * @param phase {@code 's'} for the start, {@code 't'} for a step, {@code 'f'} for the end
     * @param tsNs when, in ns
     * @param trackNumber number of the track, from {@link #track}
     * @param categoryId pool id of the category as written in the file, -1 for none
     */
    public void flow(long id, char phase, long tsNs, int trackNumber, int categoryId) {
        flowId.add(id);
        flowPhase.add(phase);
        flowTs.add(tsNs);
        flowTrack.add(trackNumber);
        flowCategory.add(categoryId);
    }

    /** Takes ends of arrows. */
    public interface FlowSink {
        /**
         * An end of an arrow, as in {@link #flow}.
         *
         * @param id number that joins the ends of an arrow, within its category
         * @param phase {@code 's'} for the start, {@code 't'} for a step, {@code 'f'} for the end
         * @param tsNs when, in ns
         * @param trackNumber number of the track
         */
        void accept(long id, char phase, long tsNs, int trackNumber);
    }

    /**
     * Passes on the ends of arrows of a category so far, in the order of the file.
     *
     * @param ofCategory the category as written in the file
     * @param sink takes each end once
     */
    public void flows(String ofCategory, FlowSink sink) {
        int wanted = strings.find(ofCategory);
        for (int i = 0; i < flowId.size(); i++) {
            if (flowCategory.get(i) == wanted && wanted >= 0) {
                sink.accept(flowId.get(i), (char) flowPhase.get(i), flowTs.get(i), flowTrack.get(i));
            }
        }
    }

    /**
     * Adds an instant ({@code 'i'}) or a counter value ({@code 'C'}); to a trace that keeps everything, also an event
     * of any other phase that has a time and is neither slice nor flow.
     *
     * @param phase letter of the event's phase
     * @param tsNs when, in ns
     * @param trackNumber number of the track, from {@link #track}
     * @param nameId pool id of the name
     * @param categoryId pool id of the category as written in the file, -1 for none
     */
    public void mark(char phase, long tsNs, int trackNumber, int nameId, int categoryId) {
        markTs.add(tsNs);
        markTrack.add(trackNumber);
        markName.add(nameId);
        markCategory.add(categoryId);
        markPhase.add(phase);
    }

    /** {@return number of marks so far} */
    public int markCount() {
        return markTs.size();
    }

    /**
     * {@return the rows of a side table of marks} Its rows belong to marks as those of {@link #details} do to slices:
     * {@link DetailRows#add} takes the number of the mark, from 0 in the order in which {@link #mark} was called.
     *
     * @param key key of the table
     */
    public DetailRows markDetails(TableKey<?> key) {
        DetailRows rows = markDetails.get(key);
        if (rows == null) {
            rows = new DetailRows(key);
            markDetails.put(key, rows);
        }
        return rows;
    }

    /**
     * Appends what was read from a later part of the same file.
     *
     * @param later must not be used afterwards, except for {@link #restart}
     * @param indexShift number of events before that part
     */
    public void append(TraceBuilder later, int indexShift) {
        int[] renumbered = later.renumbered(strings);
        int[] movedTracks = tracks.append(later.tracks, renumbered);
        int sliceShift = sliceCount();
        ts.addAll(later.ts);
        dur.addAll(later.dur);
        name.addAll(later.name, renumbered);
        category.addAll(later.category, renumbered);
        track.addAll(later.track, movedTracks);
        kind.addAll(later.kind);
        correlation.addAll(later.correlation);
        externalId.append(later.externalId, sliceShift);
        index.addAll(later.index, indexShift);
        numbers.append(later.numbers, sliceShift);
        later.details.forEach((key, rows) -> details(key).append(rows, sliceShift, renumbered));
        flowId.addAll(later.flowId);
        flowPhase.addAll(later.flowPhase);
        flowTs.addAll(later.flowTs);
        flowTrack.addAll(later.flowTrack, movedTracks);
        flowCategory.addAll(later.flowCategory, renumbered);
        int markShift = markCount();
        later.markDetails.forEach((key, rows) -> markDetails(key).append(rows, markShift, renumbered));
        markTs.addAll(later.markTs);
        markTrack.addAll(later.markTrack, movedTracks);
        markName.addAll(later.markName, renumbered);
        markCategory.addAll(later.markCategory, renumbered);
        markPhase.addAll(later.markPhase);
        open.append(later.open, renumbered, movedTracks, sliceShift, indexShift);
        if (recorder != null && later.recorder != null) {
            recorder.append(later.recorder, sliceShift, renumbered, indexShift);
        }
        counts.addAll(later.counts);
        diagnostics.addAll(later.diagnostics);
    }

    /** {@return bytes of the texts that are kept when the builder is begun anew} */
    public long textBytes() {
        return (long) strings.bytes() + (recorder == null ? 0 : recorder.wordBytes());
    }

    private int[] renumbered(StringPool into) {
        for (int i = renumbered.size(); i < strings.size(); i++) {
            renumbered.add(into.internFrom(strings, i));
        }
        return renumbered.toArray();
    }

    /**
     * Forgets everything but the texts, which keep their ids, to be used for a further part of the file that a builder was
     * appended to. May only be called behind {@link #append} to that builder, and all further ones must be to it.
     */
    public void restart() {
        tracks = new TrackTable(strings);
        diagnostics = new Diagnostics();
        counts = new EventCounts();
        details.values().forEach(DetailRows::clear);
        spareDetails.putAll(details);
        details.clear();
        markDetails.clear();
        for (LongList column : List.of(ts, dur, correlation, flowId, flowTs, markTs)) {
            column.clear();
        }
        externalId.clear();
        numbers.clear();
        for (IntList column :
                List.of(name, category, track, index, flowTrack, flowCategory, markTrack, markName, markCategory)) {
            column.clear();
        }
        for (ByteList column : List.of(kind, flowPhase, markPhase)) {
            column.clear();
        }
        open = new OpenSlices();
        if (recorder != null) {
            recorder.restart();
        }
    }

    /** {@return for each track, by number, whether slices lie on it} */
    public boolean[] usedTracks() {
        boolean[] used = new boolean[tracks.build().size()];
        for (int i = 0; i < track.size(); i++) {
            used[track.get(i)] = true;
        }
        return used;
    }

    /** {@return the tracks so far, by number} */
    public List<Track> trackList() {
        return tracks.build();
    }

    /** An empty builder of a part of this trace, with the same texts and tracks. */
    TraceBuilder part() {
        TraceBuilder part = new TraceBuilder(16, strings, recorder == null ? null : recorder.part());
        part.tracks.copy(tracks);
        return part;
    }

    /**
     * The finished traces of a file that holds several ranks. The builder must not be used afterwards.
     *
     * @param partOfTrack by track: the place of its rank in {@code infos}
     * @param infos what is known of each rank
     * @return the traces, in the order of {@code infos}
     */
    public List<Trace> build(int[] partOfTrack, List<TraceInfo> infos) {
        return build(partOfTrack, new int[0], infos);
    }

    /**
     * The finished traces of a file that holds several ranks, where a track may have worked for several of them. The
     * builder must not be used afterwards.
     *
     * @param partOfTrack by track: the place of its rank in {@code infos}
     * @param partOfSlice by slice: the place of its rank in {@code infos}, {@link #BY_TRACK}, or {@link #EVERY_PART}; slices
     *     behind the end go by their tracks
     * @param infos what is known of each rank
     * @return the traces, in the order of {@code infos}
     */
    public List<Trace> build(int[] partOfTrack, int[] partOfSlice, List<TraceInfo> infos) {
        open.pair(this);
        return new TraceSplit(this, partOfTrack, partOfSlice, infos.size()).build(infos);
    }

    /**
     * {@return the finished trace} The builder must not be used afterwards.
     *
     * @param info what the trace says about itself
     */
    public Trace build(TraceInfo info) {
        open.pair(this);
        RangeNames.makePlain(this, strings, name, kind);
        CopyDetails.name(this, strings, name);
        BitSet leftOut = ImplausibleTimes.of(this);
        unfinished(leftOut);
        leftOut.or(withheld);
        int[] order = SliceOrder.of(this, leftOut);
        int[] newRow = inverse(order, sliceCount());
        Map<TableKey<?>, DetailTable> tables = new LinkedHashMap<>();
        details.forEach((key, rows) -> tables.put(key, rows.build(newRow, order.length)));
        Flows flows = new Flows(
                flowId.toArray(), flowPhase.toArray(), flowTs.toArray(), flowTrack.toArray(), flowCategory.toArray());
        int[] keptMarks = recorder == null ? ImplausibleTimes.marks(this, order) : ImplausibleTimes.all(markCount());
        int[] newMark = markDetails.isEmpty() ? keptMarks : inverse(keptMarks, markCount());
        Marks marks = new Marks(
                markTs.take(keptMarks),
                markTrack.take(keptMarks),
                markName.take(keptMarks),
                markCategory.take(keptMarks),
                markPhase.take(keptMarks));
        Map<TableKey<?>, DetailTable> ofMarks = new LinkedHashMap<>();
        markDetails.forEach((key, rows) -> ofMarks.put(key, rows.build(newMark, keptMarks.length)));
        Recorded recorded = recorder == null ? null : recorder.build(order, sliceCount());
        TraceTables all = new TraceTables(
                strings,
                tracks.build(),
                new Slices(this, order),
                flows,
                marks,
                Map.copyOf(tables),
                Map.copyOf(ofMarks));
        return new Trace(info, all, counts, diagnostics, recorded);
    }

    /** By number: its place in the order, -1 for none. */
    private static int[] inverse(int[] order, int numbers) {
        int[] places = new int[numbers];
        Arrays.fill(places, -1);
        for (int i = 0; i < order.length; i++) {
            places[order[i]] = i;
        }
        return places;
    }

    private void unfinished(BitSet leftOut) {
        int before = leftOut.cardinality();
        for (int i = 0; i < dur.size(); i++) {
            if (dur.get(i) < 0) {
                leftOut.set(i);
            }
        }
        OpenSlices.unpaired(diagnostics, leftOut.cardinality() - before);
    }
}
