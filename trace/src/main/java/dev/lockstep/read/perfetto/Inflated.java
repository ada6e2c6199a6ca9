// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.ByteSource;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Bytes in zlib's format, unpacked. What lies before damage is handed out; only then is the damage told. */
final class Inflated implements ByteSource {
    private final Inflater inflater = new Inflater();
    private @Nullable ZipException damage;

    Inflated(byte[] packed, int from, int to) {
        inflater.setInput(packed, from, to - from);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int unpacked = damage == null ? inflate(into, offset, length) : 0;
        if (unpacked > 0) {
            return unpacked;
        }
        if (damage != null) {
            throw damage;
        }
        if (inflater.finished()) {
            return -1;
        }
        if (inflater.needsDictionary()) {
            throw new ZipException("the packed bytes need a dictionary");
        }
        throw new EOFException("the packed bytes end too soon");
    }

    private int inflate(byte[] into, int offset, int length) {
        long before = inflater.getBytesWritten();
        try {
            return inflater.inflate(into, offset, length);
        } catch (DataFormatException e) {
            damage = new ZipException(e.getMessage());
            return (int) (inflater.getBytesWritten() - before);
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
