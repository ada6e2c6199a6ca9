// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.codec.JsonCursor.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A part of a JSON text that moves on as it is read. What is taken at once must fit into memory; everything else passes by.
 *
 * <p>All moves throw {@link Stop#INCOMPLETE} when the text ends within them, and then stand where the value begins.
 */
public final class JsonWindow {
    /** Takes something whole from the cursor. */
    @FunctionalInterface
    public interface Move {
        void run(JsonCursor cursor) throws Stop;
    }

    /** Takes one element of a list. */
    @FunctionalInterface
    public interface Element {
        void take() throws IOException, Stop;
    }

    /**
     * Bytes that one text, number or whole value may take where it must be in memory at once: a part of the heap, so that
     * there is room for it to be copied, and for others.
     */
    public static final int LONGEST =
            (int) Math.min(1L << 28, Runtime.getRuntime().maxMemory() / 8);

    private static final int BLOCK = 1 << 18;

    private final ByteSource source;
    private final LongConsumer progress;
    private final JsonCursor cursor = new JsonCursor();
    private long offset;
    private boolean ended;

    public JsonWindow(ByteSource source, LongConsumer progress) {
        this.source = source;
        this.progress = progress;
        cursor.set(new byte[BLOCK + JsonCursor.SLACK], 0, 0);
    }

    /** Place in the content of what comes next. */
    public long position() {
        return offset + cursor.pos;
    }

    /** Place in the content of what a move did not expect. */
    public long failure() {
        return offset + cursor.failedAt;
    }

    public String expected() {
        return cursor.expected;
    }

    public JsonCursor cursor() {
        return cursor;
    }

    /** Runs a move, with more text whenever it needs some. */
    public void take(Move move) throws IOException, Stop {
        while (true) {
            int from = cursor.pos;
            try {
                move.run(cursor);
                return;
            } catch (Stop stop) {
                cursor.pos = from;
                if (stop == Stop.INCOMPLETE && cursor.limit - from > LONGEST) {
                    throw tooLong(from);
                }
                if (stop != Stop.INCOMPLETE || !refill()) {
                    throw stop;
                }
            }
        }
    }

    /** The byte that comes next, behind white space; 0 at the end of the text. */
    public int peek() throws IOException {
        int c = cursor.peek();
        while (cursor.pos >= cursor.limit) {
            if (!refill()) {
                return 0;
            }
            c = cursor.peek();
        }
        return c;
    }

    public void expect(int wanted, String what) throws IOException, Stop {
        if (peek() == 0 && cursor.pos >= cursor.limit) {
            throw Stop.INCOMPLETE;
        }
        cursor.take(wanted, what);
    }

    /** Takes a key and its colon. */
    public String key() throws IOException, Stop {
        String[] key = new String[1];
        take(c -> {
            c.key();
            key[0] = c.text();
        });
        return key[0];
    }

    /** Takes a whole value, as strict JSON. */
    public String value() throws IOException, Stop {
        peek();
        String[] value = new String[1];
        take(c -> {
            c.notes = 0;
            int from = c.skip();
            value[0] = CleanJson.taken(c, from, c.pos);
        });
        return value[0];
    }

    /** Takes the comma before a further member of a container, or its end; whether there is a member. */
    public boolean more(int closing, boolean first) throws IOException, Stop {
        int c = peek();
        if (c == closing) {
            cursor.pos++;
            return false;
        }
        if (!first) {
            expect(',', "',' or '" + (char) closing + "'");
            peek();
        }
        return true;
    }

    /** The failure of a value that begins here; the cursor then stands behind what there is of it, so that nobody reads it again. */
    private Stop tooLong(int at) {
        cursor.pos = cursor.limit;
        cursor.failedAt = at;
        cursor.expected = "a value of at most " + (LONGEST >> 20) + " MiB";
        return Stop.MALFORMED;
    }

    /** Passes over a value of any size; only its longest text must fit into memory. */
    public void pass() throws IOException, Stop {
        StringBuilder open = new StringBuilder();
        boolean first = true;
        while (true) {
            int c = peek();
            if (c == '{' || c == '[') {
                if (open.length() == LONGEST) {
                    throw tooLong(cursor.pos);
                }
                cursor.pos++;
                open.append((char) (c + 2));
                first = true;
            } else {
                take(JsonCursor::skip);
            }
            while (!open.isEmpty() && !more(open.charAt(open.length() - 1), first)) {
                open.setLength(open.length() - 1);
                first = false;
            }
            if (open.isEmpty()) {
                return;
            }
            first = false;
            if (open.charAt(open.length() - 1) == '}') {
                key();
            }
        }
    }

    /**
     * Moves to the nearest place ahead where one of these texts stands, before it; or to the end.
     *
     * @return the text that was found, null at the end
     */
    public @Nullable String seek(String... texts) throws IOException {
        byte[][] wanted = new byte[texts.length][];
        int longest = 0;
        boolean[] beginnings = new boolean[256];
        for (int i = 0; i < texts.length; i++) {
            wanted[i] = texts[i].getBytes(StandardCharsets.UTF_8);
            longest = Math.max(longest, wanted[i].length);
            beginnings[wanted[i][0] & 0xFF] = true;
        }
        while (true) {
            for (int p = cursor.pos; p < cursor.limit; p++) {
                int found = beginnings[cursor.buffer[p] & 0xFF] ? starting(wanted, p) : -1;
                if (found >= 0) {
                    cursor.pos = p;
                    return texts[found];
                }
            }
            cursor.pos = ended ? cursor.limit : Math.max(cursor.pos, cursor.limit - longest);
            if (!refill()) {
                cursor.pos = cursor.limit;
                return null;
            }
        }
    }

    /**
     * Takes the elements of a list from behind its bracket to its end. A damaged element costs what lies up to the next one.
     *
     * @param damaged runs where an element is damaged, before the text behind it is looked at
     */
    public void elements(Element element, Runnable damaged) throws IOException, Stop {
        boolean first = true;
        while (true) {
            try {
                if (!more(']', first)) {
                    return;
                }
                first = false;
                element.take();
            } catch (Stop stop) {
                if (stop == Stop.INCOMPLETE) {
                    throw stop;
                }
                damaged.run();
                if (!toNextElement()) {
                    throw stop;
                }
                first = true;
            }
        }
    }

    /** Moves behind what failed to the next place in a list that looks like an object of it, or to its end; whether there is any. */
    private boolean toNextElement() throws IOException {
        cursor.pos = Math.max(cursor.pos, cursor.failedAt);
        while (seek(",", "[", "]") != null) {
            boolean closing = cursor.buffer[cursor.pos] == ']';
            if (closing) {
                return true;
            }
            cursor.pos++;
            if (peek() == '{') {
                return true;
            }
        }
        return false;
    }

    private int starting(byte[][] wanted, int p) {
        for (int i = 0; i < wanted.length; i++) {
            int end = p + wanted[i].length;
            if (end <= cursor.limit && Arrays.equals(cursor.buffer, p, end, wanted[i], 0, wanted[i].length)) {
                return i;
            }
        }
        return -1;
    }

    /** Gets more text behind what is not taken yet; whether there was any. */
    private boolean refill() throws IOException {
        if (ended) {
            return false;
        }
        int kept = cursor.limit - cursor.pos;
        byte[] buffer = cursor.buffer;
        // Twice as much each time, so that a long value costs linear time.
        int size = Math.max(BLOCK, kept * 2);
        byte[] next = size + JsonCursor.SLACK <= buffer.length ? buffer : new byte[size + JsonCursor.SLACK];
        System.arraycopy(buffer, cursor.pos, next, 0, kept);
        int filled = kept + source.fill(next, kept, size - kept);
        ended = filled < size;
        Arrays.fill(next, filled, filled + JsonCursor.SLACK, (byte) 0);
        offset += cursor.pos;
        cursor.set(next, 0, filled);
        progress.accept(offset + filled);
        return filled > kept;
    }
}
