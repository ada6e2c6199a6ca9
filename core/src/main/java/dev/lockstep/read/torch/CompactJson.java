// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.table.IntList;
import dev.lockstep.table.StringPool;
import java.util.Arrays;

/**
 * Interns structured arguments in one spelling, whatever the layout of the file: no line ends, one space after comma and
 * colon. Spellings met before cost one look-up.
 */
final class CompactJson {
    private final StringPool spellings = new StringPool();
    private final IntList interned = new IntList(64);
    private final StringPool pool;
    private byte[] scratch = new byte[256];

    CompactJson(StringPool pool) {
        this.pool = pool;
    }

    int intern(byte[] bytes, int start, int end) {
        int spelling = spellings.intern(bytes, start, end);
        if (spelling == interned.size()) {
            int length = compact(bytes, start, end);
            interned.add(pool.intern(scratch, 0, length));
        }
        return interned.get(spelling);
    }

    private int compact(byte[] bytes, int start, int end) {
        int most = (end - start) * 2 + Long.BYTES;
        if (scratch.length < most) {
            scratch = Arrays.copyOf(scratch, most);
        }
        int n = 0;
        boolean inString = false;
        for (int p = start; p < end; p++) {
            byte c = bytes[p];
            if (inString) {
                scratch[n++] = c;
                if (c == '\\' && p + 1 < end) {
                    scratch[n++] = bytes[++p];
                } else if (c == '"') {
                    inString = false;
                }
            } else if (c == '"') {
                scratch[n++] = c;
                inString = true;
            } else if (c == ',' || c == ':') {
                scratch[n++] = c;
                scratch[n++] = ' ';
            } else if (c > ' ') {
                scratch[n++] = c;
            }
        }
        return n;
    }
}
