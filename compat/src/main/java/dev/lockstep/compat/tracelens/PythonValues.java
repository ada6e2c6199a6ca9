// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.perfmodel.Value;
import java.math.BigDecimal;
import java.util.List;

/** Spells parameters as Python prints them: {@code {'M': 16, 'stride_A': (64, 1), 'bias': False}}. */
final class PythonValues {
    private static final double SMALLEST_PLAIN = 1e-4;
    private static final double SMALLEST_SCIENTIFIC = 1e16;

    private PythonValues() {}

    /** A dictionary of the parameters. */
    static String dictionary(List<Parameter> parameters) {
        StringBuilder out = new StringBuilder("{");
        for (Parameter parameter : parameters) {
            out.append(out.length() > 1 ? ", " : "");
            quote(parameter.name(), out);
            write(parameter.value(), out.append(": "));
        }
        return out.append('}').toString();
    }

    /** The value as {@code repr} spells it. */
    static String repr(Value value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /** The value as {@code str} spells it: as {@code repr}, but texts without quotes. */
    static String str(Value value) {
        return value instanceof Value.Text text ? text.value() : repr(value);
    }

    private static void write(Value value, StringBuilder out) {
        switch (value) {
            case Value.None none -> out.append("None");
            case Value.Bool flag -> out.append(flag.value() ? "True" : "False");
            case Value.Int number -> out.append(number.value());
            case Value.Real number -> out.append(real(number.value()));
            case Value.Text text -> quote(text.value(), out);
            case Value.Sequence sequence -> {
                out.append(sequence.tuple() ? '(' : '[');
                for (int i = 0; i < sequence.size(); i++) {
                    write(sequence.get(i), i > 0 ? out.append(", ") : out);
                }
                out.append(!sequence.tuple() ? "]" : sequence.size() == 1 ? ",)" : ")");
            }
        }
    }

    private static String real(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }
        double size = Math.abs(value);
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (size == 0 || size >= SMALLEST_PLAIN && size < SMALLEST_SCIENTIFIC) {
            String plain = digits.toPlainString();
            return plain.indexOf('.') < 0 ? plain + ".0" : plain;
        }
        int exponent = digits.precision() - digits.scale() - 1;
        String mantissa = digits.movePointLeft(exponent).toPlainString();
        return mantissa + (exponent < 0 ? "e-" : "e+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static void quote(String text, StringBuilder out) {
        char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        out.append(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c == quote ? "\\" : "").append(c);
            }
        }
        out.append(quote);
    }
}
