// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The nearest slice around another one that is wanted. What was found on the way is remembered, so that however often it is
 * asked, no slice is looked at twice. Confined to one thread.
 */
public final class NearestAround {
    private static final int UNKNOWN = -2;

    private final HostNesting nesting;
    private final IntPredicate wanted;
    private final int[] nearest;

    /**
     * @param slices how many slices the trace has
     * @param wanted what is sought, by number of the slice
     */
    public NearestAround(HostNesting nesting, int slices, IntPredicate wanted) {
        this.nesting = nesting;
        this.wanted = wanted;
        nearest = new int[slices];
        Arrays.fill(nearest, UNKNOWN);
    }

    /** The first slice, from this one outwards, that is wanted, or -1; of -1 it is -1. */
    public int of(int slice) {
        int found = slice;
        while (found >= 0 && nearest[found] == UNKNOWN && !wanted.test(found)) {
            found = nesting.around(found);
        }
        if (found >= 0 && nearest[found] != UNKNOWN) {
            found = nearest[found];
        }
        for (int on = slice; on >= 0 && nearest[on] == UNKNOWN; on = on == found ? -1 : nesting.around(on)) {
            nearest[on] = found;
        }
        return found;
    }

    /** The next one outwards from a slice that is not meant itself, or -1. */
    public int beyond(int slice) {
        return of(nesting.around(slice));
    }
}
