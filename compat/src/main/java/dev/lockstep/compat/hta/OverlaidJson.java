// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.lockstep.codec.CleanJson;
import dev.lockstep.codec.EnvironmentJson;
import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonCursor.Stop;
import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import dev.lockstep.reporting.TraceOverlay;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.zip.GZIPOutputStream;

/**
 * Copies a trace event by event, byte by byte, with an argument more in some, without others, and with further events behind them.
 * Only what is not quite JSON is made JSON. Values of environment variables are not handed on.
 */
final class OverlaidJson {
    private static final int BUFFER = 1 << 16;
    private static final byte[] MARK = "\"critical\":1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MARK_ALONE = ",\"args\":{\"critical\":1}".getBytes(StandardCharsets.US_ASCII);

    /** Takes further events. */
    interface Lines {
        /** @param event JSON text */
        void line(String event) throws IOException;
    }

    /** Gives further events. */
    interface Additions {
        void addTo(Lines lines) throws IOException;
    }

    private final BitSet marked;
    private final BitSet left;

    /**
     * @param marked places in the file of events that get the mark
     * @param left places in the file of events that are left out
     */
    OverlaidJson(BitSet marked, BitSet left) {
        this.marked = marked;
        this.left = left;
    }

    /** Writes the copy; says whether the document was read to its end. */
    boolean write(TraceInput input, TraceOverlay.Target target, Additions additions) throws IOException {
        try (OutputStream file = NamedFiles.out(target.file());
                OutputStream out =
                        new BufferedOutputStream(target.packed() ? new GZIPOutputStream(file, BUFFER) : file, BUFFER);
                PrefixedSource source = input.open(new Diagnostics())) {
            return new Copy(new JsonWindow(source, bytes -> {}), out, additions).run();
        }
    }

    /** One reading of the file. */
    private final class Copy {
        private final JsonWindow window;
        private final OutputStream out;
        private final Additions additions;
        private boolean members;
        private boolean events;
        private boolean done;
        private int number;
        private int from;
        private int to;
        private int arguments;
        private int phase;
        private int notes;

        /** Whether a comma too many stands behind the last member. */
        private boolean commaTooMany;

        private Copy(JsonWindow window, OutputStream out, Additions additions) {
            this.window = window;
            this.out = out;
            this.additions = additions;
        }

        private boolean run() throws IOException {
            if (window.peek() == (byte) 0xEF) {
                window.seek("{", "[");
            }
            boolean list = window.peek() == '[';
            text(list ? "" : "{\n");
            boolean whole = true;
            try {
                if (list) {
                    events();
                } else {
                    document();
                }
            } catch (Stop stop) {
                whole = list && stop == Stop.INCOMPLETE && window.peek() == 0;
            }
            if (!done) {
                if (!members && !list) {
                    text("\"traceEvents\": [");
                }
                end();
            }
            text(list ? "\n" : "\n}\n");
            return whole;
        }

        private void document() throws IOException, Stop {
            window.expect('{', "'{' of the document");
            for (boolean first = true; window.more('}', first); first = false) {
                String key = window.key();
                boolean list = key.equals("traceEvents") && window.peek() == '[';
                if (list && done) {
                    window.pass();
                    continue;
                }
                String value =
                        list ? "" : EnvironmentJson.of(key, window.value()).json();
                text(members ? ",\n" : "");
                members = true;
                text(quoted(key) + ": " + value); // which is whole
                if (list) {
                    events();
                }
            }
        }

        private static String quoted(String key) {
            return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(key)) + '"';
        }

        private void events() throws IOException, Stop {
            window.expect('[', "'[' of the events");
            text("[");
            boolean first = true;
            while (window.more(']', first)) {
                first = false;
                if (window.peek() == ']') {
                    continue;
                }
                window.take(this::event);
                copy(notes == 0 && !commaTooMany ? window.cursor().buffer : mended());
            }
            end();
        }

        /** The event as strict JSON, in which the places are those that matter. */
        private byte[] mended() throws Stop {
            byte[] event = Arrays.copyOfRange(window.cursor().buffer, from, to);
            if (commaTooMany) {
                event[event.length - 1] = '}';
            }
            byte[] clean = CleanJson.clean(event, notes);
            JsonCursor cursor = new JsonCursor();
            cursor.set(Arrays.copyOf(clean, clean.length + JsonCursor.SLACK), 0, clean.length);
            event(cursor);
            return clean;
        }

        private void end() throws IOException {
            additions.addTo(event -> {
                separate();
                text(event);
            });
            text("\n]");
            done = true;
        }

        private void separate() throws IOException {
            text(events ? ",\n" : "\n");
            events = true;
        }

        /** Finds the places in an event that matter. */
        private void event(JsonCursor c) throws Stop {
            int first = c.peek();
            from = c.pos;
            arguments = -1;
            phase = 0;
            c.notes = 0;
            commaTooMany = false;
            if (first == '{') {
                c.pos++;
                int behind = c.pos;
                for (boolean begun = true; c.member(begun); begun = false) {
                    if (c.peek() == '}') { // a comma too many is no member
                        commaTooMany = true;
                        c.pos++;
                        break;
                    }
                    member(c);
                    behind = c.pos;
                }
                to = commaTooMany ? behind + 1 : c.pos;
            } else {
                c.skip();
                to = c.pos;
            }
            notes = c.notes;
        }

        private void member(JsonCursor c) throws Stop {
            c.key();
            String key = c.end - c.start <= 4 ? c.text() : "";
            boolean object = c.peek() == '{';
            int value = c.skip();
            if (key.equals("args") && object) {
                arguments = value + 1;
            } else if (key.equals("ph")) {
                phase = c.buffer[value] == '"' ? c.buffer[value + 1] : 0;
            }
        }

        private void copy(byte[] bytes) throws IOException {
            if (phase == 'X' && left.get(number)) {
                number++;
                return;
            }
            separate();
            if (!marked.get(number++)) {
                plain(bytes);
            } else if (arguments < 0) {
                out.write(bytes, from, to - from - 1);
                out.write(MARK_ALONE);
                out.write('}');
            } else {
                int next = arguments;
                while (bytes[next] <= ' ') {
                    next++;
                }
                out.write(bytes, from, arguments - from);
                out.write(MARK);
                out.write(bytes[next] == '}' ? "".getBytes(StandardCharsets.US_ASCII) : new byte[] {','});
                out.write(bytes, arguments, to - arguments);
            }
        }

        private void plain(byte[] bytes) throws IOException {
            if (phase == 'M') {
                EnvironmentJson without =
                        EnvironmentJson.ofEvent(new String(bytes, from, to - from, StandardCharsets.UTF_8));
                if (without.values() > 0) {
                    text(without.json());
                    return;
                }
            }
            out.write(bytes, from, to - from);
        }

        private void text(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
