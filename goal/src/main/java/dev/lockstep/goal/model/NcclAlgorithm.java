// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

import org.jspecify.annotations.Nullable;

/** How the library carries out a collective, in the order of its numbers. */
public enum NcclAlgorithm {
    /** Sums go up a tree, results come down. */
    TREE,
    /** Data goes around a ring. */
    RING,
    /** Switches reduce; all ranks of a node talk to the network. */
    COLLNET_DIRECT,
    /** Switches reduce; a chain leads through each node. */
    COLLNET_CHAIN,
    /** The switch within a node adds and multiplies, switches between nodes reduce. */
    NVLS,
    /** The switch within a node adds and multiplies, a tree joins the nodes. */
    NVLS_TREE,
    /** Distances that are powers of two, for many ranks with little data. */
    PAT;

    /**
     * The algorithm with a number of the library.
     *
     * @param number as NCCL numbers them
     * @return null for a number that is none
     */
    public static @Nullable NcclAlgorithm ofNumber(long number) {
        return number >= 0 && number < values().length ? values()[(int) number] : null;
    }
}
