// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of a stream. */
public record StreamSource(InputStream stream) implements ByteSource {
    /** A stream copies what it got from the system; a piece of this size is still in the processor's cache then. */
    private static final int PIECE = 1 << 17;

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return stream.read(into, offset, Math.min(length, PIECE));
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
