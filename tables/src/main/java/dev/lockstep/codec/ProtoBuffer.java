// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A protocol buffer message in the making. Nested messages are made in buffers of their own and put in whole. Small, and
 * reused for millions of messages; the library's streams want an object for each.
 */
public final class ProtoBuffer {
    private static final int LONGEST_VARINT = 10;

    private byte[] bytes = new byte[1 << 10];
    private int size;

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    /** A copy of what there is so far. */
    public byte[] toArray() {
        return Arrays.copyOf(bytes, size);
    }

    public void clear() {
        size = 0;
    }

    /** A whole number; negative ones take ten bytes. */
    public void field(int field, long value) {
        room(2 * LONGEST_VARINT);
        size = varint(bytes, varint(bytes, size, field << 3 | VARINT), value);
    }

    public void fixed(int field, long value) {
        room(LONGEST_VARINT + Long.BYTES);
        varint(field << 3 | FIXED64);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    public void field(int field, double value) {
        fixed(field, Double.doubleToRawLongBits(value));
    }

    public void field(int field, String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        field(field, encoded, 0, encoded.length);
    }

    public void field(int field, byte[] source, int from, int to) {
        room(2 * LONGEST_VARINT + to - from);
        varint(field << 3 | BYTES);
        varint(to - from);
        System.arraycopy(source, from, bytes, size, to - from);
        size += to - from;
    }

    public void message(int field, ProtoBuffer content) {
        field(field, content.bytes, 0, content.size);
    }

    /** Begins a nested message whose length is known; its fields follow. */
    public void begin(int field, int length) {
        room(2 * LONGEST_VARINT);
        varint(field << 3 | BYTES);
        varint(length);
    }

    /** Bytes that a number takes. */
    public static int length(long value) {
        if ((value & ~0x7FL) == 0) {
            return 1;
        }
        int length = 1;
        for (long rest = value >>> 7; rest != 0; rest >>>= 7) {
            length++;
        }
        return length;
    }

    /** Adds bytes as they are. */
    public void put(byte[] source, int length) {
        room(length);
        System.arraycopy(source, 0, bytes, size, length);
        size += length;
    }

    /** Adds four bytes, the highest first. */
    public void bigEndian(int value) {
        room(Integer.BYTES);
        for (int shift = Integer.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    /** Adds a nested message of two whole numbers, which takes less than 128 bytes. */
    public void pair(int field, int first, long firstValue, int second, long secondValue) {
        room(5 * LONGEST_VARINT);
        byte[] b = bytes;
        int begun = varint(b, size, field << 3 | BYTES) + 1;
        int n = varint(b, begun, first << 3 | VARINT);
        n = varint(b, n, firstValue);
        n = varint(b, n, second << 3 | VARINT);
        n = varint(b, n, secondValue);
        b[begun - 1] = (byte) (n - begun);
        size = n;
    }

    /** Adds a nested message of a whole number and what else it has, as it is. */
    public void message(int field, int first, long firstValue, byte[] rest) {
        room(4 * LONGEST_VARINT + rest.length);
        byte[] b = bytes;
        int length = length(first << 3) + length(firstValue) + rest.length;
        int n = varint(b, varint(b, size, field << 3 | BYTES), length);
        n = varint(b, varint(b, n, first << 3 | VARINT), firstValue);
        System.arraycopy(rest, 0, b, n, rest.length);
        size = n + rest.length;
    }

    /** Adds a number without a tag, as in a list of numbers or before a message that stands alone. */
    public void number(long value) {
        room(LONGEST_VARINT);
        varint(value);
    }

    private void varint(long value) {
        size = varint(bytes, size, value);
    }

    private static int varint(byte[] b, int at, long value) {
        if ((value & ~0x7FL) != 0) {
            return longer(b, at, value);
        }
        b[at] = (byte) value;
        return at + 1;
    }

    private static int longer(byte[] b, int at, long value) {
        int n = at;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            b[n++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        b[n++] = (byte) rest;
        return n;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
