// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table as a sheet of a workbook.
 *
 * @param table the cells, and the sheet's name
 * @param look how heads and cells are laid out
 * @param hidden whether readers must ask for the sheet to see it
 * @param excelTable name of the table that spreadsheets make of the whole sheet, with stripes and filters; null for none
 * @param colors columns whose cells are coloured by value
 */
public record StyledSheet(
        Table table, Look look, boolean hidden, @Nullable String excelTable, List<ColorScale> colors) {
    /** Copies the scales. */
    public StyledSheet {
        colors = List.copyOf(colors);
    }

    /** How a sheet is laid out. */
    public enum Look {
        /** Heads with notes, number formats, filters, a head that stays in sight. */
        REPORT,
        /** As pandas writes a frame: bold, centred, bordered heads, no formats; heads that are integers are numbers. */
        FRAME,
        /** The same with an index: the cells of the first column look like heads. */
        INDEXED_FRAME
    }

    /**
     * {@return a visible sheet without colours}
     *
     * @param table what the sheet holds
     * @param look how it is laid out
     */
    public static StyledSheet of(Table table, Look look) {
        return new StyledSheet(table, look, false, null, List.of());
    }

    /** {@return the same, hidden} */
    public StyledSheet asHidden() {
        return new StyledSheet(table, look, true, excelTable, colors);
    }

    /**
     * {@return the same as a table of spreadsheets}
     *
     * @param name the name that formulas call it by
     */
    public StyledSheet asExcelTable(String name) {
        return new StyledSheet(table, look, hidden, name, colors);
    }

    /**
     * {@return the same with one more coloured column}
     *
     * @param scale how the column is coloured
     */
    public StyledSheet colored(ColorScale scale) {
        List<ColorScale> more = new ArrayList<>(colors);
        more.add(scale);
        return new StyledSheet(table, look, hidden, excelTable, more);
    }
}
