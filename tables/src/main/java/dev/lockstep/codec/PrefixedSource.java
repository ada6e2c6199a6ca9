// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.io.IOException;

/** A source whose first bytes were read already, to see what it holds. */
public final class PrefixedSource implements ByteSource {
    private final byte[] head;
    private final ByteSource rest;
    private int at;

    /** @param head the bytes that come before those of {@code rest}; passes to this object */
    public PrefixedSource(byte[] head, ByteSource rest) {
        this.head = head;
        this.rest = rest;
    }

    /** The bytes that were read ahead. */
    public byte[] head() {
        return head;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (at == head.length) {
            return rest.read(into, offset, length);
        }
        int n = Math.min(length, head.length - at);
        System.arraycopy(head, at, into, offset, n);
        at += n;
        return n;
    }

    @Override
    public void close() throws IOException {
        rest.close();
    }
}
