// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;

/** Bits that are read from their end to their begin, as zstd writes them: the highest bit that is set marks the end. */
final class ZstdBits {
    private final byte[] bytes;
    private final int from;
    private final int to;

    /** How many bits are left; below 0 where more were read than there are, which were zeros. */
    long left;

    ZstdBits(byte[] bytes, int from, int to) throws IOException {
        if (to <= from || bytes[to - 1] == 0) {
            throw new IOException("a stream of bits has no end");
        }
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.left = (to - from) * 8L - (Integer.numberOfLeadingZeros(bytes[to - 1] & 0xFF) - 24) - 1;
    }

    /** The next bits, at most 56, which stay. */
    long peek(int count) {
        long first = left - count;
        if (first < 0) {
            return left <= 0 ? 0 : bits(0, (int) left) << -first;
        }
        return bits(first, count);
    }

    long read(int count) {
        long value = peek(count);
        left -= count;
        return value;
    }

    private long bits(long first, int count) {
        int at = from + (int) (first >> 3);
        long value = 0;
        for (int i = 0; i < Long.BYTES && at + i < to; i++) {
            value |= (bytes[at + i] & 0xFFL) << i * 8;
        }
        return value >>> (first & 7) & (1L << count) - 1;
    }
}
