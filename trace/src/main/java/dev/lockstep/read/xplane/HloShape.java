// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import java.util.List;
import java.util.StringJoiner;

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

    private HloShape() {}

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
                case DIMENSIONS -> packed(c, dimensions);
                case DIMENSION -> dimensions.add(Long.toString(c.varint()));
                case PART -> parts.add(read(c, depth + 1));
                case LAYOUT -> {
                    int around = c.enter();
                    for (int field = c.tag(); field != 0; field = c.tag()) {
                        switch (field) {
                            case ORDER -> packed(c, order);
                            case ORDER_ONE -> order.add(Long.toString(c.varint()));
                            default -> c.skipField(field);
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

    private static void packed(ProtoCursor c, StringJoiner into) throws Damaged {
        int outer = c.enter();
        while (!c.isAtEnd()) {
            into.add(Long.toString(c.varint()));
        }
        c.leave(outer);
    }
}
