// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.Value.Bool;
import dev.lockstep.perfmodel.Value.Int;
import dev.lockstep.perfmodel.Value.Real;
import dev.lockstep.perfmodel.Value.Sequence;
import dev.lockstep.perfmodel.Value.Text;

/**
 * Operators of formulas. Integers stay integers, and become numbers with a fraction where a long does not hold them;
 * {@code /} always gives a fraction; {@code //} and {@code %} round towards minus infinity. What is unknown (NaN) makes
 * unknown.
 */
final class Arithmetic {
    private Arithmetic() {}

    static Value add(Value a, Value b) throws NotModelled {
        if (a instanceof Int x && b instanceof Int y) {
            long sum = x.value() + y.value();
            boolean overflow = ((x.value() ^ sum) & (y.value() ^ sum)) < 0;
            return overflow ? Value.of((double) x.value() + y.value()) : Value.of(sum);
        }
        return Value.of(number(a) + number(b));
    }

    static Value subtract(Value a, Value b) throws NotModelled {
        if (a instanceof Int x && b instanceof Int y) {
            long difference = x.value() - y.value();
            boolean overflow = ((x.value() ^ y.value()) & (x.value() ^ difference)) < 0;
            return overflow ? Value.of((double) x.value() - y.value()) : Value.of(difference);
        }
        return Value.of(number(a) - number(b));
    }

    static Value multiply(Value a, Value b) throws NotModelled {
        if (a instanceof Int x && b instanceof Int y) {
            long product = x.value() * y.value();
            return Math.multiplyHigh(x.value(), y.value()) == product >> 63
                    ? Value.of(product)
                    : Value.of((double) x.value() * y.value());
        }
        return Value.of(number(a) * number(b));
    }

    static Value divide(Value a, Value b) throws NotModelled {
        return Value.of(number(a) / divisor(b));
    }

    static Value floorDivide(Value a, Value b) throws NotModelled {
        if (a instanceof Int x && b instanceof Int y && y.value() != 0) {
            return Value.of(Math.floorDiv(x.value(), y.value()));
        }
        return Value.of(Math.floor(number(a) / divisor(b)));
    }

    static Value modulo(Value a, Value b) throws NotModelled {
        if (a instanceof Int x && b instanceof Int y && y.value() != 0) {
            return Value.of(Math.floorMod(x.value(), y.value()));
        }
        double divisor = divisor(b);
        double x = number(a);
        return Value.of(x - divisor * Math.floor(x / divisor));
    }

    private static double divisor(Value b) throws NotModelled {
        double divisor = number(b);
        if (divisor == 0) {
            throw NotModelled.unreadable("division by zero");
        }
        return divisor;
    }

    /** Numbers by size, everything else by equality alone. */
    static boolean compare(String symbol, Value a, Value b) throws NotModelled {
        if (symbol.equals("==") || symbol.equals("!=")) {
            boolean numbers = isNumber(a) && isNumber(b);
            boolean equal = numbers ? number(a) == number(b) : a.equals(b);
            return equal == symbol.equals("==");
        }
        double x = number(a);
        double y = number(b);
        return switch (symbol) {
            case "<" -> x < y;
            case "<=" -> x <= y;
            case ">" -> x > y;
            default -> x >= y;
        };
    }

    /** Whether a condition holds: not for false, nothing, zero, the empty text and the empty sequence. */
    static boolean holds(Value value) {
        return switch (value) {
            case Value.None none -> false;
            case Bool flag -> flag.value();
            case Int number -> number.value() != 0;
            case Real number -> number.value() != 0;
            case Text text -> !text.value().isEmpty();
            case Sequence sequence -> sequence.size() > 0;
        };
    }

    static double number(Value value) throws NotModelled {
        return switch (value) {
            case Int number -> number.value();
            case Real number -> number.value();
            case Bool flag -> flag.value() ? 1 : 0;
            default -> throw NotModelled.unreadable("expected a number, found " + value.json());
        };
    }

    static long integer(Value value) throws NotModelled {
        if (value instanceof Int number) {
            return number.value();
        }
        throw NotModelled.unreadable("expected an integer, found " + value.json());
    }

    static Sequence sequence(Value value) throws NotModelled {
        if (value instanceof Sequence sequence) {
            return sequence;
        }
        throw NotModelled.unreadable("expected a shape or list, found " + value.json());
    }

    static String text(Value value) throws NotModelled {
        if (value instanceof Text text) {
            return text.value();
        }
        throw NotModelled.unreadable("expected a text, found " + value.json());
    }

    /** An element; -1 is the last one. */
    static Value element(Value value, long index) throws NotModelled {
        Sequence sequence = sequence(value);
        long at = index < 0 ? sequence.size() + index : index;
        if (at < 0 || at >= sequence.size()) {
            throw NotModelled.unreadable(sequence.json() + " has no element " + index);
        }
        return sequence.get((int) at);
    }

    /** The elements from one place to before another; negative places count from the end; what is not there is left out. */
    static Value slice(Value value, long from, long to) throws NotModelled {
        Sequence sequence = sequence(value);
        int size = sequence.size();
        int start = place(from, size);
        int end = Math.max(start, place(to, size));
        return new Sequence(sequence.values().subList(start, end), sequence.tuple());
    }

    private static int place(long index, int size) {
        return (int) Math.max(0, Math.min(size, index < 0 ? size + index : index));
    }

    private static boolean isNumber(Value value) {
        return value instanceof Int || value instanceof Real;
    }
}
