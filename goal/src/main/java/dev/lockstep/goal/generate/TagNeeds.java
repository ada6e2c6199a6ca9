// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/**
 * What tags have to hold.
 *
 * @param number the largest number of a message
 * @param label the largest label
 * @param where the pair of ranks with the largest number, in words
 */
public record TagNeeds(long number, long label, String where) {
    /** Nothing. */
    public static final TagNeeds NONE = new TagNeeds(0, 0, "no ranks");

    /** Room for both. */
    public TagNeeds and(TagNeeds other) {
        return new TagNeeds(
                Math.max(number, other.number),
                Math.max(label, other.label),
                other.number > number ? other.where : where);
    }
}
