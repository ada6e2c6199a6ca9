// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.table.StringPool;

/**
 * Interns texts, and knows the short ones that came lately without a look into the pool: process and thread numbers,
 * categories, names of library calls. A text of up to 16 bytes is wholly described by its length and two words.
 */
final class RecentTexts {
    private static final int SLOTS = 256;
    private static final int LONGEST = 16;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final StringPool pool;
    private final long[] firsts = new long[SLOTS];
    private final long[] lasts = new long[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] ids = new int[SLOTS];

    RecentTexts(StringPool pool) {
        this.pool = pool;
    }

    /** As {@link StringPool#intern(byte[], int, int)}. */
    int intern(byte[] bytes, int start, int end) {
        int length = end - start;
        if (length > LONGEST || length == 0) {
            return pool.intern(bytes, start, end);
        }
        long first = JsonCursor.word(bytes, start);
        long last = 0;
        if (length < Long.BYTES) {
            first &= (1L << length * 8) - 1;
        } else {
            last = JsonCursor.word(bytes, end - Long.BYTES);
        }
        int slot = (int) ((first ^ last * 31 ^ length) * MIX >>> 56);
        if (firsts[slot] != first || lasts[slot] != last || lengths[slot] != length) {
            ids[slot] = pool.intern(bytes, start, end);
            firsts[slot] = first;
            lasts[slot] = last;
            lengths[slot] = length;
        }
        return ids[slot];
    }
}
