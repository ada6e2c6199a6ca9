// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which forward operator a backward one belongs to. Both carry the sequence number that autograd gave the forward call;
 * the backward one is a node of the autograd engine, the forward one the last begun with that number on another thread.
 */
public final class AutogradLinks {
    /** The one way to make the links. */
    public record Key() implements Derived<AutogradLinks> {
        @Override
        public AutogradLinks derive(Trace trace, DerivedCache cache) {
            return new AutogradLinks(trace);
        }
    }

    private static final String BACKWARD = "autograd::engine::evaluate_function:";

    private final int[] forwardOf;

    private AutogradLinks(Trace trace) {
        Slices slices = trace.slices();
        forwardOf = new int[slices.size()];
        Arrays.fill(forwardOf, -1);
        OpDetails details = trace.view(OpDetails.KEY);
        if (details == null) {
            return;
        }
        Map<Long, Integer> backward = new HashMap<>();
        for (int row = 0; row < details.size(); row++) {
            int slice = details.slice(row);
            if (details.sequence(row) >= 0 && trace.name(slice).startsWith(BACKWARD)) {
                backward.putIfAbsent(details.sequence(row), slice);
            }
        }
        for (int row = 0; row < details.size(); row++) {
            int slice = details.slice(row);
            @Nullable Integer node = details.sequence(row) < 0 ? null : backward.get(details.sequence(row));
            if (node != null && node != slice && slices.track(slice) != slices.track(node)) {
                int known = forwardOf[node];
                if (known < 0 || slices.ts(slice) > slices.ts(known)) {
                    forwardOf[node] = slice;
                }
            }
        }
    }

    /** The forward operator of a backward node, or -1. */
    public int forwardOf(int slice) {
        return forwardOf[slice];
    }
}
