// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/**
 * One column of a table: the source of sheet headers, tooltips and the table reference.
 *
 * @param id stable identifier in {@code snake_case}
 * @param header the text at the head of a sheet; compatible sheets keep the headers that their readers know
 * @param type what the cells hold
 * @param unit the unit in which the cells are stored
 * @param shown the unit in which writers show them; of the same quantity as {@code unit}
 * @param doc one sentence that says what the number means, and whether it may be missing
 */
public record ColumnSpec(String id, String header, ColumnType type, Unit unit, Unit shown, String doc) {
    public ColumnSpec {
        if (!unit.converts(shown)) {
            throw new IllegalArgumentException(id + ": " + unit + " cannot be shown as " + shown);
        }
        if (doc.isBlank()) {
            throw new IllegalArgumentException(id + ": a column needs a description");
        }
    }

    /** A column of text. */
    public static ColumnSpec text(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.STRING, Unit.NONE, Unit.NONE, doc);
    }

    /** A column of structured values. */
    public static ColumnSpec json(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.JSON, Unit.NONE, Unit.NONE, doc);
    }

    /** A column of call arguments: structured values whose arrays Python's tools print as tuples. */
    public static ColumnSpec arguments(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.ARGUMENTS, Unit.NONE, Unit.NONE, doc);
    }

    /** A column of truth values. */
    public static ColumnSpec bool(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.BOOL, Unit.NONE, Unit.NONE, doc);
    }

    /** A column of counts. */
    public static ColumnSpec count(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, Unit.COUNT, Unit.COUNT, doc);
    }

    /** A column of identifiers: integers that are never added up. */
    public static ColumnSpec id(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, Unit.ID, Unit.ID, doc);
    }

    /** A column of exact integers of a unit, shown in another. */
    public static ColumnSpec whole(String header, Unit unit, Unit shown, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, unit, shown, doc);
    }

    /** A column of whole nanoseconds, shown in microseconds. */
    public static ColumnSpec micros(String header, String doc) {
        return whole(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }

    /** A column of whole nanoseconds, shown in milliseconds. */
    public static ColumnSpec millis(String header, String doc) {
        return whole(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }

    /** A column of doubles of a unit, shown in another. */
    public static ColumnSpec real(String header, Unit unit, Unit shown, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.DOUBLE, unit, shown, doc);
    }

    /** A column of percentages. */
    public static ColumnSpec percent(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.DOUBLE, Unit.PERCENT, Unit.PERCENT, doc);
    }

    /** How many stored units make one that is shown. */
    public double divisor() {
        return (double) shown.scale() / unit.scale();
    }

    private static String idOf(String header) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < header.length(); i++) {
            char c = Character.toLowerCase(header.charAt(i));
            if (c == 'µ') {
                id.append('u');
            } else if (c == '%') {
                id.append("pct");
            } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                id.append(c);
            } else if (!id.isEmpty() && id.charAt(id.length() - 1) != '_') {
                id.append('_');
            }
        }
        int end = id.length();
        while (end > 0 && id.charAt(end - 1) == '_') {
            end--;
        }
        return id.substring(0, end);
    }
}
