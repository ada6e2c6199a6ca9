// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.Closeable;
import java.io.IOException;

/** Bytes in order, read in large blocks. Not thread-safe. */
public interface ByteSource extends Closeable {
    /**
     * Reads at least one byte.
     *
     * @return number of bytes, or -1 at the end
     */
    int read(byte[] into, int offset, int length) throws IOException;

    /** Fills the range as far as there are bytes; returns how many there were. */
    default int fill(byte[] into, int offset, int length) throws IOException {
        int filled = 0;
        while (filled < length) {
            int n = read(into, offset + filled, length - filled);
            if (n < 0) {
                break;
            }
            filled += n;
        }
        return filled;
    }
}
