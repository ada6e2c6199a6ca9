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
    private final Spelling spelling;

    /** How a value is spelled: its bytes in the file, from a place up to another, to those that are kept. */
    @FunctionalInterface
    interface Spelling {
        byte[] of(byte[] bytes, int start, int end);
    }

    CompactJson(StringPool pool) {
        this(pool, JsonText::respell);
    }

    CompactJson(StringPool pool, Spelling spelling) {
        this.pool = pool;
        this.spelling = spelling;
    }

    int intern(byte[] bytes, int start, int end) {
        int known = spellings.intern(bytes, start, end);
        if (known == interned.size()) {
            byte[] spelt = spelling.of(bytes, start, end);
            interned.add(pool.intern(Arrays.copyOf(spelt, spelt.length + Long.BYTES), 0, spelt.length));
        }
        return interned.get(known);
    }
}
