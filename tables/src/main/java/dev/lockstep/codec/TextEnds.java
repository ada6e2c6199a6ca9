// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.codec.JsonCursor.Stop;

/**
 * Finds where the strings of a damaged JSON text end: quotes in them may not be escaped, and the closing one may be missing. Confined
 * to one text. The work is linear in the text: whoever asks for more than that gets {@link #exhausted()}.
 */
final class TextEnds {
    private static final int LONGEST_KEY = 256;
    private static final int WORK_PER_BYTE = 32;
    private static final int LEAST_WORK = 1 << 12;

    private final byte[] b;
    private final int to;
    private final JsonCursor cursor = new JsonCursor();
    private long work;

    /** Behind the string that was looked for. */
    int behind;
    /** Whether the string has no closing quote. */
    boolean cut;

    /** @param bytes with {@link JsonCursor#SLACK} zero bytes behind {@code to} */
    TextEnds(byte[] bytes, int to) {
        this.b = bytes;
        this.to = to;
        this.work = LEAST_WORK + (long) WORK_PER_BYTE * to;
    }

    /** Whether the text is so entangled that it must be given up. */
    boolean exhausted() {
        return work < 0;
    }

    /** Behind the content of the key whose quote stands here. */
    int ofKey(int quote) {
        byte mark = b[quote];
        int first = -1;
        for (int q = next(quote + 1, mark); q < to; q = next(q + 1, mark)) {
            int c = b[blanks(q + 1)];
            if (c == ':' || first < 0 && (c == '"' || c == '{' || c == '[' || c == '-' || c >= '0' && c <= '9')) {
                return ended(q);
            }
            if (isCutBefore(q)) {
                return cutAt(lastOfText(q));
            }
            first = first < 0 ? q : first;
        }
        return first < 0 ? cutAt(to) : ended(first);
    }

    /** Behind the content of the value whose quote stands here. */
    int ofValue(int quote, boolean inObject) {
        byte mark = b[quote];
        int from = quote + 1;
        int inner = blanks(from);
        if (b[inner] == '{' || b[inner] == '[') {
            int json = behindJson(inner);
            if (json >= 0 && b[json] == mark && mayEnd(json, inObject)) {
                return ended(json);
            }
        }
        int first = -1;
        for (int q = next(from, mark); q < to; q = next(q + 1, mark)) {
            if (q > from && isCutBefore(q)) {
                return cutAt(lastOfText(q));
            }
            if (mayEnd(q, inObject) || first < 0 && !inObject && b[blanks(q + 1)] == ':') {
                return ended(q);
            }
            first = first < 0 ? q : first;
        }
        return first < 0 ? cutAt(endOfLine(from)) : ended(first);
    }

    private int ended(int quote) {
        cut = false;
        behind = quote + 1;
        return quote;
    }

    private int cutAt(int place) {
        cut = true;
        behind = place;
        return place;
    }

    private int endOfLine(int from) {
        int p = from;
        while (p < to && b[p] != '\n') {
            p++;
        }
        work -= p - from;
        return p;
    }

    /** Behind the JSON value that begins here; -1 when it is damaged. */
    private int behindJson(int from) {
        cursor.set(b, from, to);
        try {
            cursor.skip();
            return cursor.pos;
        } catch (Stop stop) {
            work -= (stop == Stop.INCOMPLETE ? to : cursor.failedAt) - from;
            return -1;
        }
    }

    /** The next such quote that is not escaped. */
    private int next(int from, byte mark) {
        int p = from;
        while (p < to && b[p] != mark && work >= 0) {
            p += b[p] == '\\' ? 2 : 1;
            work--;
        }
        return work < 0 ? to : Math.min(p, to);
    }

    int blanks(int from) {
        int p = from;
        while (p < to && b[p] <= ' ' && b[p] >= 0) {
            p++;
        }
        work -= p - from;
        return p;
    }

    /** Whether the quote can end a value: what follows goes on in an object, or in a list. */
    private boolean mayEnd(int quote, boolean inObject) {
        int p = blanks(quote + 1);
        if (p >= to || isClose(b[p]) || isComment(p)) {
            return true;
        }
        if (b[p] == '"') {
            return isKey(p);
        }
        if (b[p] != ',') {
            return false;
        }
        while (p < to && b[p] == ',') {
            p = blanks(p + 1);
        }
        if (p >= to || isClose(b[p]) || isComment(p)) {
            return true;
        }
        boolean quoted = b[p] == '"' || b[p] == '\'';
        return inObject ? (quoted ? isKey(p) : isBareKey(p)) : quoted || beginsValue(p);
    }

    /** Whether a number, a bracket or a word that is a value stands here. */
    private boolean beginsValue(int p) {
        int c = b[p];
        boolean word = "tfnTFNI".indexOf(c) >= 0;
        return c == '-' || c >= '0' && c <= '9' || c == '{' || c == '[' || c == '(' || word;
    }

    private boolean isBareKey(int from) {
        int p = from;
        while (p < to && (Character.isLetterOrDigit(b[p]) || b[p] == '_')) {
            p++;
        }
        work -= p - from;
        return p > from && b[p] == ':';
    }

    /** Whether the quote begins the next member, so that the text before it has lost its own. */
    private boolean isCutBefore(int quote) {
        int last = lastOfText(quote);
        boolean separated = last < quote && b[last] == ',';
        for (int p = last; p < quote && !separated; p++) {
            separated = b[p] == '\n';
        }
        return separated && isKey(quote);
    }

    /** Behind the last byte of the text before this place that is neither blank nor a comma; at most one comma goes. */
    private int lastOfText(int place) {
        int p = place;
        while (p > 0 && b[p - 1] <= ' ' && b[p - 1] >= 0) {
            p--;
        }
        work -= place - p;
        return p > 0 && b[p - 1] == ',' ? p - 1 : p;
    }

    /** Whether a key in quotes with its colon stands here. */
    private boolean isKey(int quote) {
        byte mark = b[quote];
        int most = Math.min(to, quote + LONGEST_KEY);
        int p = quote + 1;
        while (p < most && b[p] != mark && b[p] != '\n') {
            p += b[p] == '\\' ? 2 : 1;
        }
        work -= p - quote;
        return p < most && p > quote + 1 && b[p] == mark && b[blanks(p + 1)] == ':';
    }

    boolean isComment(int p) {
        return b[p] == '#' || b[p] == '/' && (b[p + 1] == '/' || b[p + 1] == '*');
    }

    static boolean isClose(int c) {
        return c == '}' || c == ']' || c == ')';
    }
}
