// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceBuilder;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.read.AscendTracks;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TimelineTracks;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.TraceReader;
import dev.lockstep.read.XlaRanks;
import dev.lockstep.read.XlaTracks;
import dev.lockstep.read.torch.ChunkReader.Chunk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON traces of PyTorch's profiler (Kineto) in all its dialects, and every other trace in Chrome's JSON
 * format, as far as it has complete events.
 *
 * <p>The text is cut at places that look like boundaries between events; the parts are read at the same time, each on the
 * assumption that it begins between two events. The part before confirms it by ending exactly there; where it does not,
 * the part is read again behind it. So a wrong guess costs time, never an event.
 */
public final class TorchTraceReader implements TraceReader {
    /** With that much text, what began first is longer than a value may be, or whole. */
    private static final int MOST_AT_ONCE = JsonWindow.LONGEST + JsonWindow.LONGEST / 2;

    private static final int BYTES_PER_SLICE = 350;
    private static final int MOST_EXPECTED = 1 << 23;

    @Override
    public TraceFormat format() {
        return TraceFormat.KINETO;
    }

    @Override
    public boolean recognises(byte[] head) {
        int p = head.length >= 3 && (head[0] & 0xFF) == 0xEF ? 3 : 0;
        while (p < head.length && (head[p] == ' ' || head[p] == '\n' || head[p] == '\r' || head[p] == '\t')) {
            p++;
        }
        if (p < head.length && (head[p] == '{' || head[p] == '[')) {
            return true;
        }
        return p < head.length && head[p] != '<' && EventListStart.documentWith(head, p, head.length) >= 0;
    }

    @Override
    public List<Trace> read(TraceInput input, PrefixedSource content, Diagnostics diagnostics, ReadOptions options)
            throws IOException {
        long size = content.head().length < TraceInput.HEAD ? content.head().length : Long.MAX_VALUE - 1;
        return new Reading(input, new ChunkReader(content, size), diagnostics, options).run();
    }

    /** A part that was read on the assumption that it begins between two events. */
    private record Part(EventParser parser, EventParser.End end) {}

    private record Pending(Chunk chunk, @Nullable CompletableFuture<Part> part) {}

    /** One file on its way. */
    private static final class Reading {
        private final TraceInput input;
        private final ChunkReader chunks;
        private final ReadOptions options;
        private final Diagnostics packing;
        private final TraceBuilder builder;
        private final DocumentParser document;
        private final ConcurrentLinkedQueue<EventParser> spare = new ConcurrentLinkedQueue<>();
        private byte[] rest = new byte[JsonCursor.SLACK];
        private int restLength;
        private int nextAttempt;
        private long contentLength;

        private Reading(TraceInput input, ChunkReader chunks, Diagnostics diagnostics, ReadOptions options)
                throws IOException {
            this.input = input;
            this.chunks = chunks;
            this.options = options;
            this.builder = new TraceBuilder(
                    (int) Math.min(MOST_EXPECTED, input.size() / BYTES_PER_SLICE), options.everything());
            this.packing = diagnostics;
            this.document = new DocumentParser(input.name(), builder, options.details());
        }

        private List<Trace> run() throws IOException {
            Deque<Pending> pending = new ArrayDeque<>();
            boolean more = true;
            try {
                while (more || !pending.isEmpty()) {
                    while (more && pending.size() <= options.parallelism()) {
                        Chunk chunk = chunks.next();
                        more = chunk != null;
                        if (chunk != null) {
                            pending.add(submit(chunk));
                        }
                    }
                    Pending next = pending.poll();
                    if (next != null) {
                        take(next);
                        chunks.recycle(next.chunk);
                        options.progress().accept(next.chunk.offset() + next.chunk.length());
                    }
                }
            } finally {
                pending.forEach(Reading::abandon);
            }
            return finish();
        }

        private Pending submit(Chunk chunk) {
            if (chunk.offset() == 0) {
                return new Pending(chunk, null);
            }
            return new Pending(chunk, CompletableFuture.supplyAsync(() -> parse(chunk), options.executor()));
        }

        private static void abandon(Pending pending) {
            if (pending.part != null) {
                pending.part.cancel(false);
            }
        }

        private Part parse(Chunk chunk) {
            EventParser parser = spare.poll();
            if (parser == null) {
                parser = new EventParser(
                        EventParser.builderFor(chunk.length(), options.everything()), options.details());
            }
            EventParser.End end = parser.parse(chunk.bytes(), 0, chunk.length(), chunk.offset(), false);
            parser.finish();
            return new Part(parser, end);
        }

