// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Records of {@link RecordedText}, one behind the other in blocks of bytes. A record is found by its place: the number of
 * its block in the upper half, the offset in the lower. Behind the last record, eight bytes are left. Blocks of other parts
 * of a file are taken over, not copied.
 */
final class TextBlocks {
    private static final int FIRST_BLOCK = 1 << 12;
    private static final int LARGEST_BLOCK = 1 << 22;

    private final List<Closed> blocks = new ArrayList<>();
    private final StringPool words = new StringPool();
    /** The block in the making. What it holds is copied, so that it can be used again. */
    private byte[] block = new byte[0];

    private int size;

    /** A block that is full, and the words of the tokens in it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Closed(byte[] bytes, StringPool words) {}

    /**
     * A block of the whole file.
     *
     * @param dictionary number of these words among those of all blocks
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Block(byte[] bytes, StringPool words, int dictionary) {}

    /** The words of tokens that are stored from now on. */
    StringPool words() {
        return words;
    }

    /** Stores a record; returns its place, -1 for an empty one. */
    long store(RecordedText text) {
        if (text.isEmpty()) {
            return -1;
        }
        int room = text.room() + Long.BYTES;
        if (size + room > block.length) {
            begin(room);
        }
        long place = (long) blocks.size() << 32 | size;
        size = text.write(block, size);
        return place;
    }

    /** Takes over all blocks of another; places there are to be moved up by what this returns. */
    long append(TextBlocks later) {
        close();
        later.close();
        long shift = (long) blocks.size() << 32;
        blocks.addAll(later.blocks);
        return shift;
    }

    /** Gives all blocks up; words keep their numbers. */
    void restart() {
        size = 0;
        blocks.clear();
    }

    /** The blocks so far; what is stored afterwards goes into new ones. */
    Block[] build() {
        close();
        IdentityHashMap<StringPool, Integer> dictionaries = new IdentityHashMap<>();
        Block[] built = new Block[blocks.size()];
        for (int i = 0; i < built.length; i++) {
            Closed b = blocks.get(i);
            int dictionary = dictionaries.computeIfAbsent(b.words, w -> dictionaries.size());
            built[i] = new Block(b.bytes, b.words, dictionary);
        }
        return built;
    }

    /** Blocks grow with what there is, so that a small file stays small. */
    private void begin(int room) {
        close();
        int wanted = Math.max(room, Math.clamp(block.length * 2L, FIRST_BLOCK, LARGEST_BLOCK));
        if (wanted > block.length) {
            block = new byte[wanted];
        }
    }

    private void close() {
        if (size > 0) {
            blocks.add(new Closed(Arrays.copyOf(block, size + Long.BYTES), words));
            size = 0;
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
