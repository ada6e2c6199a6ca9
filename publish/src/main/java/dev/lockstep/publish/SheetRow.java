// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A row of a sheet, until it is written: values of cells, and numbers of their looks. */
final class SheetRow {
    /** Longer texts rarely repeat, and shared ones stay in memory until the workbook is closed. */
    private static final int LONGEST_SHARED = 300;

    private @Nullable Object[] values = new @Nullable Object[8];
    private int[] looks = new int[8];

    /** Columns in use. */
    private int size;

    /** Takes how long the text of a cell is. */
    interface Length {
        void of(int column, int length);
    }

    void value(int column, Object value) {
        room(column);
        values[column] = value;
    }

    void look(int column, int look) {
        room(column);
        looks[column] = look;
    }

    private void room(int column) {
        if (column >= values.length) {
            int wanted = Math.max(column + 1, 2 * values.length);
            values = Arrays.copyOf(values, wanted);
            looks = Arrays.copyOf(looks, wanted);
        }
        size = Math.max(size, column + 1);
    }

    /** Gives the length of each cell that is not empty. */
    void lengths(Length to) {
        for (int column = 0; column < size; column++) {
            Object value = values[column];
            if (value != null) {
                to.of(column, value.toString().length());
            }
        }
    }

    /**
     * Writes the cells.
     *
     * @param place of the row, from 0
     */
    void write(int place, Workbook workbook, StringBuilder xml) {
        String number = Integer.toString(place + 1);
        xml.append("<row r=\"").append(number).append("\">");
        for (int column = 0; column < size; column++) {
            Object value = values[column];
            if (value == null && looks[column] == 0) {
                continue;
            }
            xml.append("<c r=\"");
            CellNames.letters(column, xml);
            xml.append(number).append('"').append(type(value));
            if (looks[column] != 0) {
                xml.append(" s=\"").append(looks[column]).append('"');
            }
            xml.append('>');
            content(value, workbook, xml);
            xml.append("</c>");
        }
        xml.append("</row>");
    }

    private static String type(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case Number number -> " t=\"n\"";
            case Boolean truth -> " t=\"b\"";
            default -> isShared(value) ? " t=\"s\"" : " t=\"inlineStr\"";
        };
    }

    private static boolean isShared(Object value) {
        return value.toString().length() <= LONGEST_SHARED;
    }

    private static void content(@Nullable Object value, Workbook workbook, StringBuilder xml) {
        switch (value) {
            case null -> {
                // a look alone
            }
            case Number number -> xml.append("<v>").append(number).append("</v>");
            case Boolean truth -> xml.append("<v>").append(truth ? '1' : '0').append("</v>");
            default -> {
                String text = value.toString();
                if (isShared(text)) {
                    xml.append("<v>").append(workbook.text(text)).append("</v>");
                } else {
                    xml.append("<is><t xml:space=\"preserve\">");
                    XmlText.content(text, xml);
                    xml.append("</t></is>");
                }
            }
        }
    }
}
