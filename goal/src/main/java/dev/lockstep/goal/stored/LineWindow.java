// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.codec.ByteSource;
import java.io.IOException;
import java.util.Arrays;

/** A part of a text in memory that holds whole lines only. The last line of the text ends even if nobody ended it. */
final class LineWindow {
    private static final int SIZE = 1 << 20;

    /** Who looks at a word of some letters may look behind the end of the last line. */
    private static final int SLACK = 16;

    private final ByteSource source;
    byte[] bytes = new byte[SIZE];
    /** The next byte that nobody has read. */
    int at;

    private int filled;
    private int lastNewline = -1;
    private boolean ended;

    LineWindow(ByteSource source) {
        this.source = source;
    }

    /** Makes sure that the line in which the next byte stands is whole; false at the end of the text. */
    boolean line() throws IOException {
        return at <= lastNewline || refill();
    }

    private boolean refill() throws IOException {
        while (at > lastNewline) {
            if (ended) {
                return false;
            }
            int rest = filled - at;
            if (at > 0) {
                System.arraycopy(bytes, at, bytes, 0, rest);
            } else if (filled >= bytes.length - SLACK) {
                bytes = Arrays.copyOf(bytes, Math.multiplyExact(bytes.length, 2));
            }
            at = 0;
            int n = source.fill(bytes, rest, bytes.length - SLACK - rest);
            filled = rest + n;
            ended = filled < bytes.length - SLACK;
            if (ended && filled > 0 && bytes[filled - 1] != '\n') {
                bytes[filled++] = '\n';
            }
            lastNewline = filled - 1;
            while (lastNewline >= 0 && bytes[lastNewline] != '\n') {
                lastNewline--;
            }
        }
        return true;
    }
}
