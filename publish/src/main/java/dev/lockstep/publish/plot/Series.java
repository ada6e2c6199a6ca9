// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/**
 * A value for each of a row of places. The array passes to the record.
 *
 * @param name shown in the legend
 * @param values NaN where there is none
 * @param negative the colour of values below zero
 */
@SuppressWarnings("ArrayRecordComponent")
public record Series(String name, double[] values, Colour colour, Colour negative) {
    /** A series of one colour. */
    public Series(String name, double[] values, Colour colour) {
        this(name, values, colour, colour);
    }

    Colour colourOf(double value) {
        return value < 0 ? negative : colour;
    }
}
