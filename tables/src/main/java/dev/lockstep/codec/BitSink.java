// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that are filled bit by bit, from the lowest bit of each on. Reused. */
final class BitSink {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    byte[] bytes = new byte[1 << 12];
    /** Whole bytes so far. */
    int size;
    /** What is behind them, from the lowest bit on. */
    long bits;

    int bitCount;

    void clear() {
        size = 0;
        bits = 0;
        bitCount = 0;
    }

    /** Makes room for further bytes, and for the word that is written at their end. */
    void room(int more) {
        int needed = size + more + 2 * Long.BYTES;
        if (bytes.length < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, needed));
        }
    }

    /** Adds at most 16 bits, for which there must be room; those of the value above them are 0. */
    void put(int value, int count) {
        bits |= (long) value << bitCount;
        bitCount += count;
        if (bitCount >= Integer.SIZE) {
            flush();
        }
    }

    /** Writes the whole bytes. */
    void flush() {
        putWord(bytes, size, bits);
        size += bitCount >>> 3;
        bits >>>= bitCount & -Byte.SIZE;
        bitCount &= Byte.SIZE - 1;
    }

    /** Fills the last byte with zeros. */
    void align() {
        put(0, Byte.SIZE - 1);
        flush();
        bits = 0;
        bitCount = 0;
    }

    /** Writes eight bytes, the lowest first. */
    static void putWord(byte[] into, int at, long word) {
        LONG.set(into, at, word);
    }
}
