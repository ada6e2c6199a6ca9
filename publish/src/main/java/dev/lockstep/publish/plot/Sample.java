// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

/**
 * Values whose distribution is shown. The array passes to the record.
 *
 * @param label what they are values of
 * @param note printed below the label where there is room, e.g. how many they are; may be empty
 * @param values in any order; those that are not finite are left out
 * @param colour of the body; single values are drawn in it, opaque
 */
@SuppressWarnings("ArrayRecordComponent")
public record Sample(String label, String note, double[] values, Colour colour) {}
