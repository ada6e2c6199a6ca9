// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a damaged JSON object most likely says as strict JSON. A slip costs the value that it stands in: commas too many or too
 * few, values or colons that are missing, quotes that are not escaped, brackets of the wrong kind, comments, words of other languages.
 * For texts that {@link JsonCursor} cannot read; time and memory are linear in the text.
 */
public final class JsonMender {
    /**
     * What was made of a text.
     *
     * @param json one object in strict JSON, followed by {@link JsonCursor#SLACK} zero bytes
     * @param length of the object
     * @param end the place in the source behind what was read
     * @param whole whether the object's own bracket closes it
     * @param open how many brackets were open at the end
     * @param dropped whether a part of the text is not in the object
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Mended(byte[] json, int length, int end, boolean whole, int open, boolean dropped) {}

    private enum Closing {
        /** A bracket of the wrong kind closes what is open: it was mistyped. */
        ONE,
        /** It closes what is open up to one of its kind: the brackets between were forgotten. */
        MATCHING
    }

    private final byte[] b;
    private final int to;
    private final Set<String> outermost;
    private final boolean lastInList;
    private final Closing closing;
    private final TextEnds texts;
    private final BitSet objects = new BitSet();
    private final BitSet filled = new BitSet();
    private final BitSet unwanted = new BitSet();
    private int[] begins = new int[16];
    private byte[] out;
    private int length;
    private int depth;
    private int p;
    private boolean dropped;

    private JsonMender(byte[] padded, int to, Set<String> outermost, boolean lastInList, Closing closing) {
        this.b = padded;
        this.lastInList = lastInList;
        this.to = to;
        this.outermost = outermost;
        this.closing = closing;
        this.texts = new TextEnds(padded, to);
        this.out = new byte[to + JsonCursor.SLACK];
    }

    /**
     * Mends the object of a list that begins at a place.
     *
     * @param source holds the opening brace at {@code from}
     * @param to where the text ends at the latest
     * @param lastInList whether no object follows in this text: then a bracket without its like ends the list
     * @return null when nothing can be made of it
     */
    public static @Nullable Mended event(byte[] source, int from, int to, boolean lastInList) {
        byte[] padded = padded(source, from, to);
        Mended best = null;
        for (Closing closing : Closing.values()) {
            Mended mended = new JsonMender(padded, to - from, Set.of(), lastInList, closing).run();
            if (mended != null && isBetweenEvents(padded, mended.end, to - from, lastInList)) {
                best = best == null || mended.whole ? mended : best;
                if (best.whole) {
                    break;
                }
            }
        }
        return best == null ? null : moved(best, from);
    }

    /** Whether no part of the object lies behind this place, where it ends. */
    private static boolean isBetweenEvents(byte[] b, int end, int to, boolean lastInList) {
        int p = end;
        while (p < to && (b[p] == ',' || b[p] <= ' ' && b[p] >= 0)) {
            p++;
        }
        return p == to || lastInList && b[p] == ']';
    }

    /**
     * Mends an object that is a text of its own.
     *
     * @param source the text from its opening brace to its closing one
     * @param outermost keys that no object within this one has: where one stands there, brackets before it are missing
     * @return null when nothing can be made of it
     */
    public static @Nullable Mended document(byte[] source, Set<String> outermost) {
        int length = source.length;
        byte[] padded = padded(source, 0, length);
        Mended one = new JsonMender(padded, length, Set.of(), false, Closing.ONE).run();
        if (one == null || one.whole && one.end == length) {
            return one;
        }
        Mended matching = new JsonMender(padded, length, Set.of(), false, Closing.MATCHING).run();
        if (matching != null && matching.whole && matching.end == length) {
            return matching;
        }
        return new JsonMender(padded, length, outermost, false, Closing.MATCHING).run();
    }

    private static byte[] padded(byte[] source, int from, int to) {
        return Arrays.copyOf(Arrays.copyOfRange(source, from, to), to - from + JsonCursor.SLACK);
    }

    private static Mended moved(Mended m, int by) {
        return new Mended(m.json, m.length, m.end + by, m.whole, m.open, m.dropped);
    }

    private @Nullable Mended run() {
        open(false);
        boolean ended = false;
        while (depth > 0 && !ended) {
            int c = next();
            if (texts.exhausted()) {
                return null;
            }
            if (p >= to) {
                ended = true;
            } else if (c == ',') {
                p++;
            } else if (TextEnds.isClose(c)) {
                ended = !close(c);
            } else if (c == '"' && isStray()) {
                drop();
            } else if (objects.get(depth)) {
                member(c);
            } else {
                element(c);
            }
        }
        int open = depth;
        while (depth > 0) {
            pop();
        }
        return new Mended(Arrays.copyOf(out, length + JsonCursor.SLACK), length, p, open == 0, open, dropped);
    }

    /** Passes over blanks and comments; the byte that is next. */
    private int next() {
        while (true) {
            p = texts.blanks(p);
            if (p >= to || !texts.isComment(p)) {
                return b[p];
            }
            comment();
        }
    }

    private void comment() {
        if (b[p] == '/' && b[p + 1] == '*') {
            p += 2;
            while (p < to && !(b[p] == '*' && b[p + 1] == '/')) {
                p++;
            }
            p = Math.min(p + 2, to);
            return;
        }
        while (p < to && b[p] != '\n') {
            p++;
        }
    }

    /** Whether a quote stands alone, as one too many behind a value does. */
    private boolean isStray() {
        int c = b[texts.blanks(p + 1)];
        return objects.get(depth) && filled.get(depth) && (c == ',' || TextEnds.isClose(c));
    }

    private void drop() {
        dropped = true;
        p++;
    }

    private void member(int c) {
        if (c == '{' || c == '[' || c == '(') {
            dropped = true;
            open(true);
            return;
        }
        String key = key(c);
        if (key == null) {
            drop();
            return;
        }
        value(key);
    }

    /** The value of a key, behind which the text stands. */
    private void value(String key) {
        int c = next();
        while (p < to && (c == ':' || c == '=')) {
            p++;
            c = next();
        }
        if (p >= to || c == ',' || TextEnds.isClose(c)) {
            dropped = true;
            return;
        }
        while (depth > 1 && outermost.contains(key)) {
            pop();
        }
        separate();
        CleanJson.text(key, this::write);
        write(':');
        content(c);
    }

    private void element(int c) {
        if (c == '"' || c == '\'') {
            boolean list = !objects.get(depth);
            int quote = p;
            int end = texts.ofValue(quote, false);
            String text = JsonText.decode(b, quote + 1, Math.max(quote + 1, end));
            dropped |= texts.cut;
            p = texts.behind;
            if (list && next() == ':' && p < to && objects.length() > 1 && objects.previousSetBit(depth) > 0) {
                while (!objects.get(depth)) {
                    pop();
                }
                value(text);
                return;
            }
            separate();
            CleanJson.text(text, this::write);
            return;
        }
        if (c == ':') {
            drop();
            return;
        }
        separate();
        content(c);
    }

    /** A value, behind what separates it from the one before. */
    private void content(int c) {
        if (c == '{' || c == '[' || c == '(') {
            open(false);
        } else if (c == '"' || c == '\'') {
            int quote = p;
            int end = texts.ofValue(quote, objects.get(depth));
            dropped |= texts.cut;
            p = texts.behind;
            CleanJson.text(JsonText.decode(b, quote + 1, Math.max(quote + 1, end)), this::write);
        } else {
            word();
        }
    }

    private @Nullable String key(int c) {
        if (c == '"' || c == '\'') {
            int quote = p;
            int end = texts.ofKey(quote);
            dropped |= texts.cut;
            p = texts.behind;
            return JsonText.decode(b, quote + 1, Math.max(quote + 1, end));
        }
        int first = p;
        while (p < to && isWord(b[p])) {
            p++;
        }
        if (p == first) {
            return null;
        }
        String key = new String(b, first, p - first, StandardCharsets.UTF_8);
        if (p < to && b[p] == '"') {
            p++;
        }
        return key;
    }

    private static boolean isWord(byte c) {
        return c < 0 || c > ' ' && c != ',' && c != ':' && c != '=' && c != '"' && "{}[]()".indexOf(c) < 0;
    }

    /** A number or word, or a text without quotes, up to the end of the value. */
    private void word() {
        int first = p;
        int parentheses = 0;
        while (p < to && b[p] != '\n' && (parentheses > 0 || !endsWord(first))) {
            parentheses += b[p] == '(' ? 1 : b[p] == ')' ? -1 : 0;
            p++;
        }
        if (p == first) {
            p++;
        }
        String word = JsonText.decode(b, first, p).strip();
        switch (word) {
            case "True", "False" -> CleanJson.word(word.equals("True") ? "true" : "false", this::write);
            case "None", "undefined", "" -> CleanJson.word("null", this::write);
            default -> CleanJson.word(word, this::write);
        }
    }

    private boolean endsWord(int first) {
        return b[p] == ','
                || b[p] == '"'
                || TextEnds.isClose(b[p])
                || p > first && b[p - 1] == ' ' && texts.isComment(p);
    }

    private void separate() {
        if (filled.get(depth)) {
            write(',');
        }
        filled.set(depth);
    }

    private void open(boolean unwantedValue) {
        boolean object = b[p] == '{';
        depth++;
        if (depth == begins.length) {
            begins = Arrays.copyOf(begins, depth * 2);
        }
        objects.set(depth, object);
        filled.clear(depth);
        unwanted.set(depth, unwantedValue);
        begins[depth] = length;
        write(object ? '{' : '[');
        p++;
    }

    private void pop() {
        if (unwanted.get(depth)) {
            length = begins[depth];
        } else {
            write(objects.get(depth) ? '}' : ']');
        }
        objects.clear(depth);
        depth--;
    }

    /** Takes a closing bracket; false when it closes what lies around the object. */
    private boolean close(int c) {
        boolean object = c == '}';
        int open = object ? objects.previousSetBit(depth) : objects.previousClearBit(depth);
        if (open == depth) {
            p++;
            pop();
            return true;
        }
        if (open <= 0 && depth == 1) {
            p += lastInList ? 0 : 1;
            dropped |= !lastInList;
            return !lastInList;
        }
        if (open <= 0 || closing == Closing.ONE) {
            p++;
            dropped = true;
            if (closing == Closing.ONE) {
                pop();
            }
            return true;
        }
        while (depth > open) {
            pop();
        }
        p++;
        pop();
        return true;
    }

    private void write(int c) {
        if (length == out.length) {
            out = Arrays.copyOf(out, length * 2);
        }
        out[length++] = (byte) c;
    }
}
