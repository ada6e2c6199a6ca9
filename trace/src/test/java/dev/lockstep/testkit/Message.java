// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** A protocol buffer message that stands in a test, field by field. */
public final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A field with a whole number. */
    public Message number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    /** A field of eight bytes. */
    public Message fixed(int field, long value) {
        varint((long) field << 3 | 1);
        for (int shift = 0; shift < 64; shift += 8) {
            bytes.write((int) (value >>> shift));
        }
        return this;
    }

    public Message fraction(int field, double value) {
        return fixed(field, Double.doubleToLongBits(value));
    }

    public Message text(int field, String value) {
        return bytes(field, value.getBytes(UTF_8));
    }

    public Message message(int field, Message value) {
        return bytes(field, value.toBytes());
    }

    public Message bytes(int field, byte[] value) {
        varint((long) field << 3 | 2);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    public byte[] toBytes() {
        return bytes.toByteArray();
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}
