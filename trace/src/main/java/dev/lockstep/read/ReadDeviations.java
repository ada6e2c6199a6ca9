// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Diagnostics.Weight;

/** Counts what a cursor could read although it is not quite JSON. */
public final class ReadDeviations {
    private final JsonCursor cursor;
    private final long base;
    private final Diagnostics into;

    private ReadDeviations(JsonCursor cursor, long base, Diagnostics into) {
        this.cursor = cursor;
        this.base = base;
        this.into = into;
    }

    /**
     * Counts what was noted since the notes were cleared, once each.
     *
     * @param cursor has read a value
     * @param base place of the cursor's first byte in the unpacked content
     * @param into takes the problems
     */
    public static void count(JsonCursor cursor, long base, Diagnostics into) {
        ReadDeviations all = new ReadDeviations(cursor, base, into);
        all.note(
                JsonCursor.CONTROL_CHARACTER,
                "control_character",
                "a bare control character, a line feed or a NUL stands in a text");
        all.note(JsonCursor.INVALID_UTF8, "invalid_utf8", "bytes that are not UTF-8 were replaced by U+FFFD");
        all.note(JsonCursor.INVALID_ESCAPE, "invalid_escape", "an unknown escape in a text was kept as it stands");
        all.note(
                JsonCursor.INVALID_NUMBER,
                "invalid_number",
                "NaN, Infinity or a number that is not spelt as JSON wants it");
        all.note(JsonCursor.BARE_QUOTE, "unescaped_quote", "a quote inside a text is not escaped");
        all.note(JsonCursor.LONE_SURROGATE, "lone_surrogate", "half of a surrogate pair was replaced by U+FFFD");
    }

    private void note(int bit, String code, String message) {
        if ((cursor.notes & bit) != 0) {
            into.add(Weight.REPAIRED, code, message, base + cursor.notedAt);
        }
    }
}
