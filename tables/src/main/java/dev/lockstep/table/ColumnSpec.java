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
    /**
     * Checks that the units are of one quantity and that the column is described.
     *
     * @throws IllegalArgumentException when they are not, or the description is empty
     */
    public ColumnSpec {
        if (!unit.converts(shown)) {
            throw new IllegalArgumentException(id + ": " + unit + " cannot be shown as " + shown);
        }
        if (doc.isBlank()) {
            throw new IllegalArgumentException(id + ": a column needs a description");
        }
    }

    /**
     * {@return a column of text}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec text(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.STRING, Unit.NONE, Unit.NONE, doc);
    }

    /**
     * {@return a column of structured values}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec json(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.JSON, Unit.NONE, Unit.NONE, doc);
    }

    /**
     * {@return a column of call arguments: structured values whose arrays Python's tools print as tuples}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec arguments(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.ARGUMENTS, Unit.NONE, Unit.NONE, doc);
    }

    /**
     * {@return a column of truth values}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec bool(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.BOOL, Unit.NONE, Unit.NONE, doc);
    }

    /**
     * {@return a column of counts}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec count(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, Unit.COUNT, Unit.COUNT, doc);
    }

    /**
     * {@return a column of identifiers: integers that are never added up}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec id(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, Unit.ID, Unit.ID, doc);
    }

    /**
     * {@return a column of exact integers of a unit, shown in another}
     *
     * @param header the text at the head of a sheet
     * @param unit the unit in which the cells are stored
     * @param shown the unit in which writers show them
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec whole(String header, Unit unit, Unit shown, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.LONG, unit, shown, doc);
    }

    /**
     * {@return a column of whole nanoseconds, shown in microseconds}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec micros(String header, String doc) {
        return whole(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }

    /**
     * {@return a column of whole nanoseconds, shown in milliseconds}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec millis(String header, String doc) {
        return whole(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }

    /**
     * {@return a column of doubles of a unit, shown in another}
     *
     * @param header the text at the head of a sheet
     * @param unit the unit in which the cells are stored
     * @param shown the unit in which writers show them
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec real(String header, Unit unit, Unit shown, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.DOUBLE, unit, shown, doc);
    }

    /**
     * {@return a column of percentages}
     *
     * @param header the text at the head of a sheet
     * @param doc one sentence that says what the values mean, and whether they may be missing
     */
    public static ColumnSpec percent(String header, String doc) {
        return new ColumnSpec(idOf(header), header, ColumnType.DOUBLE, Unit.PERCENT, Unit.PERCENT, doc);
    }

    /** {@return how many stored units make one that is shown} */
    public double divisor() {
        return (double) shown.scale() / unit.scale();
    }

    /** {@return the header in words, without its unit, as screens show it: "Kernel duration, sum"} */
    public String label() {
        return ColumnLabel.of(header, shown);
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
