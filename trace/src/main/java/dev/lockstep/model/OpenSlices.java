// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Begins and ends of slices that come as separate events, until they are paired. */
final class OpenSlices {
    private final LongList ts = new LongList(16);
    private final IntList name = new IntList(16);
    private final IntList category = new IntList(16);
    private final IntList track = new IntList(16);
    private final ByteList kind = new ByteList(16);
    private final ByteList begin = new ByteList(16);
    private final IntList index = new IntList(16);

    void add(
            boolean isBegin,
            long tsNs,
            int nameId,
            int categoryId,
            int trackNumber,
            SliceKind sliceKind,
            int eventIndex) {
        ts.add(tsNs);
        name.add(nameId);
        category.add(categoryId);
        track.add(trackNumber);
        kind.add(sliceKind.ordinal());
        begin.add(isBegin ? 1 : 0);
        index.add(eventIndex);
    }

    void append(OpenSlices later, int[] renumbered, int[] movedTracks, int indexShift) {
        ts.addAll(later.ts);
        name.addAll(later.name, renumbered);
        category.addAll(later.category, renumbered);
        track.addAll(later.track, movedTracks);
        kind.addAll(later.kind);
        begin.addAll(later.begin);
        index.addAll(later.index, indexShift);
    }

    /** Adds the slices that begins and ends make, the innermost begin with the next end; what is left over is counted. */
    void pair(TraceBuilder builder) {
        if (ts.size() == 0) {
            return;
        }
        List<Integer> order = new ArrayList<>(ts.size());
        for (int i = 0; i < ts.size(); i++) {
            order.add(i);
        }
        order.sort(Comparator.<Integer>comparingInt(track::get)
                .thenComparingLong(ts::get)
                .thenComparingInt(index::get));
        Texts texts = builder.recorder() == null ? null : new Texts(builder.recorder());
        IntList stack = new IntList(16);
        int unmatched = 0;
        int current = -1;
        for (int i : order) {
            if (track.get(i) != current) {
                unmatched += leave(builder, stack, texts);
                current = track.get(i);
            }
            if (begin.get(i) == 1) {
                stack.add(i);
            } else if (stack.size() == 0) {
                stack.add(i);
                unmatched += leave(builder, stack, texts);
            } else {
                close(builder, stack.removeLast(), i, texts);
            }
        }
        unmatched += leave(builder, stack, texts);
        unpaired(builder.diagnostics(), unmatched);
    }

    /** Counts begins and ends that lack their partner. */
    static void unpaired(Diagnostics diagnostics, int count) {
        if (count > 0) {
            diagnostics.add(
                    Weight.OBSERVATION,
                    "unpaired_edges",
                    "begin or end events without a partner were left out",
                    -1,
                    count);
        }
    }

    /** Gives up on these; a trace that keeps everything keeps them as marks. */
    private int leave(TraceBuilder builder, IntList edges, @Nullable Texts texts) {
        for (int i = 0; texts != null && i < edges.size(); i++) {
            int edge = edges.get(i);
            char phase = begin.get(edge) == 1 ? 'B' : 'E';
            builder.mark(phase, ts.get(edge), track.get(edge), name.get(edge), category.get(edge));
            texts.begin.move(edge);
            texts.recorder.leftOver(texts.begin, index.get(edge));
        }
        int count = edges.size();
        edges.clear();
        return count;
    }

    private void close(TraceBuilder builder, int from, int to, @Nullable Texts texts) {
        int slice = builder.slice(
                ts.get(from),
                ts.get(to) - ts.get(from),
                name.get(from),
                category.get(from),
                track.get(from),
                SliceKind.of(kind.get(from)),
                -1,
                -1,
                index.get(from));
        if (texts != null) {
            texts.begin.move(from);
            texts.end.move(to);
            texts.recorder.pair(slice, texts.begin, texts.end);
        }
    }

    /** Where the texts of begins and ends are, and where those of slices go. */
    private static final class Texts {
        private final Recorder recorder;
        private final RecordedTexts.Cursor begin;
        private final RecordedTexts.Cursor end;

        private Texts(Recorder recorder) {
            this.recorder = recorder;
            RecordedTexts edges = recorder.edges();
            begin = edges.cursor();
            end = edges.cursor();
        }
    }
}
