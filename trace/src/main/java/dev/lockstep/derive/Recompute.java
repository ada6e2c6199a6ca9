// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.BitSet;

/** What activation checkpointing runs a second time: everything below its recompute function on the Python stack. */
public final class Recompute {
    /** Needs a call tree with Python frames. */
    public record Key(CallTree.Key tree, LaunchRule links) implements Derived<Recompute> {
        @Override
        public Recompute derive(Trace trace, DerivedCache cache) {
            return new Recompute(trace, cache.get(tree), cache.get(new LaunchLinks.Key(links)));
        }
    }

    private final BitSet slices = new BitSet();

    private Recompute(Trace trace, CallTree tree, LaunchLinks links) {
        Slices all = trace.slices();
        int reached = 0;
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            if (all.kind(node) == SliceKind.PYTHON && isRoot(trace.name(node))) {
                for (int k = Math.max(i, reached); k < tree.exit(node); k++) {
                    slices.set(tree.node(k));
                }
                reached = Math.max(reached, tree.exit(node));
            }
        }
        for (int i = 0; i < all.size(); i++) {
            int call = all.kind(i).isDeviceActivity() ? links.launchOf(i) : -1;
            if (call >= 0 && slices.get(call)) {
                slices.set(i);
            }
        }
    }

    /** Whether the host or device slice is part of a recomputation. */
    public boolean contains(int slice) {
        return slices.get(slice);
    }

    private static boolean isRoot(String name) {
        return name.contains("torch/utils/checkpoint.py") && name.contains("recompute_fn");
    }
}
