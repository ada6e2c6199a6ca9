// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;
import java.io.InputStream;

/** A source as a stream, for those who want one. */
public final class SourceStream extends InputStream {
    private final ByteSource source;

    public SourceStream(ByteSource source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return source.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return length == 0 ? 0 : source.read(into, offset, length);
    }

    @Override
    public void close() throws IOException {
        source.close();
    }
}
