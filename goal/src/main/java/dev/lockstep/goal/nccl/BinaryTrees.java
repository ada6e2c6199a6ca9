// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.Communicator;
import java.util.Arrays;

/**
 * The library's double binary trees ({@code src/graph/trees.cc} of NCCL): two trees over the same members, so that the
 * leaves of one branch in the other. In the first a member's parent is found by its lowest set bit: that bit goes, and the
 * next one is set if such a member exists. The second is the first mirrored for an even number of members, else shifted by
 * one.
 */
public final class BinaryTrees {
    private BinaryTrees() {}

    /** The parent of each member in the first or the second tree, {@link Communicator#NONE} for the root. */
    public static int[] parents(int members, boolean second) {
        int[] parents = new int[members];
        Arrays.fill(parents, Communicator.NONE);
        for (int place = 1; place < members; place++) {
            int bit = Integer.lowestOneBit(place);
            int up = (place ^ bit) | (bit << 1);
            int parent = up < members ? up : place ^ bit;
            parents[member(place, members, second)] = member(parent, members, second);
        }
        return parents;
    }

    private static int member(int place, int members, boolean second) {
        return !second ? place : members % 2 == 0 ? members - 1 - place : (place + 1) % members;
    }
}
