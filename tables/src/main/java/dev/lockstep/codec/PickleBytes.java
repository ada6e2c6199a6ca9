// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** The bytes of a pickle in order. A length that the file states costs no more than what the file holds. */
public final class PickleBytes {
    private static final int BLOCK = 1 << 16;
    private static final int LONGEST = 1 << 24;

    private final String name;
    private final ByteSource source;
    private final LongConsumer progress;
    private final String hint;
    private final byte[] block = new byte[BLOCK];
    private int at;
    private int filled;
    private long before;

    /**
     * The bytes of a file.
     *
     * @param hint what to do about a pickle that is refused
     */
    public PickleBytes(String name, ByteSource source, LongConsumer progress, String hint) {
        this.name = name;
        this.source = source;
        this.progress = progress;
        this.hint = hint;
    }

    /** The place of the next byte. */
    long position() {
        return before + at;
    }

    /** What to throw for a pickle that is not as it should be at this place. */
    public TraceFormatException refused(long position, String problem) {
        return new TraceFormatException(ErrorCode.FORMAT_CORRUPT, name, position, problem, hint);
    }

    boolean isAtEnd() throws IOException {
        return at == filled && !fill();
    }

    private boolean fill() throws IOException {
        before += filled;
        at = 0;
        filled = Math.max(0, source.read(block, 0, BLOCK));
        progress.accept(before + filled);
        return filled > 0;
    }

    /** The next byte, 0 to 255. */
    int next() throws IOException {
        if (isAtEnd()) {
            throw refused(position(), "the file ends inside the pickle, expected more");
        }
        return block[at++] & 0xFF;
    }

    /** A number of so many bytes, the lowest first; as it stands in 64 bits. */
    long number(int bytes) throws IOException {
        long value = 0;
        if (filled - at >= bytes) {
            for (int i = 0; i < bytes; i++) {
                value |= (block[at++] & 0xFFL) << 8 * i;
            }
            return value;
        }
        for (int i = 0; i < bytes; i++) {
            value |= (long) next() << 8 * i;
        }
        return value;
    }

    /** So many bytes. */
    byte[] take(long length) throws IOException {
        if (length < 0 || length > LONGEST) {
            throw refused(
                    position(), "a value of " + Long.toUnsignedString(length) + " bytes, expected at most " + LONGEST);
        }
        if (filled - at >= length) {
            at += (int) length;
            return Arrays.copyOfRange(block, at - (int) length, at);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream((int) Math.min(length, BLOCK));
        for (long rest = length; rest > 0; ) {
            if (isAtEnd()) {
                throw refused(position(), "the file ends inside a value of " + length + " bytes");
            }
            int n = (int) Math.min(rest, filled - at);
            out.write(block, at, n);
            at += n;
            rest -= n;
        }
        return out.toByteArray();
    }

    /** The bytes up to the end of the line, which is passed over. */
    byte[] line() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int c = next(); c != '\n'; c = next()) {
            if (out.size() == LONGEST) {
                throw refused(position(), "a line of more than " + LONGEST + " bytes");
            }
            out.write(c);
        }
        return out.toByteArray();
    }
}
