// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

import static dev.lockstep.codec.PerfettoFormat.EVENT_CATEGORY_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TRACK;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TYPE;
import static dev.lockstep.codec.PerfettoFormat.TYPE_BEGIN;
import static dev.lockstep.codec.PerfettoFormat.TYPE_END;

import dev.lockstep.codec.ProtoBuffer;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.Slices;
import dev.lockstep.timeline.RankTimeline;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/** Writes one rank: what is to be said beforehand, then all events in the order of their times. */
final class RankWriter {
    private final RankTimeline rank;
    private final Slices slices;
    private final LongUnaryOperator clock;
    private final Packets packets;
    private final RankTracks tracks;
    private final Interned interned;
    private final SliceArguments arguments;
    private final MarkEvents marks;
    private final Arrows arrows;
    private final OpenEnds open = new OpenEnds();
    private final ProtoBuffer event = new ProtoBuffer();
    /** By row: what begins of slices begin with, and the packets of ends behind their times. */
    private final byte[][] begins;

    private final byte[][] ends;

    RankWriter(RankTimeline rank, TrackNumbers numbers, Packets packets) {
        this.rank = rank;
        this.slices = rank.trace().slices();
        this.clock = rank.clock();
        this.packets = packets;
        this.tracks = new RankTracks(rank, numbers, packets);
        this.interned = new Interned(rank.trace().strings(), rank.namePrefix());
        Recorded recorded = Objects.requireNonNull(rank.trace().recorded(), "the trace does not keep everything");
        RecordedArguments recordedArguments = new RecordedArguments(recorded, new DebugAnnotations(interned));
        this.arguments = new SliceArguments(rank, recorded.slices(), recordedArguments);
        this.marks = new MarkEvents(rank, recorded.marks(), packets, interned, tracks, recordedArguments);
        this.arrows = new Arrows(rank);
        this.begins = new byte[rank.rows().size()][];
        this.ends = new byte[rank.rows().size()][];
    }

    void write() throws IOException {
        packets.begin();
        tracks.describe();
        for (int row = 0; row < begins.length; row++) {
            begins[row] = onTrack(TYPE_BEGIN, tracks.row(row)).toArray();
            ends[row] = packets.often(onTrack(TYPE_END, tracks.row(row)));
        }
        Map<String, String> facts = new LinkedHashMap<>(rank.trace().info().metadata());
        facts.put(Facts.OWN, Facts.of(rank, tracks, arrows.categories()));
        Facts.write("rank " + rank.trace().info().rank().index() + "/", facts, packets);
        slices(rank.slices(), rank.sliceRow());
        marksBefore(Long.MAX_VALUE);
        endsUntil(Long.MAX_VALUE);
    }

    private ProtoBuffer onTrack(int type, long track) {
        event.clear();
        event.field(EVENT_TYPE, type);
        event.field(EVENT_TRACK, track);
        return event;
    }

    private void slices(int[] shown, int[] rows) throws IOException {
        for (int i = 0; i < shown.length; i++) {
            slice(shown[i], rows[i]);
        }
    }

    private void slice(int slice, int row) throws IOException {
        long ts = clock.applyAsLong(slices.ts(slice));
        marksBefore(ts);
        endsUntil(ts);
        event.clear();
        event.put(begins[row], begins[row].length);
        if (slices.category(slice) >= 0) {
            event.field(EVENT_CATEGORY_IID, interned.category(slices.category(slice)));
        }
        event.field(EVENT_NAME_IID, interned.name(rank.trace().recordedName(slice)));
        arrows.write(slice, event);
        arguments.write(slice, event);
        packets.event(ts, event, interned.news());
        open.add(ts + slices.dur(slice), slice, row);
    }

    private void marksBefore(long ts) throws IOException {
        while (marks.next() < ts) {
            endsUntil(marks.next());
            marks.write();
        }
    }

    private void endsUntil(long ts) throws IOException {
        while (!open.isEmpty() && open.first() <= ts) {
            long end = open.first();
            packets.event(end, ends[open.remove()]);
        }
    }
}
