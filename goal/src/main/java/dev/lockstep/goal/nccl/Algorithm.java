// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import org.jspecify.annotations.Nullable;

/** How the library carries out a collective, in the order of its numbers. */
public enum Algorithm {
    TREE,
    RING,
    COLLNET_DIRECT,
    COLLNET_CHAIN,
    NVLS,
    NVLS_TREE,
    PAT;

    static @Nullable Algorithm ofNumber(long number) {
        return number >= 0 && number < values().length ? values()[(int) number] : null;
    }
}
