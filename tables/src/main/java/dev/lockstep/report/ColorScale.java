// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

/**
 * Colours for the cells of a column: one at the low end, one in the middle, one at the high end, blended in between.
 *
 * @param column place of the column
 * @param fromRow first row of the table that is coloured
 * @param toRow row behind the last one; -1 for all that follow
 * @param low where the value is NaN, that of the least of the column
 * @param middle what lies between
 * @param high where the value is NaN, that of the greatest of the column
 */
public record ColorScale(int column, int fromRow, int toRow, Stop low, Stop middle, Stop high) {
    /**
     * A value and the colour that it gets.
     *
     * @param value NaN at an end for the least or greatest value of the column
     * @param color as {@code RRGGBB}
     */
    public record Stop(double value, String color) {}

    /**
     * A scale for a whole column.
     *
     * @param column place of the column
     * @param low the low end
     * @param middle what lies between
     * @param high the high end
     */
    public ColorScale(int column, Stop low, Stop middle, Stop high) {
        this(column, 0, -1, low, middle, high);
    }
}