        private void take(Pending next) throws IOException {
            Chunk chunk = next.chunk;
            contentLength = chunk.offset() + chunk.length();
            Part part = next.part == null ? null : join(next.part);
            if (part == null || !document.inEvents() || document.seeks() || restLength > 0) {
                readInOrder(chunk);
                return;
            }
            document.accept(part.parser.builder(), part.parser.events(), part.end == EventParser.End.CLOSED);
            int from = part.parser.position();
            if (part.parser.hasRoomToLearn()) {
                part.parser.restart();
                spare.add(part.parser);
            }
            if (part.end == EventParser.End.OPEN) {
                return;
            }
            boolean goOn = part.end == EventParser.End.CLOSED || chunk.last();
            int kept = goOn ? document.parse(chunk.bytes(), from, chunk.length(), chunk.offset(), chunk.last()) : from;
            keep(chunk.bytes(), kept, chunk.length());
        }

        private static Part join(CompletableFuture<Part> part) throws IOException {
            try {
                return part.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof Error error) {
                    throw error;
                }
                throw new IOException(e.getCause());
            }
        }

        /** What is incomplete is tried again when there is much more of it, so that a long value costs linear time. */
        private void readInOrder(Chunk chunk) throws TraceFormatException {
            byte[] bytes = chunk.bytes();
            int length = chunk.length();
            if (restLength > 0) {
                int needed = restLength + length;
                if (rest.length < needed + JsonCursor.SLACK) {
                    int roomy = Math.min(needed + needed / 2, MOST_AT_ONCE + ChunkReader.BLOCK);
                    rest = Arrays.copyOf(rest, Math.max(roomy, needed) + JsonCursor.SLACK);
                }
                System.arraycopy(bytes, 0, rest, restLength, length);
                Arrays.fill(rest, needed, needed + JsonCursor.SLACK, (byte) 0);
                bytes = rest;
                length = needed;
            }
            long offset = contentLength - length;
            if (restLength > 0 && length < nextAttempt && !chunk.last()) {
                restLength = length;
                return;
            }
            int kept = document.parse(bytes, 0, length, offset, chunk.last());
            nextAttempt = Math.min((length - kept) * 2, MOST_AT_ONCE);
            keep(bytes, kept, length);
        }

        private void keep(byte[] bytes, int from, int to) {
            int length = to - from;
            if (rest.length < length + JsonCursor.SLACK) {
                rest = Arrays.copyOf(rest, length + JsonCursor.SLACK);
            }
            System.arraycopy(bytes, from, rest, 0, length);
            restLength = length;
        }

        private List<Trace> finish() throws IOException {
            document.finish();
            if (!document.hasEvents()) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_UNKNOWN,
                        input.name(),
                        contentLength,
                        contentLength == 0
                                ? "the file is empty, expected a JSON document with traceEvents"
                                : restLength > 0
                                        ? "the text ends before any event, expected traceEvents"
                                        : "expected a key traceEvents with a list of events",
                        TraceFormat.KINETO.hint());
            }
            if (restLength > 0 || !document.isWhole()) {
                long at = contentLength - restLength;
                builder.diagnostics()
                        .add(
                                Weight.LOSS,
                                "truncated",
                                restLength > 0
                                        ? "the file ends inside an event, which begins here; the file was cut"
                                        : "the file ends before the list of events does; the file was cut",
                                at);
            }
            builder.diagnostics().addAll(packing);
            AscendTracks.apply(builder);
            int ofXla = XlaTracks.apply(builder);
            builder.counts().add(0, 0, Math.max(0, ofXla) + TimelineTracks.apply(builder));
            OverlapRows.apply(builder, document.metadata());
            RanksInside inside = RanksInside.of(builder.trackList(), document.metadata());
            TraceFormat format = TopLevel.format(document, builder.counts());
            XlaRanks xlaRanks = inside == null && ofXla > 0 ? XlaRanks.of(builder) : null;
            if (xlaRanks != null && xlaRanks.areSeveral()) {
                return xlaRanks.traces(input, TopLevel.read(input, format, document.metadata(), new Diagnostics()));
            }
            if (inside == null) {
                return List.of(builder.build(TopLevel.read(input, format, document.metadata(), builder.diagnostics())));
            }
            List<TraceInfo> infos = inside.ranks.stream()
                    .map(rank -> TopLevel.ofRank(rank, input, format, document.metadata(), builder.diagnostics()))
                    .toList();
            return builder.build(inside.partOfTrack, infos);
        }
    }
}
