// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PerfettoFormat;
import java.io.IOException;
import java.util.Arrays;

/** Cuts a file into packets. What stands between packets and is no packet is passed over. */
final class PacketStream {
    /** How the file ended. */
    enum End {
        /** Behind a packet. */
        WHOLE,
        /** Inside a packet, which begins at {@link #position()}. */
        CUT,
        /** At {@link #position()} stands what cannot be in such a file. */
        DAMAGED
    }

    private static final byte FIRST_BYTE = (byte) PerfettoFormat.tag(PerfettoFormat.TRACE_PACKET, PerfettoFormat.BYTES);
    private static final int FIRST_BUFFER = 1 << 16;
    private static final int LARGEST_PACKET = JsonWindow.LONGEST;
    private static final int LONGEST_VARINT = 10;

    private final ByteSource source;
    private byte[] buffer = new byte[FIRST_BUFFER];
    private int at;
    private int filled;
    private boolean ended;
    private long bufferOffset;
    private int packetStart;
    private int from;
    private int to;
    private End end = End.WHOLE;

    PacketStream(ByteSource source) {
        this.source = source;
    }

    /** Moves to the next packet; false at the end. */
    boolean next() throws IOException {
        while (true) {
            packetStart = at;
            if (nextShort()) {
                return true;
            }
            if (!more(1)) {
                return false;
            }
            long tag = varint();
            int wireType = (int) tag & 7;
            long field = tag >>> 3;
            long length = tag < 0 ? -1 : length(wireType);
            if (tag < 0 || field == 0 || length < 0 || length > LARGEST_PACKET) {
                return stop(tag == -1 || length == -1 ? End.CUT : End.DAMAGED);
            }
            boolean whole = more((int) length);
            from = at;
            to = whole ? at + (int) length : filled;
            if (!whole) {
                return stop(End.CUT);
            }
            at = to;
            if (field == PerfettoFormat.TRACE_PACKET && wireType == PerfettoFormat.BYTES) {
                return true;
            }
        }
    }

    /** Moves to the next packet if it is one of up to 16 KB and lies in the buffer, as nearly all do. */
    private boolean nextShort() {
        byte[] b = buffer;
        int p = at;
        if (filled - p < 3 || b[p] != FIRST_BYTE) {
            return false;
        }
        int length = b[p + 1];
        p += 2;
        if (length < 0) {
            if (b[p] < 0) {
                return false;
            }
            length = length & 0x7F | b[p++] << 7;
        }
        if (length > filled - p) {
            return false;
        }
        from = p;
        to = p + length;
        at = to;
        return true;
    }

    /**
     * Holds the packet in the bytes from {@link #from()} to {@link #to()}, until the next one is asked for. Behind a cut,
     * what is left of the last packet.
     */
    byte[] bytes() {
        return buffer;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Place of the packet in the content. */
    long position() {
        return bufferOffset + packetStart;
    }

    /** Number of bytes of content read so far. */
    long bytesRead() {
        return bufferOffset + at;
    }

    End end() {
        return end;
    }

    private boolean stop(End how) {
        end = how;
        return false;
    }

    /** Bytes of the value; -1 when the file ends before it is known, -2 when there is no such type. */
    private long length(int wireType) throws IOException {
        return switch (wireType) {
            case PerfettoFormat.VARINT -> varint() == -1 ? -1 : 0;
            case PerfettoFormat.FIXED64 -> Long.BYTES;
            case PerfettoFormat.FIXED32 -> Integer.BYTES;
            case PerfettoFormat.BYTES -> varint();
            default -> -2;
        };
    }

    /** A number; -1 at the end of the file, -2 when it is too long. */
    private long varint() throws IOException {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (!more(1)) {
                return -1;
            }
            byte b = buffer[at++];
            value |= (long) (b & 0x7F) << 7 * i;
            if (b >= 0) {
                return value < 0 ? -2 : value;
            }
        }
        return -2;
    }

    /** Whether so many bytes follow; reads them. The buffer grows with what is there, not with what is promised. */
    private boolean more(int needed) throws IOException {
        while (filled - at < needed) {
            if (ended) {
                return false;
            }
            if (packetStart > 0) {
                System.arraycopy(buffer, packetStart, buffer, 0, filled - packetStart);
                bufferOffset += packetStart;
                at -= packetStart;
                filled -= packetStart;
                packetStart = 0;
            }
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
            int n = source.read(buffer, filled, buffer.length - filled);
            ended = n < 0;
            filled += Math.max(0, n);
        }
        return true;
    }
}
