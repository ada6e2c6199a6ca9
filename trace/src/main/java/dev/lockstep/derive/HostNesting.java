// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;

/**
 * Which slice of the host lies around each: the innermost of its thread that still ran when it began. Every kind takes
 * part, and nothing is moved, as {@link CallTree} does.
 */
public final class HostNesting {
    /** The nesting of a trace. */
    public record Key() implements Derived<HostNesting> {
        @Override
        public HostNesting derive(Trace trace, DerivedCache cache) {
            return new HostNesting(trace);
        }
    }

    private final Slices slices;
    private final int[] around;

    private HostNesting(Trace trace) {
        slices = trace.slices();
        around = new int[slices.size()];
        Arrays.fill(around, -1);
        int[] last = new int[trace.tracks().size()];
        Arrays.fill(last, -1);
        for (int i = 0; i < around.length; i++) {
            if (slices.kind(i).isHost()) {
                int track = slices.track(i);
                int open = last[track];
                while (open >= 0 && slices.end(open) <= slices.ts(i)) {
                    open = around[open];
                }
                around[i] = open;
                last[track] = i;
            }
        }
    }

    /** The slice that lies around this one, or -1. */
    public int around(int slice) {
        return around[slice];
    }

    /** Whether the slice covers more than half of the time from one moment to another. */
    public boolean covers(int slice, long from, long to) {
        return (Math.min(slices.end(slice), to) - Math.max(slices.ts(slice), from)) * 2 > to - from;
    }

    /**
     * The first slice, from this one outwards, that covers more than half of the time from one moment to another, or -1. What
     * does so is open in its middle: among all of a thread it is found from the one that began last by then.
     *
     * @param slice -1 for none
     */
    public int covering(int slice, long from, long to) {
        int place = slice;
        while (place >= 0 && !covers(place, from, to)) {
            place = around[place];
        }
        return place;
    }
}
