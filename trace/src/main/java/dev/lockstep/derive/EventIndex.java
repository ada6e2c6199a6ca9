// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;

/** Finds slices by their event numbers. */
final class EventIndex {
    private final int[] slices;

    EventIndex(Trace trace) {
        Slices all = trace.slices();
        int last = -1;
        for (int i = 0; i < all.size(); i++) {
            last = Math.max(last, all.index(i));
        }
        slices = new int[last + 1];
        Arrays.fill(slices, -1);
        for (int i = 0; i < all.size(); i++) {
            slices[all.index(i)] = i;
        }
    }

    /** The slice with this event number, or -1. */
    int slice(int index) {
        return index < 0 || index >= slices.length ? -1 : slices[index];
    }
}
