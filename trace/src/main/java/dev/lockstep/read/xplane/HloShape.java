// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Types of arrays in the spelling of XLA: {@code bf16[8,128]{1,0}}, and {@code (f32[], s32[4]{0})} for several. */
final class HloShape {
    private static final int ELEMENT = 2 << 3;
    private static final int DIMENSIONS = 3 << 3 | 2;
    private static final int DIMENSION = 3 << 3;
    private static final int PART = 4 << 3 | 2;
    private static final int LAYOUT = 5 << 3 | 2;
    private static final int ORDER = 1 << 3 | 2;
    private static final int ORDER_ONE = 1 << 3;
    private static final int TUPLE = 13;
    private static final int DEEPEST = 32;
    private static final int WIDEST = 128;
    private static final int MOST_DIGITS = 18;
    private static final Pattern BITS = Pattern.compile("^[a-z]{1,2}(\\d{1,2})(?:e\\w*)?");

    /** By number in {@code xla_data.proto}. */
    private static final List<String> ELEMENTS = List.of(
            "invalid",
            "pred",
            "s8",
            "s16",
            "s32",
            "s64",
            "u8",
            "u16",
            "u32",
            "u64",
            "f16",
            "f32",
            "f64",
            "tuple",
            "opaque",
            "c64",
            "bf16",
            "token",
            "c128",
            "f8e5m2",
            "f8e4m3fn",
            "s4",
            "u4",
            "f8e4m3b11fnuz",
            "f8e4m3fnuz",
            "f8e5m2fnuz",
            "s2",
            "u2",
            "f8e4m3",
            "f8e3m4",
            "s1",
            "u1",
            "f4e2m1fn",
            "f8e8m0fnu");

    private static final Pattern ARRAY = Pattern.compile("(?<!\\w)(\\w++)\\[([\\d,]*+)\\]");

    private HloShape() {}

    /** Dimensions of an array in XLA's spelling, of several arrays those of the first; null where there is none. */
    static long @Nullable [] dimensions(String shape) {
        Matcher array = ARRAY.matcher(shape);
        return array.find() ? numbers(array.group(2)) : null;
    }

    /** The first array of a type in XLA's spelling, without its layout; the type as it is where it has none. */
    static String first(String shape) {
        Matcher array = ARRAY.matcher(shape);
        return array.find() ? array.group() : shape;
    }

    /** Bytes of all arrays of a type in XLA's spelling; -1 where they are not known. */
    static long bytes(String shape) {
        Matcher array = ARRAY.matcher(shape);
        long sum = 0;
        while (array.find()) {
            int bits = bits(array.group(1));
            long elements = product(numbers(array.group(2)));
            if (bits < 0 || elements < 0 || elements > Long.MAX_VALUE / (2 * WIDEST)) {
                return -1;
            }
            sum += (elements * bits + Byte.SIZE - 1) / Byte.SIZE;
            if (sum < 0) {
                return -1;
            }
        }
        return sum;
    }

    /** -1 where it does not fit into a long. */
    static long product(long[] numbers) {
        long product = 1;
        for (long number : numbers) {
            if (number < 0 || Math.multiplyHigh(product, number) != 0 || product * number < 0) {
                return -1;
            }
            product *= number;
        }
        return product;
    }

    private static long[] numbers(String list) {
        return list.isEmpty()
                ? new long[0]
                : Arrays.stream(list.split(","))
                        .mapToLong(text -> text.length() > MOST_DIGITS ? -1 : Long.parseLong(text))
                        .toArray();
    }

    /** Bits of an element as its name tells; -1 for what is none. */
    private static int bits(String element) {
        return switch (element) {
            case "pred" -> Byte.SIZE;
            case "token", "opaque" -> 0;
            case "c64" -> Long.SIZE;
            case "c128" -> WIDEST;
            default -> {
                Matcher number = BITS.matcher(element);
                yield number.matches() ? Integer.parseInt(number.group(1)) : -1;
            }
        };
    }

    /** Takes the message that is next. */
    static String read(ProtoCursor c) throws Damaged {
        return read(c, 0);
    }

    private static String read(ProtoCursor c, int depth) throws Damaged {
        int outer = c.enter();
        if (depth > DEEPEST) {
            c.skipRest();
            c.leave(outer);
            return "(...)";
        }
        long element = 0;
        StringJoiner dimensions = new StringJoiner(",", "[", "]");
        StringJoiner parts = new StringJoiner(", ", "(", ")");
        StringJoiner order = new StringJoiner(",", "{", "}").setEmptyValue("");
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            switch (tag) {
                case ELEMENT -> element = c.varint();
                case DIMENSIONS, DIMENSION -> c.numbers(tag, number -> dimensions.add(Long.toString(number)));
                case PART -> parts.add(read(c, depth + 1));
                case LAYOUT -> {
                    int around = c.enter();
                    for (int field = c.tag(); field != 0; field = c.tag()) {
                        if (field == ORDER || field == ORDER_ONE) {
                            c.numbers(field, number -> order.add(Long.toString(number)));
                        } else {
                            c.skipField(field);
                        }
                    }
                    c.leave(around);
                }
                default -> c.skipField(tag);
            }
        }
        c.leave(outer);
        if (element == TUPLE) {
            return parts.toString();
        }
        String name = element >= 0 && element < ELEMENTS.size() ? ELEMENTS.get((int) element) : "type" + element;
        return name + dimensions + order;
    }
}
