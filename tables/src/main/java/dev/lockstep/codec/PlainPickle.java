// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pickle (protocols 0 to 5) that holds plain data: numbers, texts, bytes, None, truth values, lists, tuples,
 * dictionaries, sets. A pickle is a program; every instruction that could name or call anything is refused with its place,
 * whether what it makes is used or not. Time and memory are linear in the size of the file.
 *
 * <p>Values are {@link Long}, {@link Double}, {@link Boolean}, {@link String}, {@link List} (of lists, tuples and sets),
 * {@link Map}, and {@link Other} for what is none of these.
 */
public final class PlainPickle {
    /** Values that are only passed by. */
    public enum Other {
        /** {@code None}. */
        NONE,
        /** What is no text. */
        BYTES,
        /** A whole number beyond 64 bits. */
        LARGE_NUMBER
    }

    private static final int LAST_PROTOCOL = 5;
    private static final int MOST_DIGITS = 4300;
    private static final int BYTES_OF_LONG = 8;
    private static final long BYTES_PER_VALUE = 64;
    private static final long BYTES_PER_MEMBER = 64;
    private static final String OPCODES_REFUSED =
            "c GLOBAL|\u0093 STACK_GLOBAL|R REDUCE|b BUILD|i INST|o OBJ|\u0081 NEWOBJ|\u0092 NEWOBJ_EX|\u0082"
                    + " EXT1|\u0083 EXT2|\u0084 EXT4|P PERSID|Q BINPERSID|2 DUP|\u0096 BYTEARRAY8|\u0097"
                    + " NEXT_BUFFER|\u0098 READONLY_BUFFER";

    private final PickleBytes in;
    private final @Nullable Taker taker;
    private Object[] stack = new Object[64];
    private int size;
    private int[] marks = new int[16];
    private int markCount;
    private final List<Object> memo = new ArrayList<>();
    private final Map<Long, Object> farMemo = new HashMap<>();
    private final long mostBytes;
    private long bytes;
    private long frameEnd;

    /** Takes dictionaries while they are made, so that they need not be kept. */
    public interface Taker {
        /**
         * Looks at a dictionary that is about to get its members.
         *
         * @param members keys and values in turn
         * @param from the place of the first key
         * @param to behind the last value
         * @return what stands in place of the dictionary; null where it is kept
         */
        @Nullable
        Object take(Object[] members, int from, int to);
    }

    private PlainPickle(PickleBytes in, long mostBytes, @Nullable Taker taker) {
        this.in = in;
        this.mostBytes = mostBytes;
        this.taker = taker;
    }

    /** The value that the pickle makes, to the end of the file; it may take half of the heap. */
    public static Object read(PickleBytes in) throws IOException {
        return new PlainPickle(in, Runtime.getRuntime().maxMemory() / 2, null).run();
    }

    /**
     * As {@link #read(PickleBytes)}, where dictionaries may be taken away.
     *
     * @param mostBytes what all values may take
     * @param taker looks at dictionaries that get all members at once, as soon as they do
     */
    public static Object read(PickleBytes in, long mostBytes, Taker taker) throws IOException {
        return new PlainPickle(in, mostBytes, taker).run();
    }

    private Object run() throws IOException {
        while (true) {
            long at = in.position();
            int opcode = in.next();
            if (opcode == '.') {
                Object value = pop(at);
                if (at + 1 < frameEnd) {
                    throw in.refused(at, "the pickle ends inside a frame");
                }
                if (size > 0 || markCount > 0) {
                    throw in.refused(at, "the pickle ends with more than one value");
                }
                if (!in.isAtEnd()) {
                    throw in.refused(in.position(), "expected the end of the file behind the pickle");
                }
                return value;
            }
            step(opcode, at);
        }
    }

    private void step(int opcode, long at) throws IOException {
        switch (opcode) {
            case '(' -> mark(at);
            case '0' -> {
                if (markCount > 0 && marks[markCount - 1] == size) {
                    markCount--;
                } else {
                    pop(at);
                }
            }
            case '1' -> sinceMark(at);
            case 'N' -> push(Other.NONE);
            case 0x88 -> push(true);
            case 0x89 -> push(false);
            case 0x80 -> {
                int protocol = in.next();
                if (protocol > LAST_PROTOCOL) {
                    throw in.refused(at, "protocol " + protocol + " of pickles, expected at most " + LAST_PROTOCOL);
                }
            }
            case 0x95 -> {
                long length = in.number(BYTES_OF_LONG);
                if (at < frameEnd || length < 0) {
                    throw in.refused(at, "a frame of pickles that cannot be");
                }
                frameEnd = in.position() + length;
            }
            case 'I', 'L', 'F', 'J', 'K', 'M', 'G', 0x8A, 0x8B -> push(number(opcode, at));
            case 'S', 'V', 'U', 'T', 'X', 0x8C, 0x8D -> push(text(opcode, at));
            case 'C', 'B', 0x8E -> {
                in.take(in.number(opcode == 'C' ? 1 : opcode == 'B' ? 4 : BYTES_OF_LONG));
                push(Other.BYTES);
            }
            case 'p', 'q', 'r', 0x94, 'g', 'h', 'j' -> memo(opcode, at);
            default -> container(opcode, at);
        }
    }

