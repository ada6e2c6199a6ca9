// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The unpacked content of a gzip file (RFC 1952): any number of members, zero padding behind them. What is damaged is
 * reported, and everything that was unpacked before the damage is delivered.
 */
public final class GzipSource implements ByteSource {
    private static final int BLOCK = 1 << 16;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int HEADER_CRC = 2;
    private static final int FIXED_HEADER = 10;

    private final ByteSource packed;
    private final Damage damage;
    private final byte[] block = new byte[BLOCK];
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private int at;
    private int filled;
    private long blockOffset;
    private boolean inMember;
    private boolean ended;
    private int members;

    public GzipSource(ByteSource packed, Damage damage) {
        this.packed = packed;
        this.damage = damage;
    }

    /** Whether these bytes begin a gzip file. */
    public static boolean matches(byte[] head, int length) {
        return length >= 3 && head[0] == 0x1F && (head[1] & 0xFF) == 0x8B && head[2] == 8;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (!ended) {
            if (!inMember && !nextMember()) {
                ended = true;
                break;
            }
            int n = inflate(into, offset, length);
            if (n > 0) {
                return n;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        packed.close();
    }

    private int inflate(byte[] into, int offset, int length) throws IOException {
        long before = inflater.getBytesWritten();
        try {
            if (inflater.needsInput()) {
                if (at == filled && !more()) {
                    ended = true;
                    damage.report(
                            true, "truncated", "the gzip stream ends inside a member; the file was cut", position());
                    return 0;
                }
                inflater.setInput(block, at, filled - at);
                at = filled;
            }
            int n = inflater.inflate(into, offset, length);
            crc.update(into, offset, n);
            if (inflater.finished()) {
                at -= inflater.getRemaining();
                endMember();
            }
            return n;
        } catch (DataFormatException e) {
            ended = true;
            at -= inflater.getRemaining();
            damage.report(
                    true,
                    "damaged_block",
                    "the gzip stream is damaged here; what follows cannot be unpacked",
                    position());
            return (int) (inflater.getBytesWritten() - before);
        }
    }

    private void endMember() throws IOException {
        inMember = false;
        long wanted = crc.getValue();
        long length = inflater.getBytesWritten() & 0xFFFFFFFFL;
        long storedCrc = number();
        long storedLength = number();
        if (storedLength < 0) {
            damage.report(true, "truncated", "the gzip stream ends before its checksum; the file was cut", position());
        } else if (storedCrc != wanted || storedLength != length) {
            damage.report(
                    true,
                    "checksum",
                    "the gzip checksum (CRC-32) does not fit the content: bytes were changed or lost",
                    position());
        }
    }

    /** Moves to the next member; false at the end of everything that can be unpacked. */
    private boolean nextMember() throws IOException {
        int c = next();
        while (members > 0 && c == 0) {
            c = next();
        }
        if (c < 0) {
            return false;
        }
        long start = position() - 1;
        if (c != 0x1F || next() != 0x8B || next() != 8) {
            if (members > 0) {
                damage.report(false, "trailing_data", "bytes that are no gzip stream follow the end", start);
            } else {
                damage.report(true, "damaged_block", "expected a gzip header", start);
            }
            return false;
        }
        int flags = next();
        for (int i = 4; i < FIXED_HEADER; i++) {
            next();
        }
        if ((flags & EXTRA) != 0) {
            int low = next();
            for (int left = low + (next() << 8); left > 0; left--) {
                next();
            }
        }
        skipText((flags & NAME) != 0);
        skipText((flags & COMMENT) != 0);
        if ((flags & HEADER_CRC) != 0) {
            next();
            next();
        }
        inflater.reset();
        crc.reset();
        inMember = true;
        members++;
        return true;
    }

    private void skipText(boolean present) throws IOException {
        while (present && next() > 0) {
            // the text ends with a zero byte
        }
    }

    /** Four bytes, least significant first; -1 at the end. */
    private long number() throws IOException {
        long value = 0;
        for (int i = 0; i < 32; i += 8) {
            int c = next();
            if (c < 0) {
                return -1;
            }
            value |= (long) c << i;
        }
        return value;
    }

    private int next() throws IOException {
        return at < filled || more() ? block[at++] & 0xFF : -1;
    }

    private boolean more() throws IOException {
        blockOffset += filled;
        at = 0;
        filled = Math.max(0, packed.read(block, 0, BLOCK));
        return filled > 0;
    }

    private long position() {
        return blockOffset + at;
    }
}
