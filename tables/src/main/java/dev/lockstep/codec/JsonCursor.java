// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A position in a block of JSON text, and the moves a trace reader makes over it. It allocates nothing, never recurses
 * and never looks at a value twice.
 *
 * <p><b>The block.</b> Bytes {@code [pos, limit)} of the array are text; at least {@link #SLACK} further bytes of the
 * array must be zero. A zero byte ends every inner loop, so the loops need no bounds checks.
 *
 * <p><b>Failure.</b> A move that meets the limit throws {@link Stop#INCOMPLETE}: the caller gets more text and tries
 * again from where the value began. A move that meets something JSON does not allow there throws {@link Stop#MALFORMED}
 * after setting {@link #failedAt} and {@link #expected}. What can be read although it is not quite JSON (control
 * characters in strings, invalid UTF-8, unknown escapes, NaN, numbers such as 007) is read, and noted in {@link #notes}.
 */
public final class JsonCursor {
    /** The latest moment and the longest duration that a trace can hold, in ns: sums and differences of two fit into a long. */
    public static final long LATEST_NS = 1L << 62;

    /** Zero bytes that must follow the text in the array. */
    public static final int SLACK = 64;

    /** Deviations that do not stop the cursor, as bits of {@link #notes}. */
    public static final int CONTROL_CHARACTER = 1;

    public static final int INVALID_UTF8 = 1 << 1;
    public static final int INVALID_ESCAPE = 1 << 2;
    public static final int INVALID_NUMBER = 1 << 3;
    public static final int BARE_QUOTE = 1 << 4;
    public static final int LONE_SURROGATE = 1 << 5;

    /** Thrown without a stack trace; see the class comment. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // without stack traces there is nothing to share wrongly
    public static final class Stop extends Exception {
        private static final long serialVersionUID = 1;

        public static final Stop INCOMPLETE = new Stop("incomplete");
        public static final Stop MALFORMED = new Stop("malformed");

        private Stop(String message) {
            super(message, null, false, false);
        }
    }

    /** The value is no number that fits; see {@link #nanoseconds()}. */
    public static final long NOT_A_NUMBER = Long.MIN_VALUE;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long UPPER_HALVES = 0xF0F0F0F0F0F0F0F0L;
    private static final long QUOTES = ONES * '"';
    private static final long BACKSLASHES = ONES * '\\';
    private static final long SPACES = ONES * ' ';
    private static final long NANOS_PER_MICRO = 1000;
    private static final int NANOS_DIGITS = 3;

    public byte[] buffer = new byte[SLACK];
    public int pos;
    public int limit;

    /** After {@link #string()}: first byte of the content, and the byte behind its last. */
    public int start;

    public int end;
    /** After {@link #string()}: the content must be decoded, its bytes are not its text. */
    public boolean encoded;
    /** Deviations met so far; the caller clears it. */
    public int notes;
    /** First byte of the most recent deviation. */
    public int notedAt;

    public int failedAt;
    public String expected = "";
    /** Whether a quote ends a string only where a value may end: reads text whose inner quotes were not escaped. */
    public boolean lenient;

    private long[] nesting = new long[4];

    /** Points the cursor at a block. */
    public void set(byte[] block, int from, int to) {
        buffer = block;
        pos = from;
        limit = to;
    }

    /** Eight bytes from the place, least significant first. */
    public static long word(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /**
     * The number of the first byte whose highest bit is set, where no other bits are. The quick compiler turns this into a
     * few operations, but a call of {@link Long#numberOfTrailingZeros} into dozens.
     */
    private static int firstByte(long highBits) {
        return (int) ((highBits - 1 & ~highBits & ONES) * ONES >>> 56) - 1;
    }

    private static boolean isEightDigits(long word) {
        return (word & UPPER_HALVES | (word + ONES * 6 & UPPER_HALVES) >>> 4) == ONES * 0x33;
    }

    /** The number that eight digits write: neighbours are joined, then pairs of these, then both halves. */
    private static long eightDigits(long word) {
        long digits = word - ONES * '0';
        long pairs = digits * 10 + (digits >>> 8);
        long low = (pairs & 0xFF000000FFL) * 0xF424000000064L;
        long high = (pairs >>> 16 & 0xFF000000FFL) * 0x271000000001L;
        return low + high >>> 32;
    }

    /** The highest bit of each byte that is not zero. */
    private static long highBits(long word) {
        return ((word & ~HIGHS) + ~HIGHS | word) & HIGHS;
    }

    /** Skips white space and says which byte is next, without taking it; 0 may mean the limit. */
    public int peek() {
        byte[] b = buffer;
        int p = pos;
        int c = b[p];
        if (c > ' ') {
            return c;
        }
        if (c == ' ') {
            c = b[p + 1];
            if (c > ' ') {
                pos = p + 1;
                return c;
            }
        }
        return skipSpace(p);
    }

    private int skipSpace(int from) {
        byte[] b = buffer;
        int p = from;
        int c = b[p];
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            long w = word(b, p) ^ SPACES;
            if (c == ' ' && w == 0) {
                p += Long.BYTES;
            } else if (c == ' ') {
                p += firstByte(highBits(w));
            } else {
                p++;
            }
            c = b[p];
        }
        pos = p;
        return c;
    }

    /** Takes the byte, which white space may precede. */
    public void take(int wanted, String what) throws Stop {
        if (buffer[pos] == wanted || peek() == wanted) {
            pos++;
            return;
        }
        throw malformed(pos, what);
    }

    /** Takes a string; the quote is next. Sets {@link #start}, {@link #end} and {@link #encoded}. */
    public void string() throws Stop {
        byte[] b = buffer;
        int p = pos + 1;
        start = p;
        encoded = false;
        while (true) {
            long w = word(b, p);
            long q = w ^ QUOTES;
            long s = w ^ BACKSLASHES;
            long hit = ((q - ONES & ~q) | (s - ONES & ~s) | (w - SPACES & ~w) | w) & HIGHS;
            if (hit == 0) {
                p += 8;
                continue;
            }
            p += firstByte(hit);
            int c = b[p];
            if (c == '"' && (!lenient || endsHere(p))) {
                end = p;
                pos = p + 1;
                if (p >= limit) {
                    throw Stop.INCOMPLETE;
                }
                return;
            }
            p = special(p, c);
        }
    }

    /** Takes one value of any kind; returns the place of its first byte. */
    public int skip() throws Stop {
        int c = peek();
        int first = pos;
        if (c == '"') {
            string();
            return first;
        }
        if (c != '{' && c != '[') {
            scalar(c);
            return first;
        }
        if (c == '[') {
            int behind = behindPlainList(first);
            pos = behind < 0 ? first : behind;
            if (behind >= 0) {
                return first;
            }
        }
        return skipNested(c, first);
    }

    /**
     * The place behind a list of whole numbers, strings and lists of them, as shapes and types are; -1 for everything else,
     * what is damaged or does not end here included.
     */
    private int behindPlainList(int bracket) throws Stop {
        byte[] b = buffer;
        int p = bracket;
        int depth = 0;
        int c = '[';
        while (true) {
            if (c == '[') {
                depth++;
                c = b[++p];
                if (c != ']') {
                    continue;
                }
            } else if (c == '"') {
                pos = p;
                string();
                p = pos;
                c = b[p];
            } else {
                int digits = p;
                while (c >= '0' && c <= '9') {
                    c = b[++p];
                }
                if (p == digits || b[digits] == '0' && p > digits + 1) {
                    return -1;
                }
            }
            while (c == ']') {
                c = b[++p];
                if (--depth == 0) {
                    return p < limit ? p : -1;
                }
            }
            if (c != ',') {
                return -1;
            }
            c = b[++p];
            if (c == ' ') {
                c = b[++p];
            }
        }
    }

    private int skipNested(int firstByte, int first) throws Stop {
        int c = firstByte;
        int depth = 0;
        while (true) {
            boolean value = true;
            switch (c) {
                case '"' -> string();
                case '{', '[' -> {
                    depth = push(depth, c == '{');
                    pos++;
                    c = peek();
                    if (c == '}' || c == ']') {
                        depth = pop(depth, c);
                    } else {
                        if (isObject(depth)) {
                            key(c);
                            c = peek();
                        }
                        value = false;
                    }
                }
                default -> scalar(c);
            }
            if (!value) {
                continue;
            }
            while (true) {
                if (depth == 0) {
                    return first;
                }
                c = peek();
                if (c == ',') {
                    pos++;
                    c = peek();
                    if (isObject(depth)) {
                        key(c);
                        c = peek();
                    }
                    break;
                }
                if (c != '}' && c != ']') {
                    throw malformed(pos, isObject(depth) ? "',' or '}' after a value" : "',' or ']' after a value");
                }
                depth = pop(depth, c);
            }
        }
    }

    /**
     * Takes a number of microseconds, plain or as text, with any number of decimals or an exponent, as nanoseconds;
     * what lies beyond the nanosecond is rounded half up. {@link #NOT_A_NUMBER} for anything else that could be
     * skipped, and for what does not fit into 62 bits.
     */
    public long nanoseconds() throws Stop {
        int c = peek();
        byte[] b = buffer;
        int p = pos;
        boolean quoted = c == '"';
        if (quoted) {
            c = b[++p];
        }
        boolean negative = c == '-';
        if (negative) {
            c = b[++p];
        }
        int firstDigit = p;
        long value = 0;
        long w = word(b, p);
        if (isEightDigits(w)) {
            value = eightDigits(w);
            p += Long.BYTES;
            c = b[p];
        }
        while (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            c = b[++p];
        }
        int digits = p - firstDigit;
        boolean zeroInFront = digits > 1 && b[firstDigit] == '0';
        if (digits == 0 || digits > 16 || zeroInFront) {
            return slowNanoseconds();
        }
        if (c == '.') {
            int point = p;
            int decimals = 0;
            c = b[++p];
            while (c >= '0' && c <= '9' && decimals < NANOS_DIGITS) {
                value = value * 10 + (c - '0');
                decimals++;
                c = b[++p];
            }
            if (p == point + 1) {
                return slowNanoseconds();
            }
            long scale = decimals == NANOS_DIGITS ? 1 : decimals == 2 ? 10 : 100;
            value *= scale;
        } else {
            value *= NANOS_PER_MICRO;
        }
        if (quoted) {
            if (c != '"') {
                return slowNanoseconds();
            }
            p++;
        } else if (c >= '0' && c <= '9' || c == 'e' || c == 'E' || c == '.') {
            return slowNanoseconds();
        }
        if (value < 0 || value > LATEST_NS) {
            return slowNanoseconds();
        }
        if (p >= limit) {
            throw Stop.INCOMPLETE;
        }
        pos = p;
        return negative ? -value : value;
    }

    /**
     * Takes an integer, plain or as text, decimal or {@code 0x} hexadecimal; values up to 2^64-1 wrap into a signed
     * long. {@link #NOT_A_NUMBER} for anything else that could be skipped.
     */
    public long integer() throws Stop {
        int c = peek();
        byte[] b = buffer;
        int p = pos;
        boolean negative = c == '-';
        if (negative) {
            c = b[++p];
        }
        int firstDigit = p;
        long value = 0;
        while (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            c = b[++p];
        }
        int digits = p - firstDigit;
        boolean zeroInFront = digits > 1 && b[firstDigit] == '0';
        if (digits == 0 || digits > 18 || zeroInFront || c == '.' || c == 'e' || c == 'E') {
            return slowInteger();
        }
        if (p >= limit) {
            throw Stop.INCOMPLETE;
        }
        pos = p;
        return negative ? -value : value;
    }

    /** Takes a number, plain or as text; NaN for anything else that could be skipped. */
    public double real() throws Stop {
        String text = scalarText();
        if (text.isEmpty()) {
            return Double.NaN;
        }
        return isNumber(text) ? Double.parseDouble(text) : Double.NaN;
    }

    /** Takes an id: an {@link #integer} as it is, any other value as a number that equal texts share. */
    public long identifier() throws Stop {
        peek();
        int first = pos;
        long number = integer();
        if (number != NOT_A_NUMBER) {
            return number;
        }
        long hash = 0xCBF29CE484222325L;
        for (int p = first; p < pos; p++) {
            hash = (hash ^ buffer[p]) * 0x100000001B3L;
        }
        return hash;
    }

    /** The content of the string last taken, decoded. */
    public String text() {
        return JsonText.decode(buffer, start, end);
    }

    private long slowNanoseconds() throws Stop {
        String text = scalarText();
        if (text.isEmpty()) {
            return NOT_A_NUMBER;
        }
        return Decimals.toScaledLong(text, 3);
    }

    private long slowInteger() throws Stop {
        String text = scalarText();
        if (text.isEmpty()) {
            return NOT_A_NUMBER;
        }
        return Decimals.toUnsignedLong(text);
    }

    /** Takes any value; its text when it is a number or a string of at most 400 characters, else nothing. */
    private String scalarText() throws Stop {
        int c = peek();
        int first = skip();
        int length = pos - first;
        if (length > 400 || c == '{' || c == '[') {
            return "";
        }
        return c == '"' ? text().strip() : JsonText.decode(buffer, first, pos);
    }

    /**
     * Goes to the next member of an object: takes the comma before it, or the closing brace.
     *
     * @param first whether no member was taken yet; the opening brace was
     * @return whether there is a member; its key is next
     */
    public boolean member(boolean first) throws Stop {
        if (peek() == '}') {
            pos++;
            return false;
        }
        if (!first) {
            take(',', "',' or '}' after a value");
            peek();
        }
        return true;
    }

    /** Takes a key and its colon; {@link #start}, {@link #end} and {@link #encoded} are of the key. */
    public void key() throws Stop {
        key(peek());
    }

    private void key(int c) throws Stop {
        if (c != '"') {
            throw malformed(pos, "a key in quotes");
        }
        string();
        take(':', "':' after a key");
    }

    /** Takes a number, true, false, null, or one of the words that are written by mistake: NaN, Infinity. */
    private void scalar(int c) throws Stop {
        byte[] b = buffer;
        int p = pos;
        if (c == '-' || c >= '0' && c <= '9') {
            int from = p;
            do {
                c = b[++p];
            } while (c >= '0' && c <= '9');
            int behindDigits = p;
            while (c >= '0' && c <= '9' || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-') {
                c = b[++p];
            }
            if (c == 'I' && p == from + 1) {
                pos = p;
                word("Infinity");
                note(INVALID_NUMBER, from);
                return;
            }
            if (p >= limit) {
                throw Stop.INCOMPLETE;
            }
            if (p == from + 1 && b[from] == '-') {
                throw malformed(from, "a number");
            }
            boolean plain = p == behindDigits && b[from] != '0' && b[from] != '-';
            if (!plain && !isNumber(b, from, p)) {
                note(INVALID_NUMBER, from);
            }
            pos = p;
            return;
        }
        switch (c) {
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> {
                if (b[p + 1] == 'a') {
                    note(INVALID_NUMBER, p);
                    word("nan");
                } else {
                    word("null");
                }
            }
            case 'N' -> {
                note(INVALID_NUMBER, p);
                word("NaN");
            }
            case 'I' -> {
                note(INVALID_NUMBER, p);
                word("Infinity");
            }
            case 'i' -> {
                note(INVALID_NUMBER, p);
                word("inf");
            }
            default -> throw malformed(p, "a value");
        }
    }

    /** Whether a text is a number as JSON spells it. */
    public static boolean isNumber(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return isNumber(bytes, 0, bytes.length);
    }

    private static boolean isNumber(byte[] bytes, int from, int to) {
        int whole = from < to && bytes[from] == '-' ? from + 1 : from;
        int p = behindDigits(bytes, whole, to);
        if (p == whole || bytes[whole] == '0' && p > whole + 1) {
            return false;
        }
        if (p < to && bytes[p] == '.') {
            int fraction = p + 1;
            p = behindDigits(bytes, fraction, to);
            if (p == fraction) {
                return false;
            }
        }
        if (p < to && (bytes[p] == 'e' || bytes[p] == 'E')) {
            int sign = p + 1;
            int exponent = sign < to && (bytes[sign] == '+' || bytes[sign] == '-') ? sign + 1 : sign;
            p = behindDigits(bytes, exponent, to);
            return p > exponent && p == to;
        }
        return p == to;
    }

    private static int behindDigits(byte[] bytes, int from, int to) {
        int p = from;
        while (p < to && bytes[p] >= '0' && bytes[p] <= '9') {
            p++;
        }
        return p;
    }

    private void word(String word) throws Stop {
        int p = pos;
        for (int i = 0; i < word.length(); i++) {
            if (buffer[p + i] != word.charAt(i)) {
                throw malformed(p + i, "a value");
            }
        }
        pos = p + word.length();
        if (pos >= limit) {
            throw Stop.INCOMPLETE;
        }
    }

    /** Handles the byte that stopped the fast loop of {@link #string()}; returns where to go on. */
    private int special(int p, int c) throws Stop {
        if (p >= limit) {
            throw Stop.INCOMPLETE;
        }
        if (c == '"') {
            note(BARE_QUOTE, p);
            encoded = true;
            return p + 1;
        }
        encoded = true;
        if (c == '\\') {
            return escape(p);
        }
        if (c >= 0) {
            note(CONTROL_CHARACTER, p);
            return p + 1;
        }
        int length = JsonText.utf8Length(buffer, p, limit);
        if (length > 0) {
            return p + length;
        }
        int behind = p + 1;
        while (behind < limit && buffer[behind] < 0) {
            behind++;
        }
        if (behind == limit && behind - p < 4) {
            throw Stop.INCOMPLETE;
        }
        note(INVALID_UTF8, p);
        return p + 1;
    }

    private int escape(int p) throws Stop {
        if (p + 1 >= limit) {
            throw Stop.INCOMPLETE;
        }
        switch (buffer[p + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> {
                return p + 2;
            }
            case 'u' -> {
                int unit = JsonText.hex4(buffer, p + 2);
                if (unit == 0) {
                    note(CONTROL_CHARACTER, p);
                }
                if (unit >= 0) {
                    return unit >>> 11 == 0xD800 >>> 11 ? surrogate(p, unit) : p + 6;
                }
                if (p + 6 > limit && Character.digit(buffer[limit - 1], 16) >= 0 || p + 2 == limit) {
                    throw Stop.INCOMPLETE;
                }
                note(INVALID_ESCAPE, p);
                return p + 2;
            }
            default -> {
                note(INVALID_ESCAPE, p);
                return p + 1;
            }
        }
    }

    private int surrogate(int p, int unit) throws Stop {
        if (p + 12 > limit && (p + 6 >= limit || buffer[p + 6] == '\\')) {
            throw Stop.INCOMPLETE;
        }
        boolean low =
                buffer[p + 6] == '\\' && buffer[p + 7] == 'u' && JsonText.hex4(buffer, p + 8) >>> 10 == 0xDC00 >>> 10;
        if (unit >>> 10 == 0xD800 >>> 10 && low) {
            return p + 12;
        }
        note(LONE_SURROGATE, p);
        return p + 6;
    }

    /** Whether a quote at this place can be the end of a string: a value or key ends where one of {@code , : } ]} follows. */
    private boolean endsHere(int quote) throws Stop {
        int p = quote + 1;
        int c = buffer[p];
        while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            c = buffer[++p];
        }
        if (p >= limit) {
            throw Stop.INCOMPLETE;
        }
        return c == ',' || c == ':' || c == '}' || c == ']';
    }

    private int push(int depth, boolean object) {
        int word = depth >>> 6;
        if (word == nesting.length) {
            nesting = Arrays.copyOf(nesting, word * 2);
        }
        long bit = 1L << depth;
        nesting[word] = object ? nesting[word] | bit : nesting[word] & ~bit;
        return depth + 1;
    }

    private boolean isObject(int depth) {
        return (nesting[depth - 1 >>> 6] >>> depth - 1 & 1) != 0;
    }

    private int pop(int depth, int c) throws Stop {
        if (isObject(depth) != (c == '}')) {
            throw malformed(pos, isObject(depth) ? "'}'" : "']'");
        }
        pos++;
        return depth - 1;
    }

    private void note(int what, int at) {
        if (at < limit) {
            if ((notes & what) == 0) {
                notedAt = at;
            }
            notes |= what;
        }
    }

    /** The exception for something unexpected; for the limit, the one that asks for more text. */
    public Stop malformed(int at, String what) {
        if (at >= limit) {
            return Stop.INCOMPLETE;
        }
        failedAt = at;
        expected = what;
        return Stop.MALFORMED;
    }
}
