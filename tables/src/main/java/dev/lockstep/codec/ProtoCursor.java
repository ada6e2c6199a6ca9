// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.FIXED32;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;

/**
 * A position in a protocol buffer message, and the moves that the reader makes over it. Reused for millions of messages;
 * the library's streams want an object for each.
 */
public final class ProtoCursor {
    /** The message cannot be read any further. Thrown without a stack trace. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // without a stack trace there is nothing to share wrongly
    public static final class Damaged extends Exception {
        private static final long serialVersionUID = 1;

        static final Damaged DAMAGED = new Damaged();

        private Damaged() {
            super("damaged", null, false, false);
        }
    }

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final int LONGEST_VARINT = 10;
    private static final int DEEPEST_GROUP = 100;
    private static final int GROUP = 3;
    private static final int GROUP_END = 4;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;

    /** Moves to the beginning of the message in this range. */
    public void set(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        end = to;
    }

    /** Holds the message. */
    public byte[] bytes() {
        return bytes;
    }

    /** Place in {@link #bytes()}. */
    public int position() {
        return at;
    }

    /** Place behind the last byte of the message in {@link #bytes()}. */
    public int end() {
        return end;
    }

    /** Whether no field is left. */
    public boolean isAtEnd() {
        return at >= end;
    }

    /** Takes the tag of a field, whose value is to be taken next; 0 at the end of the message. */
    public int tag() throws Damaged {
        if (at >= end) {
            return 0;
        }
        int tag = (int) varint();
        if (tag >>> 3 == 0) {
            throw Damaged.DAMAGED;
        }
        return tag;
    }

    /** Takes a number. */
    public long varint() throws Damaged {
        if (at < end) {
            byte b = bytes[at];
            if (b >= 0) {
                at++;
                return b;
            }
        }
        return longer();
    }

    private long longer() throws Damaged {
        byte[] b = bytes;
        int last = Math.min(end, at + LONGEST_VARINT);
        long value = 0;
        int shift = 0;
        for (int p = at; p < last; p++) {
            byte next = b[p];
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                at = p + 1;
                return value;
            }
            shift += 7;
        }
        throw Damaged.DAMAGED;
    }

    /** Takes a number of eight bytes. */
    public long fixed64() throws Damaged {
        int from = at;
        skip(Long.BYTES);
        return (long) LONG.get(bytes, from);
    }

    /** Takes one number of a repeated field, or all of them where they are packed into one; what is no number is passed over. */
    public void numbers(int tag, LongConsumer into) throws Damaged {
        if ((tag & 7) == VARINT) {
            into.accept(varint());
        } else if ((tag & 7) == BYTES) {
            int outer = enter();
            while (at < end) {
                into.accept(varint());
            }
            leave(outer);
        } else {
            skipField(tag);
        }
    }

    /** Takes the length of a value that is a range of bytes, all of which are there. */
    public int length() throws Damaged {
        int length = (int) varint();
        if (length < 0 || length > end - at) {
            throw Damaged.DAMAGED;
        }
        return length;
    }

    /** Enters a message inside this one; returns what {@link #leave} is to be told behind its last field. */
    public int enter() throws Damaged {
        int outer = end;
        int length = length();
        end = at + length;
        return outer;
    }

    /** Goes on in the message outside, behind the one that was entered. */
    public void leave(int outer) {
        end = outer;
    }

    /** Takes a text in UTF-8. */
    public String text() throws Damaged {
        int length = length();
        int from = at;
        at += length;
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    /** Passes over what is left of the message. */
    public void skipRest() {
        at = end;
    }

    /** Passes over the value of a field. */
    public void skipField(int tag) throws Damaged {
        skipField(tag, 0);
    }

    private void skipField(int tag, int depth) throws Damaged {
        switch (tag & 7) {
            case VARINT -> varint();
            case FIXED64 -> skip(Long.BYTES);
            case BYTES -> skip(length());
            case FIXED32 -> skip(Integer.BYTES);
            case GROUP -> skipGroup(tag, depth + 1);
            default -> throw Damaged.DAMAGED;
        }
    }

    /** Passes over a message of the old kind, which has no length but an end. */
    private void skipGroup(int tag, int depth) throws Damaged {
        if (depth > DEEPEST_GROUP) {
            throw Damaged.DAMAGED;
        }
        int ending = tag - GROUP + GROUP_END;
        for (int inner = tag(); inner != ending; inner = tag()) {
            if (inner == 0) {
                throw Damaged.DAMAGED;
            }
            skipField(inner, depth);
        }
    }

    /** Passes over so many bytes. */
    public void skip(int count) throws Damaged {
        if (count > end - at) {
            throw Damaged.DAMAGED;
        }
        at += count;
    }
}
