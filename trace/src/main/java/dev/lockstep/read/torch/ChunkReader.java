// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.JsonCursor;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Cuts the content into blocks that, as far as one can guess, begin and end between two events. */
final class ChunkReader {
    /** Size of a block. Fixed, so that the cuts do not depend on the number of threads. */
    static final int BLOCK = 2 << 20;

    /**
     * A block.
     *
     * @param bytes the text, followed by the zero bytes that the cursor wants
     * @param length number of bytes of text
     * @param offset place of the first byte in the unpacked content
     * @param last whether nothing follows
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Chunk(byte[] bytes, int length, long offset, boolean last) {}

    private final ByteSource source;
    private final int size;
    private final ConcurrentLinkedQueue<byte[]> spare = new ConcurrentLinkedQueue<>();
    private byte[] carried = new byte[0];
    private int carriedLength;
    private long offset;
    private boolean ended;

    /** @param expected size of the content if known, to keep small files small */
    ChunkReader(ByteSource source, long expected) {
        this.source = source;
        this.size = Math.clamp(expected + 1, 1 << 16, BLOCK);
    }

    /** The next block, or null at the end. */
    @Nullable
    Chunk next() throws IOException {
        if (ended) {
            return null;
        }
        byte[] bytes = spare.poll();
        if (bytes == null) {
            bytes = new byte[size + JsonCursor.SLACK];
        }
        System.arraycopy(carried, 0, bytes, 0, carriedLength);
        int filled = carriedLength + source.fill(bytes, carriedLength, size - carriedLength);
        ended = filled < size;
        int cut = ended ? -1 : EventBoundary.last(bytes, filled / 2, filled);
        int length = cut < 0 ? filled : cut;
        carriedLength = filled - length;
        if (carried.length < carriedLength) {
            carried = new byte[Math.max(carriedLength, 1 << 14)];
        }
        System.arraycopy(bytes, length, carried, 0, carriedLength);
        Arrays.fill(bytes, length, length + JsonCursor.SLACK, (byte) 0);
        Chunk chunk = new Chunk(bytes, length, offset, ended);
        offset += length;
        return chunk;
    }

    /** Number of bytes handed out so far. */
    long bytesRead() {
        return offset;
    }

    /** Gives a block back to be filled again. */
    void recycle(Chunk chunk) {
        if (chunk.bytes.length == size + JsonCursor.SLACK) {
            spare.add(chunk.bytes);
        }
    }
}
