// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.torch;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.model.RecordedText;
import java.util.Arrays;

/** Makes JSON of what an event holds that is not quite JSON. */
final class MendedEvent {
    private MendedEvent() {}

    /**
     * Mends the arguments and fields of an event in which the cursor noted something.
     *
     * @param notes what it noted
     */
    static void mend(RecordedText text, int notes) {
        byte[] arguments = CleanJson.clean(text.arguments(), notes);
        text.replace(
                arguments,
                CleanJson.clean(text.fields(), notes),
                value(arguments, ArgKey.CORRELATION),
                value(arguments, ArgKey.EXTERNAL_ID));
    }

    /** Place of the value of the last member with this key, not of one inside another value; -1 when there is none. */
    private static int value(byte[] members, ArgKey wanted) {
        byte[] b = Arrays.copyOf(members, members.length + Long.BYTES);
        int place = -1;
        int depth = 0;
        for (int p = 0; p < members.length; p++) {
            if (b[p] == '"') {
                int from = p + 1;
                p = quote(b, from);
                place = depth == 0 && b[p + 1] == ':' && ArgKey.of(b, from, p) == wanted ? p + 2 : place;
            } else {
                depth += b[p] == '{' || b[p] == '[' ? 1 : b[p] == '}' || b[p] == ']' ? -1 : 0;
            }
        }
        return place;
    }

    /** Place of the quote that ends a text. */
    private static int quote(byte[] json, int from) {
        int p = from;
        while (json[p] != '"') {
            p += json[p] == '\\' ? 2 : 1;
        }
        return p;
    }
}
