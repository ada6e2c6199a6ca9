// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends of slices that come as separate events, until they are paired: on each track, in order of time, an end
 * closes the innermost open slice of its name, though others inside of it may end later; an end without a name closes the
 * innermost of all.
 */
final class OpenSlices {
    private final LongList ts = new LongList(16);
    private final IntList name = new IntList(16);
    private final IntList category = new IntList(16);
    private final IntList track = new IntList(16);
    /** The slice that begins, -1 of ends. */
    private final IntList slice = new IntList(16);

    private final IntList index = new IntList(16);

    /** States that a slice of the builder begins, whose end is to come. */
    void begin(TraceBuilder builder, int number) {
        add(builder.start(number), builder.name(number), builder.category(number), builder.trackOf(number));
        slice.add(number);
        index.add(builder.index(number));
    }

    void end(long tsNs, int nameId, int categoryId, int trackNumber, int eventIndex) {
        add(tsNs, nameId, categoryId, trackNumber);
        slice.add(-1);
        index.add(eventIndex);
    }

    private void add(long tsNs, int nameId, int categoryId, int trackNumber) {
        ts.add(tsNs);
        name.add(nameId);
        category.add(categoryId);
        track.add(trackNumber);
    }

    /** Appends what comes later in the file, behind so many slices and events. */
    void append(OpenSlices later, int[] renumbered, int[] movedTracks, int sliceShift, int indexShift) {
        ts.addAll(later.ts);
        name.addAll(later.name, renumbered);
        category.addAll(later.category, renumbered);
        track.addAll(later.track, movedTracks);
        slice.addAll(later.slice, sliceShift);
        index.addAll(later.index, indexShift);
    }

    /** Gives the slices that began the times of their ends. What has no partner is counted, and has no duration. */
    void pair(TraceBuilder builder) {
        if (ts.size() > 0) {
            new Pairing(builder).run();
        }
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

    private int[] byTrackAndTime() {
        int[] order = new int[ts.size()];
        long[] keys = ts.toArray();
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        LongOrder.sort(keys, order);
        for (int i = 0; i < order.length; i++) {
            keys[i] = track.get(order[i]);
        }
        LongOrder.sort(keys, order);
        return order;
    }

    /** One walk over all begins and ends. */
    private final class Pairing {
        private final TraceBuilder builder;
        private final DetailRows pairs;
        private final @Nullable Texts texts;
        /** Begins of the track so far, innermost last; closed ones are taken off when they come to lie on top. */
        private final IntList stack = new IntList(16);

        private final BitSet closed = new BitSet();
        /** By name: the innermost open begin, -1 for none. */
        private final int[] innermost;
        /** By begin: the one around it that has the same name. */
        private final int[] around;

        private final int unnamed;
        private int unmatchedEnds;

        private Pairing(TraceBuilder builder) {
            this.builder = builder;
            this.pairs = builder.details(EndEvents.KEY);
            this.texts = builder.recorder() == null ? null : new Texts(builder.recorder());
            this.innermost = new int[builder.strings().size()];
            this.around = new int[ts.size()];
            this.unnamed = builder.strings().find("");
            Arrays.fill(innermost, -1);
        }

        private void run() {
            int current = -1;
            for (int edge : byTrackAndTime()) {
                if (track.get(edge) != current) {
                    leaveOpen();
                    current = track.get(edge);
                }
                if (slice.get(edge) >= 0) {
                    stack.add(edge);
                    around[edge] = innermost[name.get(edge)];
                    innermost[name.get(edge)] = edge;
                } else {
                    end(edge);
                }
            }
            leaveOpen();
            unpaired(builder.diagnostics(), unmatchedEnds);
        }

        private void end(int edge) {
            int begun = name.get(edge) == unnamed ? top() : innermost[name.get(edge)];
            if (begun < 0) {
                unmatchedEnds++;
                leave(edge);
                return;
            }
            closed.set(begun);
            innermost[name.get(begun)] = around[begun];
            close(begun, edge);
        }

        private int top() {
            while (stack.size() > 0) {
                int begun = stack.removeLast();
                if (!closed.get(begun)) {
                    stack.add(begun);
                    return begun;
                }
            }
            return -1;
        }

        private void leaveOpen() {
            for (int begun = top(); begun >= 0; begun = top()) {
                closed.set(begun);
                innermost[name.get(begun)] = -1;
                leave(begun);
            }
        }

        /** Gives up on a begin or an end; a trace that keeps everything keeps it as a mark. */
        private void leave(int edge) {
            if (texts != null) {
                char phase = slice.get(edge) >= 0 ? 'B' : 'E';
                builder.mark(phase, ts.get(edge), track.get(edge), name.get(edge), category.get(edge));
                texts.begin.move(edge);
                texts.recorder.leftOver(texts.begin, index.get(edge));
            }
        }

        private void close(int begun, int edge) {
            int number = slice.get(begun);
            builder.time(number, ts.get(begun), ts.get(edge) - ts.get(begun));
            builder.counts().add(0, 0, builder.kind(number).isDeviceActivity() ? 1 : 0);
            pairs.add(number);
            pairs.number(EndEvents.INDEX, index.get(edge));
            if (texts != null) {
                texts.begin.move(begun);
                texts.end.move(edge);
                texts.recorder.pair(number, texts.begin, texts.end);
            }
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
