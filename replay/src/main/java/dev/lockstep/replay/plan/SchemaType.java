// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import org.jspecify.annotations.Nullable;

/**
 * The type of an argument as operators' schemas spell it.
 *
 * @param base of a single value; of lists, that of their elements
 * @param optional whether it may be absent
 * @param element the type of a list's elements; null when it is no list
 * @param fixed whether the list has a fixed length, so that one value can stand for all
 */
public record SchemaType(
        Base base, boolean optional, @Nullable SchemaType element, boolean fixed) {
    /** Kinds of values. */
    public enum Base {
        TENSOR,
        INT,
        FLOAT,
        BOOL,
        SCALAR,
        TEXT,
        DEVICE,
        /** Types of elements, layouts and formats of memory, which are numbers in recordings. */
        ENUMERATED,
        /** What no recording holds: generators, streams, names of dimensions, objects. */
        OTHER
    }

    /** The type behind a text like {@code Tensor(a!)}, {@code SymInt[2]?} or {@code Tensor?[]}. */
    static SchemaType parse(String text) {
        boolean optional = text.endsWith("?");
        String rest = optional ? text.substring(0, text.length() - 1) : text;
        if (rest.endsWith("]")) {
            int open = rest.lastIndexOf('[');
            SchemaType element = parse(rest.substring(0, open));
            return new SchemaType(element.base, optional, element, open + 2 < rest.length());
        }
        int alias = rest.indexOf('(');
        return new SchemaType(base(alias < 0 ? rest : rest.substring(0, alias)), optional, null, false);
    }

    private static Base base(String word) {
        return switch (word) {
            case "Tensor" -> Base.TENSOR;
            case "int", "SymInt" -> Base.INT;
            case "float", "SymFloat" -> Base.FLOAT;
            case "bool", "SymBool" -> Base.BOOL;
            case "Scalar" -> Base.SCALAR;
            case "str" -> Base.TEXT;
            case "Device" -> Base.DEVICE;
            case "ScalarType", "Layout", "MemoryFormat", "DeviceIndex" -> Base.ENUMERATED;
            default -> Base.OTHER;
        };
    }

    /** Whether it is a list. */
    public boolean isList() {
        return element != null;
    }
}
