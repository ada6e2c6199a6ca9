// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.table.StringPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of JSON text: the inner loop of writers of JSON traces. Nothing is allocated but the array. */
public final class JsonBytes {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final int LONGEST_NUMBER = 32;
    private static final int LARGEST_ESCAPE = 6;
    private static final long EIGHT_DIGITS = 100_000_000;
    /** {@code 2^37 / 100} and {@code 2^38 / 1000}, rounded up: exact for 31 bits. */
    private static final long HUNDREDTH = 0x51EB851FL;

    private static final int HUNDREDTH_SHIFT = 37;
    private static final long THOUSANDTH = 0x10624DD3L;
    private static final int THOUSANDTH_SHIFT = 38;
    private static final short[] PAIRS = new short[100];

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
        }
    }

    private byte[] bytes;
    private int size;

    public JsonBytes(int capacity) {
        bytes = new byte[capacity];
    }

    /** The content lies in its first {@link #size} bytes. */
    public byte[] array() {
        return bytes;
    }

    public int size() {
        return size;
    }

    public void clear() {
        size = 0;
    }

    /** Takes back what was put behind the first so many bytes. */
    public void truncate(int toSize) {
        size = Math.min(size, toSize);
    }

    public void put(byte[] text) {
        put(text, 0, text.length);
    }

    public void put(byte[] text, int from, int to) {
        int length = to - from;
        room(length);
        System.arraycopy(text, from, bytes, size, length);
        size += length;
    }

    public void put(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
    }

    /** Characters of ASCII as they are. */
    public void ascii(String text) {
        ascii(text, 0, text.length());
    }

    /** The characters of ASCII from one place to before another. */
    @SuppressWarnings("deprecation") // right for ASCII, and the one way that makes no copy in between
    public void ascii(String text, int from, int to) {
        room(to - from);
        text.getBytes(from, to, bytes, size);
        size += to - from;
    }

    /** JSON text as it is. */
    public void text(String json) {
        put(json.getBytes(StandardCharsets.UTF_8));
    }

    /** A whole number. */
    public void number(long value) {
        room(LONGEST_NUMBER);
        if (value < 0) {
            bytes[size++] = '-';
            if (value == Long.MIN_VALUE) {
                put(Long.toString(value).getBytes(StandardCharsets.US_ASCII), 1, 20);
                return;
            }
        }
        digits(Math.abs(value));
    }

    /** Nanoseconds as microseconds, exactly, without needless zeros. */
    public void micros(long nanos) {
        room(LONGEST_NUMBER);
        long rest = nanos;
        if (rest < 0) {
            bytes[size++] = '-';
            rest = -rest;
        }
        long whole = rest <= Integer.MAX_VALUE ? rest * THOUSANDTH >>> THOUSANDTH_SHIFT : rest / 1000;
        int fraction = (int) (rest - whole * 1000);
        digits(whole);
        if (fraction == 0) {
            return;
        }
        byte[] b = bytes;
        b[size] = '.';
        int first = hundredth(fraction);
        b[size + 1] = (byte) ('0' + first);
        int low = fraction - first * 100;
        if (low == 0) {
            size += 2;
            return;
        }
        SHORT.set(b, size + 2, PAIRS[low]);
        size += (PAIRS[low] >>> 8) == '0' ? 3 : 4;
    }

    /** A hundredth of a number of up to 31 bits. Dividing by a constant is a real, slow division for the quick compiler. */
    private static int hundredth(int value) {
        return (int) (value * HUNDREDTH >>> HUNDREDTH_SHIFT);
    }

    private void digits(long value) {
        long rest = value;
        if (rest < EIGHT_DIGITS) {
            head((int) rest);
            return;
        }
        long upper = rest / EIGHT_DIGITS;
        int lower = (int) (rest - upper * EIGHT_DIGITS);
        if (upper < EIGHT_DIGITS) {
            head((int) upper);
        } else {
            long top = upper / EIGHT_DIGITS;
            head((int) top);
            eight((int) (upper - top * EIGHT_DIGITS));
        }
        eight(lower);
    }

    /** Up to eight digits, without zeros in front. */
    private void head(int value) {
        byte[] b = bytes;
        int length = value < 10_000
                ? value < 100 ? value < 10 ? 1 : 2 : value < 1000 ? 3 : 4
                : value < 1_000_000 ? value < 100_000 ? 5 : 6 : value < 10_000_000 ? 7 : 8;
        int at = size + length;
        size = at;
        int rest = value;
        while (rest >= 100) {
            int next = hundredth(rest);
            at -= 2;
            SHORT.set(b, at, PAIRS[rest - next * 100]);
            rest = next;
        }
        if (rest >= 10) {
            SHORT.set(b, at - 2, PAIRS[rest]);
        } else {
            b[at - 1] = (byte) ('0' + rest);
        }
    }

    /** Eight digits. */
    private void eight(int value) {
        byte[] b = bytes;
        int rest = value;
        for (int at = size + 6; at >= size; at -= 2) {
            int next = hundredth(rest);
            SHORT.set(b, at, PAIRS[rest - next * 100]);
            rest = next;
        }
        size += 8;
    }

    /** A text of the pool in quotes. Texts of the pool are well-formed UTF-8; what JSON wants escaped is escaped. */
    public void quoted(StringPool pool, int id, byte[] prefix) {
        int length = pool.length(id);
        room(length + prefix.length + 2 + Long.BYTES);
        bytes[size++] = '"';
        System.arraycopy(prefix, 0, bytes, size, prefix.length);
        size += prefix.length;
        int from = size;
        int to = pool.copy(id, bytes, from);
        size = to;
        int special = special(from, to);
        if (special >= 0) {
            byte[] rest = Arrays.copyOfRange(bytes, special, to);
            size = special;
            escape(rest);
        }
        put('"');
    }

    /** A text in quotes. */
    public void quoted(String text) {
        put('"');
        escape(text.getBytes(StandardCharsets.UTF_8));
        put('"');
    }

    /** The first byte that must be escaped, or -1. */
    private int special(int from, int to) {
        byte[] b = bytes;
        int p = from;
        for (; p + Long.BYTES <= to; p += Long.BYTES) {
            long w = (long) LONG.get(b, p);
            long q = w ^ ONES * '"';
            long s = w ^ ONES * '\\';
            if (((q - ONES & ~q | s - ONES & ~s | w - ONES * ' ' & ~w) & HIGHS) != 0) {
                break;
            }
        }
        for (; p < to; p++) {
            if (b[p] == '"' || b[p] == '\\' || b[p] >= 0 && b[p] < ' ') {
                return p;
            }
        }
        return -1;
    }

    private void escape(byte[] text) {
        room(text.length * LARGEST_ESCAPE);
        for (byte c : text) {
            if (c == '"' || c == '\\') {
                bytes[size++] = '\\';
                bytes[size++] = c;
            } else if (c >= 0 && c < ' ') {
                put(new byte[] {
                    '\\', 'u', '0', '0', (byte) Character.forDigit(c >> 4, 16), (byte) Character.forDigit(c & 0xF, 16)
                });
            } else {
                bytes[size++] = c;
            }
        }
    }

    private void room(int length) {
        if (size + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + length));
        }
    }
}
