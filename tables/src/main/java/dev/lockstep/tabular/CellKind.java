// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Unit;
import java.util.regex.Pattern;

/** What the text of a cell can be taken for, from the narrowest on. */
enum CellKind {
    WHOLE,
    REAL,
    TRUTH,
    TEXT;

    /** The greatest whole number, and with a minus the smallest. */
    private static final String GREATEST = Long.toString(Long.MAX_VALUE);

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:\\d{1,40}\\.?\\d{0,400}|\\.\\d{1,400})(?:[eE][+-]?\\d{1,4})?|[+-]?inf(?:inity)?");

    private static final String DOC = "As in the file.";

    static CellKind of(String cell) {
        if (isWhole(cell)) {
            return WHOLE;
        }
        char first = cell.charAt(0);
        if (first == 't' || first == 'T' || first == 'f' || first == 'F') {
            return cell.equalsIgnoreCase("true") || cell.equalsIgnoreCase("false") ? TRUTH : TEXT;
        }
        return first <= '9' || first == 'i' ? NUMBER.matcher(cell).matches() ? REAL : TEXT : TEXT;
    }

    /** What holds both. */
    CellKind joined(CellKind other) {
        if (this == other) {
            return this;
        }
        return ordinal() <= REAL.ordinal() && other.ordinal() <= REAL.ordinal() ? REAL : TEXT;
    }

    ColumnSpec column(String head) {
        return switch (this) {
            case WHOLE -> ColumnSpec.count(head, DOC);
            case REAL -> ColumnSpec.real(head, Unit.NONE, Unit.NONE, DOC);
            case TRUTH -> ColumnSpec.bool(head, DOC);
            case TEXT -> ColumnSpec.text(head, DOC);
        };
    }

    Object value(String cell) {
        return switch (this) {
            case WHOLE -> Long.parseLong(cell);
            case REAL -> real(cell);
            case TRUTH -> cell.equalsIgnoreCase("true");
            case TEXT -> cell;
        };
    }

    private static double real(String cell) {
        if (cell.endsWith("inf") || cell.endsWith("infinity")) {
            return cell.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return Double.parseDouble(cell);
    }

    /** Digits as a program would print them: no sign but a minus, no leading zeros. */
    private static boolean isWhole(String cell) {
        int start = cell.charAt(0) == '-' ? 1 : 0;
        int digits = cell.length() - start;
        if (digits == 0 || digits > GREATEST.length() || isPadded(cell)) {
            return false;
        }
        for (int i = start; i < cell.length(); i++) {
            if (cell.charAt(i) < '0' || cell.charAt(i) > '9') {
                return false;
            }
        }
        return digits < GREATEST.length() || cell.substring(start).compareTo(GREATEST) <= 0;
    }

    /** Whether a zero stands before other digits, as in names that happen to be digits; no program prints a number so. */
    static boolean isPadded(String cell) {
        int start = cell.startsWith("-") ? 1 : 0;
        return cell.length() > start + 1 && cell.charAt(start) == '0' && Character.isDigit(cell.charAt(start + 1));
    }
}