    private void container(int opcode, long at) throws IOException {
        switch (opcode) {
            case ']', ')', 0x8F -> push(new ArrayList<>(0));
            case '}' -> push(new LinkedHashMap<>(8));
            case 'l', 't', 0x91 -> push(sinceMark(at));
            case 0x85, 0x86, 0x87 -> {
                List<Object> tuple = new ArrayList<>(3);
                for (int i = opcode - 0x85; i >= 0; i--) {
                    tuple.addFirst(pop(at));
                }
                push(tuple);
            }
            case 'd' -> {
                Object[] members = sinceMark(at).toArray();
                Map<Object, Object> map = new LinkedHashMap<>();
                put(map, members, 0, members.length, at);
                push(map);
            }
            case 'a' -> {
                Object value = pop(at);
                count(BYTES_PER_VALUE, at);
                list(at).add(value);
            }
            case 'e', 0x90 -> {
                List<Object> values = sinceMark(at);
                count(BYTES_PER_VALUE * values.size(), at);
                list(at).addAll(values);
            }
            case 's' -> {
                Object value = pop(at);
                Object key = pop(at);
                put(map(at), new Object[] {key, value}, 0, 2, at);
            }
            case 'u' -> setMembers(at);
            default -> throw refused(opcode, at);
        }
    }

    private TraceFormatException refused(int opcode, long at) {
        for (String known : OPCODES_REFUSED.split("\\|")) {
            if (known.charAt(0) == opcode) {
                return in.refused(
                        at, "the pickle holds the instruction " + known.substring(2) + "; only plain data is read");
            }
        }
        return in.refused(at, "byte 0x" + Integer.toHexString(opcode) + " is no instruction of a pickle");
    }

    private void count(long more, long at) throws TraceFormatException {
        bytes += more;
        if (bytes > mostBytes) {
            throw in.refused(
                    at,
                    "the pickle takes more than " + (mostBytes >> 20) + " MiB; LOCKSTEP_HEAP, as in 8g, gives more");
        }
    }

    private void push(Object value) throws TraceFormatException {
        bytes += BYTES_PER_VALUE;
        if (size == stack.length) {
            count((long) Long.BYTES * size, in.position());
            stack = Arrays.copyOf(stack, 2 * size);
        }
        stack[size++] = value;
        if (bytes > mostBytes) {
            count(0, in.position());
        }
    }

    /** Gives the dictionary below the last mark the members above it. */
    private void setMembers(long at) throws TraceFormatException {
        if (markCount == 0) {
            throw in.refused(at, "an instruction takes values up to a mark that is not there");
        }
        int from = marks[--markCount];
        int to = size;
        size = from;
        Map<Object, Object> map = map(at);
        Object taken = taker == null || !map.isEmpty() || (to - from) % 2 != 0 ? null : taker.take(stack, from, to);
        if (taken == null) {
            put(map, stack, from, to, at);
        } else {
            stack[size - 1] = taken;
        }
        Arrays.fill(stack, from, to, null);
    }

    private void mark(long at) throws TraceFormatException {
        if (markCount == marks.length) {
            count((long) Integer.BYTES * markCount, at);
            marks = Arrays.copyOf(marks, 2 * markCount);
        }
        marks[markCount++] = size;
    }

    private int floor() {
        return markCount == 0 ? 0 : marks[markCount - 1];
    }

    private Object pop(long at) throws TraceFormatException {
        Object value = top(at);
        stack[--size] = null;
        return value;
    }

    private Object top(long at) throws TraceFormatException {
        if (size <= floor()) {
            throw in.refused(at, "an instruction takes a value that is not there");
        }
        return stack[size - 1];
    }

    private List<Object> sinceMark(long at) throws TraceFormatException {
        if (markCount == 0) {
            throw in.refused(at, "an instruction takes values up to a mark that is not there");
        }
        int from = marks[--markCount];
        List<Object> values = new ArrayList<>(size - from);
        for (int i = from; i < size; i++) {
            values.add(stack[i]);
        }
        Arrays.fill(stack, from, size, null);
        size = from;
        return values;
    }

    @SuppressWarnings("unchecked")
    private Collection<Object> list(long at) throws TraceFormatException {
        if (top(at) instanceof List<?> list) {
            return (Collection<Object>) list;
        }
        throw in.refused(at, "a value is added to what is no list");
    }

    @SuppressWarnings("unchecked")
    private Map<Object, Object> map(long at) throws TraceFormatException {
        if (top(at) instanceof Map<?, ?> map) {
            return (Map<Object, Object>) map;
        }
        throw in.refused(at, "a member is set in what is no dictionary");
    }

