// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.report;

/**
 * Colours for the cells of a column: one at the low end, one in the middle, one at the high end, blended in between.
 *
 * @param column place of the column
 * @param fromRow first row of the table that is coloured
 * @param toRow row behind the last one; -1 for all that follow
 * @param low value that gets the low colour; NaN for the least value of the column
 * @param middle value that gets the middle colour
 * @param high value that gets the high colour; NaN for the greatest value of the column
 * @param lowColor as {@code RRGGBB}
 * @param middleColor as {@code RRGGBB}
 * @param highColor as {@code RRGGBB}
 */
public record ColorScale(
        int column,
        int fromRow,
        int toRow,
        double low,
        double middle,
        double high,
        String lowColor,
        String middleColor,
        String highColor) {
    /**
     * A scale for a whole column.
     *
     * @param column place of the column
     * @param low value that gets the low colour; NaN for the least value of the column
     * @param middle value that gets the middle colour
     * @param high value that gets the high colour; NaN for the greatest value of the column
     * @param lowColor as {@code RRGGBB}
     * @param middleColor as {@code RRGGBB}
     * @param highColor as {@code RRGGBB}
     */
    public ColorScale(
            int column, double low, double middle, double high, String lowColor, String middleColor, String highColor) {
        this(column, 0, -1, low, middle, high, lowColor, middleColor, highColor);
    }
}
