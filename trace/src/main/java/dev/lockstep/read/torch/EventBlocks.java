// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.StreamSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** The events of a document in blocks as the reader cuts them, to measure what a worker does with its blocks by itself. */
public final class EventBlocks {
    private final List<ChunkReader.Chunk> blocks = new ArrayList<>();

    private EventBlocks() {}

    /**
     * Cuts.
     *
     * @param text a whole document with a list of events
     */
    public static EventBlocks of(byte[] text) throws IOException {
        int first = new EventBoundary().next(text, listOfEvents(text), text.length, 0);
        if (first < 0) {
            throw new IllegalArgumentException("the trace holds no event");
        }
        int length = text.length - first;
        ChunkReader reader = new ChunkReader(new StreamSource(new ByteArrayInputStream(text, first, length)), length);
        EventBlocks cut = new EventBlocks();
        for (ChunkReader.Chunk block = reader.next(); block != null; block = reader.next()) {
            cut.blocks.add(block);
        }
        return cut;
    }

    /** The place of the key {@code traceEvents}: what precedes it may look like events. */
    private static int listOfEvents(byte[] text) {
        byte[] key = "\"traceEvents\"".getBytes(StandardCharsets.US_ASCII);
        for (int p = 0; p + key.length <= text.length; p++) {
            if (Arrays.equals(text, p, p + key.length, key, 0, key.length)) {
                return p;
            }
        }
        return 0;
    }

    /** Number of blocks. */
    public int size() {
        return blocks.size();
    }

    /** The bytes of a block: from 0 to {@link #length}. */
    public byte[] bytes(int block) {
        return blocks.get(block).bytes();
    }

    /** How many bytes of a block count. */
    public int length(int block) {
        return blocks.get(block).length();
    }

    /**
     * Makes columns of every block.
     *
     * @param bytes told how many bytes were parsed of each
     * @return number of events
     * @throws IllegalStateException when a block is not parsed to its end
     */
    public long parse(LongConsumer bytes) {
        long events = 0;
        for (ChunkReader.Chunk block : blocks) {
            EventParser parser = new EventParser(EventParser.builderFor(block.length(), false), true);
            EventParser.End end = parser.parse(block.bytes(), 0, block.length(), block.offset(), block.last());
            parser.finish();
            if (end != (block.last() ? EventParser.End.CLOSED : EventParser.End.OPEN)) {
                throw new IllegalStateException(end + " at " + (block.offset() + parser.position()));
            }
            events += parser.events();
            bytes.accept(parser.position());
        }
        return events;
    }
}
