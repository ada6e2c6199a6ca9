// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of a stream. */
public record StreamSource(InputStream stream) implements ByteSource {
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        return stream.read(into, offset, length);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
