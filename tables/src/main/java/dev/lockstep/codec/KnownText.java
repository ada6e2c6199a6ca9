// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

/** A text of some bytes that is looked for at many places. Comparing takes one step for eight bytes, and no call. */
public final class KnownText {
    /** The longest text that it takes. */
    public static final int LONGEST = 192;

    private long[] words = new long[2];
    private int last = -1;
    private long lastMask;
    private int length;

    /** Takes these bytes in place of those before; eight further bytes of the array must exist. Not more than the longest. */
    public void set(byte[] source, int from, int to) {
        length = to - from;
        int count = length + Long.BYTES - 1 >>> 3;
        if (count > words.length) {
            words = new long[count + 2];
        }
        for (int i = 0; i < count; i++) {
            words[i] = JsonCursor.word(source, from + (i << 3));
        }
        last = count - 1;
        lastMask = length % Long.BYTES == 0 ? -1L : (1L << length % Long.BYTES * Byte.SIZE) - 1;
    }

    /** Number of bytes. */
    public int length() {
        return length;
    }

    /**
     * Whether the text stands at this place; never before {@link #set}, and never for an empty text. Eight bytes of the array
     * must exist behind the first that differs.
     */
    public boolean isAt(byte[] source, int at) {
        int n = last;
        if (n < 0) {
            return false;
        }
        long[] w = words;
        int p = at;
        for (int i = 0; i < n; i++, p += Long.BYTES) {
            if (JsonCursor.word(source, p) != w[i]) {
                return false;
            }
        }
        return ((JsonCursor.word(source, p) ^ w[n]) & lastMask) == 0;
    }
}
