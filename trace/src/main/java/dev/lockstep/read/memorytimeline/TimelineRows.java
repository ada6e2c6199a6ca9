// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.memorytimeline;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.table.LongList;
import java.io.IOException;

/** Takes a memory timeline apart, whichever of its two forms it has: the first list inside tells. */
final class TimelineRows {
    private static final int EVENT = 4;
    private static final long MOST_MICROS = Long.MAX_VALUE / 1000;
    private static final long MOST_BYTES = 1L << 53;

    private final JsonWindow window;
    private final CategoryBytes bytes;
    private final long[] number = new long[1];

    TimelineRows(JsonWindow window, CategoryBytes bytes) {
        this.window = window;
        this.bytes = bytes;
    }

    void read() throws IOException, Stop {
        window.expect('[', "'[' of a memory timeline");
        LongList first = numbers();
        if (!window.more(']', false)) {
            event(first);
            bytes.finish();
            return;
        }
        window.expect('[', "a list");
        if (window.peek() == '[') {
            levels(first);
            window.expect(']', "the end of the memory timeline");
        } else {
            event(first);
            event(rest());
            while (window.more(']', false)) {
                event(numbers());
            }
        }
        bytes.finish();
    }

    /** For each time, the bytes of each category. */
    private void levels(LongList times) throws IOException, Stop {
        int row = 0;
        for (boolean first = true; window.more(']', first); first = false) {
            LongList levels = numbers();
            if (row == times.size()) {
                throw window.cursor().malformed(window.cursor().pos, "as many rows as times");
            }
            bytes.levels(time(times.get(row++)), levels);
        }
    }

    private void event(LongList event) throws Stop {
        if (event.size() != EVENT || Math.abs(event.get(2)) > MOST_BYTES) {
            throw window.cursor().malformed(window.cursor().pos, "a time, an action, bytes and a category");
        }
        bytes.change(event.get(0) < 0 ? -1 : time(event.get(0)), event.get(2), event.get(3));
    }

    private long time(long micros) throws Stop {
        if (micros < 0 || micros > MOST_MICROS) {
            throw window.cursor().malformed(window.cursor().pos, "a time in microseconds");
        }
        return micros * 1000;
    }

    private LongList numbers() throws IOException, Stop {
        window.peek();
        window.expect('[', "a list of numbers");
        return rest();
    }

    /** The numbers of a list whose bracket was taken. */
    private LongList rest() throws IOException, Stop {
        LongList found = new LongList(16);
        for (boolean first = true; window.more(']', first); first = false) {
            window.take(cursor -> number[0] = cursor.integer());
            if (number[0] == JsonCursor.NOT_A_NUMBER) {
                throw window.cursor().malformed(window.cursor().pos, "a whole number");
            }
            found.add(number[0]);
        }
        return found;
    }
}
