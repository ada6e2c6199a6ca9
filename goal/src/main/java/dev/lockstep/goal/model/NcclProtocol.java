// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import org.jspecify.annotations.Nullable;

/** How data is put on the wire, in the order of the library's numbers. */
public enum NcclProtocol {
    /** Eight bytes at a time, four of them flags. */
    LL,
    /** Lines of 128 bytes, eight of them flags. */
    LL128,
    /** Whole slices of a buffer, without flags. */
    SIMPLE;

    /**
     * The protocol with a number of the library.
     *
     * @param number as NCCL numbers them
     * @return null for a number that is none
     */
    public static @Nullable NcclProtocol ofNumber(long number) {
        return number >= 0 && number < values().length ? values()[(int) number] : null;
    }
}
