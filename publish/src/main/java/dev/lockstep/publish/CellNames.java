// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish;

/** What spreadsheets call cells and areas of them. Rows and columns count from 0. */
final class CellNames {
    private static final int LETTERS = 26;

    private CellNames() {}

    static String cell(int row, int column) {
        StringBuilder cell = new StringBuilder();
        letters(column, cell);
        return cell.append(row + 1).toString();
    }

    /** From a first cell to a last one; of a single cell its name. */
    static String area(int fromRow, int fromColumn, int toRow, int toColumn) {
        String from = cell(fromRow, fromColumn);
        String to = cell(toRow, toColumn);
        return from.equals(to) ? from : from + ":" + to;
    }

    /** The first rows and columns, in a name that does not move with the cell that it stands in. */
    static String absolute(int rows, int columns) {
        StringBuilder last = new StringBuilder();
        letters(columns - 1, last);
        return "$A$1:$" + last + "$" + rows;
    }

    /** What spreadsheets call a column. */
    static void letters(int column, StringBuilder into) {
        if (column >= LETTERS) {
            letters(column / LETTERS - 1, into);
        }
        into.append((char) ('A' + column % LETTERS));
    }
}
