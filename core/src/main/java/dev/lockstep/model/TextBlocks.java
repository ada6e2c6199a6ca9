// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Records of {@link RecordedText}, one behind the other in blocks of bytes. A record is found by its place: the number of
 * its block in the upper half, the offset in the lower. Behind the last record, eight bytes are left. Blocks of other parts
 * of a file are taken over, not copied.
 */
final class TextBlocks {
    private static final int FIRST_BLOCK = 1 << 12;
    private static final int LARGEST_BLOCK = 1 << 22;

    private final List<Block> blocks = new ArrayList<>();
    private final StringPool words = new StringPool();
    private byte[] block = new byte[0];
    private int size;

    /** A block, and the words of the tokens in it. */
    static final class Block {
        final byte[] bytes;
        final StringPool words;

        private Block(byte[] bytes, StringPool words) {
            this.bytes = bytes;
            this.words = words;
        }
    }

    /** The words of tokens that are stored from now on. */
    StringPool words() {
        return words;
    }

    /** Stores a record; returns its place, -1 for an empty one. */
    long store(RecordedText text) {
        if (text.isEmpty()) {
            return -1;
        }
        int room = text.room();
        if (size + room + Long.BYTES > block.length) {
            begin(room);
        }
        long place = (long) (blocks.size() - 1) << 32 | size;
        size = text.write(block, size);
        return place;
    }

    /** Takes over all blocks of another; places there are to be moved up by what this returns. */
    long append(TextBlocks later) {
        close();
        later.close();
        long shift = (long) blocks.size() << 32;
        blocks.addAll(later.blocks);
        block = new byte[0];
        size = 0;
        return shift;
    }

    /** The blocks so far; what is stored afterwards goes into new ones. */
    Block[] build() {
        close();
        block = new byte[0];
        size = 0;
        return blocks.toArray(new Block[0]);
    }

    /** Blocks grow with what there is, so that a small file stays small. */
    private void begin(int room) {
        int wanted = Math.max(room + Long.BYTES, Math.clamp(block.length * 2L, FIRST_BLOCK, LARGEST_BLOCK));
        close();
        block = new byte[wanted];
        blocks.add(new Block(block, words));
        size = 0;
    }

    private void close() {
        if (block.length > size + Long.BYTES) {
            block = Arrays.copyOf(block, size + Long.BYTES);
            blocks.set(blocks.size() - 1, new Block(block, words));
        }
    }

    /** Writes a number, seven bits to a byte, least significant first. */
    static int number(byte[] into, int at, int value) {
        int n = at;
        int rest = value;
        while (rest > 0x7F) {
            into[n++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        into[n++] = (byte) rest;
        return n;
    }
}
