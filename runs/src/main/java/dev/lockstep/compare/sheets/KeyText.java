// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.Column;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import java.util.Locale;
import java.util.Set;

/** Keys as text that is equal where they mean the same, whoever spelt them: tuples and lists, {@code 8} and {@code 8.0}. */
final class KeyText {
    private static final Set<String> NOTHING = Set.of("nan", "none", "null");

    private KeyText() {}

    /** The text of a cell; the empty one when it is missing. */
    static String of(Column column, int row) {
        if (column.isMissing(row)) {
            return "";
        }
        return switch (column) {
            case LongColumn c -> Long.toString(c.get(row));
            case DoubleColumn c -> number(c.get(row));
            case BoolColumn c -> Boolean.toString(c.get(row));
            case StringColumn c -> text(String.valueOf(c.get(row)));
        };
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String text(String cell) {
        char first = cell.charAt(0);
        if (first == '(' || first == '[' || first == '{') {
            return literal(cell);
        }
        String lower = cell.length() <= 5 ? cell.toLowerCase(Locale.ROOT) : cell;
        if (lower.equals("true") || lower.equals("false")) {
            return lower;
        }
        return NOTHING.contains(lower) ? "" : cell;
    }

    /** A structured value as JSON would spell it, without spaces; Python's tuples become lists. */
    private static String literal(String cell) {
        StringBuilder out = new StringBuilder(cell.length());
        for (int i = 0; i < cell.length(); i++) {
            char c = cell.charAt(i);
            if (c == '\'' || c == '"') {
                i = quoted(cell, i, out);
            } else if (c == '(') {
                out.append('[');
            } else if (c == ')' || c == ']') {
                if (!out.isEmpty() && out.charAt(out.length() - 1) == ',') {
                    out.setLength(out.length() - 1);
                }
                out.append(']');
            } else if (c == 'N' && cell.startsWith("None", i)) {
                out.append("null");
                i += 3;
            } else if (c == 'T' || c == 'F') {
                out.append((char) (c + 'a' - 'A'));
            } else if (c != ' ') {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Copies a quoted text; returns the place of its closing quote. */
    private static int quoted(String cell, int open, StringBuilder out) {
        char quote = cell.charAt(open);
        out.append('"');
        int i = open + 1;
        for (; i < cell.length() && cell.charAt(i) != quote; i++) {
            if (cell.charAt(i) == '\\' && i + 1 < cell.length()) {
                out.append(cell.charAt(i++));
            }
            out.append(cell.charAt(i));
        }
        out.append('"');
        return i;
    }
}
