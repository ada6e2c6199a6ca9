// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.codec.ProtoCursor.Damaged;
import java.io.IOException;
import java.util.Arrays;

/**
 * A position in a protocol buffer message of any length that comes from a source: only what is asked for as a whole is in
 * memory. Ends of messages are places in the source. Where the source ends too soon, or a message does not hold what it
 * says, {@link Damaged} is thrown; {@link #isCut} tells which.
 */
public final class ProtoStream {
    private static final int FIRST_BUFFER = 1 << 18;
    private static final int LONGEST_VARINT = 10;

    /** Bytes of the buffer behind what is in it, so that texts can be taken from it word by word. */
    private static final int ROOM = Long.BYTES;

    private final ByteSource source;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int at;
    private int filled;
    private long offset;
    private boolean ended;
    private boolean cut;

    /** @param source the caller closes it */
    public ProtoStream(ByteSource source) {
        this.source = source;
    }

    /** {@return place in the source} */
    public long position() {
        return offset + at;
    }

    /** {@return whether the source ended where more was wanted} */
    public boolean isCut() {
        return cut;
    }

    /** {@return whether nothing is left of the source} */
    public boolean isAtEnd() throws IOException {
        return !has(1);
    }

    /** {@return the tag of the next field of a message that ends there, 0 at its end} */
    public int tag(long end) throws IOException, Damaged {
        if (position() >= end) {
            return 0;
        }
        int tag = (int) varint(end);
        if (tag >>> 3 == 0) {
            throw Damaged.DAMAGED;
        }
        return tag;
    }

    /** {@return the number that is next in a message that ends there} */
    public long varint(long end) throws IOException, Damaged {
        has(LONGEST_VARINT);
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (position() >= end) {
                throw Damaged.DAMAGED;
            }
            if (at == filled) {
                throw ends();
            }
            byte b = buffer[at++];
            value |= (long) (b & 0x7F) << 7 * i;
            if (b >= 0) {
                return value;
            }
        }
        throw Damaged.DAMAGED;
    }

    /** {@return the place where the message ends that is next in one that ends there} */
    public long enter(long end) throws IOException, Damaged {
        long length = varint(end);
        if (length < 0 || length > end - position()) {
            throw Damaged.DAMAGED;
        }
        return position() + length;
    }

    /** Passes over everything up to a place. */
    public void skipTo(long place) throws IOException, Damaged {
        while (place - offset > filled) {
            offset += filled;
            at = 0;
            filled = 0;
            if (!fill()) {
                throw ends();
            }
        }
        at = (int) (place - offset);
    }

    /** Passes over the value of a field of a message that ends there. */
    public void skipField(int tag, long end) throws IOException, Damaged {
        switch (tag & 7) {
            case PerfettoFormat.VARINT -> varint(end);
            case PerfettoFormat.FIXED64 -> skip(Long.BYTES, end);
            case PerfettoFormat.BYTES -> skipTo(enter(end));
            case PerfettoFormat.FIXED32 -> skip(Integer.BYTES, end);
            default -> throw Damaged.DAMAGED;
        }
    }

    private void skip(int bytes, long end) throws IOException, Damaged {
        if (end - position() < bytes) {
            throw Damaged.DAMAGED;
        }
        skipTo(position() + bytes);
    }

    /**
     * Hands over the bytes up to a place, which is at most 2 GB away, and goes there. They stay until the next move; eight
     * more bytes of the array exist.
     */
    public void take(long place, ProtoCursor into) throws IOException, Damaged {
        int length = (int) (place - position());
        if (!has(length)) {
            throw ends();
        }
        into.set(buffer, at, at + length);
        at += length;
    }

    /** {@return the bytes up to a place, which is at most 2 GB away, as they are} Goes there. */
    public byte[] take(long place) throws IOException, Damaged {
        int length = (int) (place - position());
        if (!has(length)) {
            throw ends();
        }
        at += length;
        return Arrays.copyOfRange(buffer, at - length, at);
    }

    private Damaged ends() {
        cut = true;
        at = filled;
        return Damaged.DAMAGED;
    }

    /** Sees to it that so many bytes are in the buffer; false where the source ends before. The buffer grows with what comes. */
    private boolean has(int count) throws IOException {
        if (filled - at >= count) {
            return true;
        }
        System.arraycopy(buffer, at, buffer, 0, filled - at);
        offset += at;
        filled -= at;
        at = 0;
        while (filled < count) {
            if (filled == buffer.length - ROOM) {
                buffer = Arrays.copyOf(buffer, (int) Math.min(Integer.MAX_VALUE - 8L, buffer.length * 2L));
            }
            if (!fill()) {
                return false;
            }
        }
        return true;
    }

    private boolean fill() throws IOException {
        int n = ended ? -1 : source.read(buffer, filled, buffer.length - ROOM - filled);
        ended = n < 0;
        filled += Math.max(0, n);
        return !ended;
    }
}
