// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import java.util.Comparator;
import java.util.Locale;

/**
 * What collectives of different runs are matched by.
 *
 * @param name as the report calls the collective
 * @param dtype element type, empty when unknown
 * @param inElements elements that a rank puts in, -1 when unknown
 * @param outElements elements that a rank gets out, -1 when unknown
 * @param group name of the process group, empty when unknown
 * @param groupRanks its members as the trace lists them, empty when unknown
 * @param groupSize number of its members, -1 when unknown
 */
public record CallKey(
        String name, String dtype, long inElements, long outElements, String group, String groupRanks, long groupSize) {
    /** By name, then size, then who takes part. */
    public static final Comparator<CallKey> ORDER = Comparator.comparing(CallKey::name)
            .thenComparingLong(CallKey::inElements)
            .thenComparing(CallKey::dtype)
            .thenComparing(CallKey::group)
            .thenComparing(CallKey::groupRanks)
            .thenComparingLong(CallKey::outElements)
            .thenComparingLong(CallKey::groupSize);

    /** In a few words. */
    public String text() {
        return name
                + (inElements < 0 ? "" : String.format(Locale.ROOT, " of %,d", inElements))
                + (dtype.isEmpty() ? "" : " " + dtype)
                + (inElements < 0 ? "" : inElements == 1 ? " element" : " elements")
                + (group.isEmpty() ? "" : " in group " + group);
    }
}
