// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.codec.ByteSource;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import java.io.IOException;

/** Numbers of a binary file, least significant byte first. */
final class LittleEndian {
    private static final int SIZE = 1 << 20;

    private final String name;
    private final ByteSource source;
    private final byte[] bytes = new byte[SIZE];
    private long before;
    private int at;
    private int filled;

    LittleEndian(String name, ByteSource source) {
        this.name = name;
        this.source = source;
    }

    /** How many bytes were taken. */
    long position() {
        return before + at;
    }

    boolean more() throws IOException {
        return at < filled || fill(1);
    }

    int u8() throws IOException {
        demand(1);
        return bytes[at++] & 0xFF;
    }

    long u32() throws IOException {
        demand(4);
        return four() & 0xFFFFFFFFL;
    }

    /** The bits of 64; numbers of 2^63 and more come out negative. */
    long u64() throws IOException {
        demand(8);
        return four() & 0xFFFFFFFFL | (long) four() << 32;
    }

    private int four() {
        int p = at;
        at = p + 4;
        return bytes[p] & 0xFF | (bytes[p + 1] & 0xFF) << 8 | (bytes[p + 2] & 0xFF) << 16 | bytes[p + 3] << 24;
    }

    private void demand(int count) throws IOException {
        if (filled - at < count && !fill(count)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, name, before + filled, "the file ends here; it was cut", null);
        }
    }

    private boolean fill(int count) throws IOException {
        int rest = filled - at;
        System.arraycopy(bytes, at, bytes, 0, rest);
        before += at;
        at = 0;
        filled = rest + source.fill(bytes, rest, bytes.length - rest);
        return filled >= count;
    }
}
