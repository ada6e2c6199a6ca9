// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import java.util.List;

/**
 * The communication that ran during an interval.
 *
 * @param names of the collectives, or of their kernels where the collective is not recorded, by start
 * @param coveredNs how long any of them ran in the interval, in ns
 * @param largestNs how long the one ran in it that ran longest there
 * @param largest the name of that one, empty for none
 */
public record Concurrent(List<String> names, long coveredNs, long largestNs, String largest) {
    /** Nothing ran. */
    public static final Concurrent NONE = new Concurrent(List.of(), 0, 0, "");

    public Concurrent {
        names = List.copyOf(names);
    }
}
