// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.io.Serializable;

/**
 * A process of the job.
 *
 * @param index 0 to world size - 1
 * @param origin how it is known
 */
public record Rank(int index, Origin origin) implements Serializable {
    /** Where a rank number comes from, most trusted first. */
    public enum Origin {
        /** The trace says so. */
        TRACE,
        /** The path says so. */
        PATH,
        /** The place among the given files. */
        ORDER
    }
}
