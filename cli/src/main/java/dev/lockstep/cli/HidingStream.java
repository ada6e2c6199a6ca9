// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.codec.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A stream in which some texts are replaced. Keeps back only what one of them may begin with. */
final class HidingStream extends FilterInputStream {
    private static final byte[] MASK = Secrets.MASK.getBytes(StandardCharsets.UTF_8);

    /** The texts by their first bytes, the longest first; empty where none begins so. */
    private final byte[][][] hidden = new byte[256][][];

    private byte[] waiting = new byte[0];
    private byte[] ready = new byte[0];
    private int at;
    private boolean ended;

    /** @param hidden the texts, the longest first; none is empty */
    HidingStream(InputStream in, List<byte[]> hidden) {
        super(in);
        for (int first = 0; first < this.hidden.length; first++) {
            byte begin = (byte) first;
            this.hidden[first] =
                    hidden.stream().filter(text -> text[0] == begin).toArray(byte[][]::new);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (at == ready.length && !ended) {
            fill(Math.max(length, 1));
        }
        if (at == ready.length) {
            return length == 0 ? 0 : -1;
        }
        int count = Math.min(length, ready.length - at);
        System.arraycopy(ready, at, into, offset, count);
        at += count;
        return count;
    }

    private void fill(int atMost) throws IOException {
        byte[] next = new byte[atMost];
        int count = in.read(next, 0, atMost);
        ended = count < 0;
        byte[] all = Arrays.copyOf(waiting, waiting.length + Math.max(0, count));
        System.arraycopy(next, 0, all, waiting.length, Math.max(0, count));
        ByteArrayOutputStream out = new ByteArrayOutputStream(all.length);
        int from = 0;
        while (from < all.length) {
            if (!ended && mayBegin(all, from)) {
                break; // a longer text than one that is whole may still come
            }
            int found = whole(all, from);
            if (found > 0) {
                out.writeBytes(MASK);
                from += found;
            } else {
                out.write(all[from++]);
            }
        }
        waiting = Arrays.copyOfRange(all, from, all.length);
        ready = out.toByteArray();
        at = 0;
    }

    /** The length of the text to hide that begins here, or 0. */
    private int whole(byte[] bytes, int from) {
        for (byte[] text : hidden[bytes[from] & 0xFF]) {
            int to = from + text.length;
            if (to <= bytes.length && Arrays.equals(bytes, from, to, text, 0, text.length)) {
                return text.length;
            }
        }
        return 0;
    }

    /** Whether the bytes from here to the end are the beginning of a text to hide. */
    private boolean mayBegin(byte[] bytes, int from) {
        int length = bytes.length - from;
        for (byte[] text : hidden[bytes[from] & 0xFF]) {
            if (length < text.length && Arrays.equals(bytes, from, bytes.length, text, 0, length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
