// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.JsonText;
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

    CompactJson(StringPool pool) {
        this.pool = pool;
    }

    int intern(byte[] bytes, int start, int end) {
        int spelling = spellings.intern(bytes, start, end);
        if (spelling == interned.size()) {
            byte[] spelt = JsonText.respell(bytes, start, end);
            interned.add(pool.intern(Arrays.copyOf(spelt, spelt.length + Long.BYTES), 0, spelt.length));
        }
        return interned.get(spelling);
    }
}
