// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import java.io.IOException;

/** Follows the outline of a document of events: a list of them, or an object with {@code traceEvents} among other keys. */
public final class EventOutline {
    /** Takes what the document holds, in its order. */
    public interface Content {
        /** A list of events begins. */
        void list();

        /** Takes an event, whose brace is next. The cursor may run out of text; then this is called again. */
        void event(JsonCursor cursor) throws Stop;

        /** The event that was taken last is complete; it began at this place. */
        void taken(long position);

        /** An entry of the events is no object; it was passed over. */
        void other(long position);

        /** Takes the value of a member beside the events. The cursor may run out of text; then this is called again. */
        void member(String key, JsonCursor cursor) throws Stop;

        /** An event is malformed. Whether to go on with the next one; otherwise the document ends here, as a failure. */
        boolean survives();
    }

    private final JsonWindow window;
    private final Content content;
    private final JsonWindow.Move event;

    public EventOutline(JsonWindow window, Content content) {
        this.window = window;
        this.content = content;
        event = content::event;
    }

    /**
     * Reads the value that is next.
     *
     * @throws Stop where the text ends within it or it is malformed
     */
    public void read() throws IOException, Stop {
        if (window.peek() == '[') {
            events();
            return;
        }
        window.expect('{', "'{' or '[' at the beginning of a trace");
        for (boolean first = true; window.more('}', first); first = false) {
            String key = window.key();
            if (key.equals("traceEvents") && window.peek() == '[') {
                events();
            } else {
                window.take(cursor -> content.member(key, cursor));
            }
        }
    }

    private void events() throws IOException, Stop {
        content.list();
        window.expect('[', "'[' of the events");
        boolean first = true;
        while (true) {
            try {
                if (!window.more(']', first)) {
                    return;
                }
                first = false;
                event();
            } catch (Stop stop) {
                if (stop == Stop.INCOMPLETE || !content.survives()) {
                    throw stop;
                }
                if (!resume()) {
                    return;
                }
                first = true;
            }
        }
    }

    private void event() throws IOException, Stop {
        long position = window.position();
        if (window.peek() == '{') {
            window.take(event);
            content.taken(position);
        } else {
            window.pass();
            content.other(position);
        }
    }

    /** Moves to the next place ahead where an object follows a comma, as events do; whether there is one. */
    private boolean resume() throws IOException {
        window.cursor().pos = Math.max(window.cursor().pos, window.cursor().failedAt);
        while (window.seek(",") != null) {
            window.cursor().pos++;
            if (window.peek() == '{') {
                return true;
            }
        }
        return false;
    }
}