    private void put(Map<Object, Object> map, Object[] members, int from, int to, long at) throws TraceFormatException {
        if ((to - from) % 2 != 0) {
            throw in.refused(at, "a key without a value");
        }
        count(BYTES_PER_MEMBER * (to - from), at);
        for (int i = from; i < to; i += 2) {
            Object key = members[i];
            if (key instanceof Map || key instanceof List) {
                throw in.refused(at, "a key that is no text or number");
            }
            map.put(key, members[i + 1]);
        }
    }

    private void memo(int opcode, long at) throws IOException {
        boolean gets = opcode == 'g' || opcode == 'h' || opcode == 'j';
        long index = switch (opcode) {
            case 'p', 'g' -> integer(in.line(), at) instanceof Long number ? number : -1;
            case 'q', 'h' -> in.number(1);
            case 'r', 'j' -> in.number(4);
            default -> (long) memo.size() + farMemo.size();
        };
        if (gets) {
            Object value = index >= 0 && index < memo.size() ? memo.get((int) index) : farMemo.get(index);
            if (value == null) {
                throw in.refused(at, "a value is taken from place " + index + " of the memo, which has none");
            }
            push(value);
            return;
        }
        if (index < 0) {
            throw in.refused(at, "no place of the memo");
        }
        count(BYTES_PER_VALUE, at);
        Object value = top(at);
        if (index < memo.size()) {
            memo.set((int) index, value);
        } else if (index == memo.size()) {
            memo.add(value);
            farMemo.remove(index);
        } else {
            farMemo.put(index, value);
        }
    }

    private Object number(int opcode, long at) throws IOException {
        return switch (opcode) {
            case 'J' -> (long) (int) in.number(4);
            case 'K' -> (long) in.next();
            case 'M' -> in.number(2);
            case 'G' -> Double.longBitsToDouble(Long.reverseBytes(in.number(BYTES_OF_LONG)));
            case 0x8A -> large(in.next());
            case 0x8B -> {
                int length = (int) in.number(4);
                yield large(length);
            }
            case 'F' -> real(in.line(), at);
            default -> {
                byte[] line = in.line();
                if (opcode == 'I' && line.length == 2 && line[0] == '0') {
                    yield line[1] == '1';
                }
                boolean suffixed = opcode == 'L' && line.length > 0 && line[line.length - 1] == 'L';
                yield integer(suffixed ? Arrays.copyOf(line, line.length - 1) : line, at);
            }
        };
    }

    /** A number of so many bytes in two's complement. */
    private Object large(long length) throws IOException {
        byte[] value = in.take(length);
        if (value.length == 0) {
            return 0L;
        }
        byte sign = (byte) (value[value.length - 1] >> 7);
        long number = sign;
        for (int i = value.length - 1; i >= 0; i--) {
            if (i >= BYTES_OF_LONG && value[i] != sign || i == BYTES_OF_LONG - 1 && value[i] >> 7 != sign) {
                return Other.LARGE_NUMBER;
            }
            number = number << 8 | value[i] & 0xFF;
        }
        return number;
    }

    private Object integer(byte[] line, long at) throws TraceFormatException {
        int from = line.length > 0 && (line[0] == '-' || line[0] == '+') ? 1 : 0;
        if (line.length == from || line.length > MOST_DIGITS) {
            throw in.refused(at, "expected a number of at most " + MOST_DIGITS + " digits");
        }
        for (int i = from; i < line.length; i++) {
            if (line[i] < '0' || line[i] > '9') {
                throw in.refused(at, "expected a whole number");
            }
        }
        try {
            return Long.valueOf(new String(line, StandardCharsets.ISO_8859_1));
        } catch (NumberFormatException e) {
            return Other.LARGE_NUMBER;
        }
    }

    private Object real(byte[] line, long at) throws TraceFormatException {
        try {
            return Double.valueOf(new String(line, StandardCharsets.ISO_8859_1)
                    .replace("inf", "Infinity")
                    .replace("nan", "NaN"));
        } catch (NumberFormatException e) {
            throw in.refused(at, "expected a number");
        }
    }

    private String text(int opcode, long at) throws IOException {
        String text = switch (opcode) {
            case 'U', 'T' ->
                new String(in.take(opcode == 'U' ? in.number(1) : (int) in.number(4)), StandardCharsets.ISO_8859_1);
            case 'X' -> new String(in.take(in.number(4)), StandardCharsets.UTF_8);
            case 0x8C -> new String(in.take(in.number(1)), StandardCharsets.UTF_8);
            case 0x8D -> new String(in.take(in.number(BYTES_OF_LONG)), StandardCharsets.UTF_8);
            case 'V' -> PickleEscapes.unicode(new String(in.line(), StandardCharsets.ISO_8859_1));
            default -> {
                String quoted = new String(in.line(), StandardCharsets.ISO_8859_1).strip();
                int end = quoted.length() - 1;
                if (end < 1 || quoted.charAt(0) != quoted.charAt(end) || "'\"".indexOf(quoted.charAt(0)) < 0) {
                    throw in.refused(at, "expected a text in quotes");
                }
                yield PickleEscapes.bytes(quoted.substring(1, end));
            }
        };
        count(2L * text.length(), at);
        return text;
    }
}
