// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import java.util.Arrays;

/** What decides about an event, read from its text; the text itself stays where it is. */
final class RawEvent {
    /** Place of the text in the cursor's array. */
    int from;

    int to;
    /** The letter, 0 when there is none. */
    int phase;

    long ts;
    boolean hasTs;
    long id;
    String category = "";

    private int notes;
    private boolean commaTooMany;

    /** Takes one entry of the list of events, whatever it is. */
    void read(JsonCursor c) throws Stop {
        phase = 0;
        hasTs = false;
        ts = 0;
        id = JsonCursor.NOT_A_NUMBER;
        category = "";
        commaTooMany = false;
        c.notes = 0;
        int first = c.peek();
        from = c.pos;
        if (first != '{') {
            c.skip();
            to = c.pos;
            notes = c.notes;
            return;
        }
        c.pos++;
        boolean more = c.peek() != '}';
        while (more) {
            member(c);
            more = c.peek() == ',';
            if (more) {
                c.pos++;
                // A comma too many is no member.
                more = c.peek() != '}';
                commaTooMany = !more;
            }
        }
        c.take('}', "',' or '}' after a value");
        to = c.pos;
        notes = c.notes;
    }

    /** Sees to it that the text is strict JSON, if need be by writing it anew; returns the array in which it is now. */
    byte[] strict(byte[] bytes) {
        if (notes == 0 && !commaTooMany) {
            return bytes;
        }
        byte[] clean = CleanJson.clean(Arrays.copyOfRange(bytes, from, to), notes);
        from = 0;
        to = clean.length;
        return clean;
    }

    private void member(JsonCursor c) throws Stop {
        c.key();
        int at = c.start;
        int length = c.end - at;
        byte[] b = c.buffer;
        if (length == 2 && b[at] == 'p' && b[at + 1] == 'h') {
            boolean text = c.peek() == '"';
            c.skip();
            phase = text && c.end - c.start == 1 ? c.buffer[c.start] & 0xFF : 0;
        } else if (length == 2 && b[at] == 't' && b[at + 1] == 's') {
            ts = c.nanoseconds();
            hasTs = ts != JsonCursor.NOT_A_NUMBER;
        } else if (length == 2 && b[at] == 'i' && b[at + 1] == 'd') {
            id = c.identifier();
        } else if (length == 3 && b[at] == 'c' && b[at + 1] == 'a' && b[at + 2] == 't') {
            boolean text = c.peek() == '"';
            c.skip();
            category = text ? c.text() : "";
        } else {
            c.skip();
        }
    }
}
