// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.Flows;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import org.jspecify.annotations.Nullable;

/**
 * Which forward operator the arrows of the profiler ({@code fwdbwd}) lead from, and to which node of the autograd engine. An
 * end of an arrow belongs to the innermost operator that runs at its time on its thread.
 */
final class AutogradArrows {
    private static final String CATEGORY = "fwdbwd";

    /** Takes a node and its forward operator. */
    @FunctionalInterface
    interface Links {
        void add(int node, int forward);
    }

    private final Trace trace;
    private final Slices slices;
    private final CallTree tree;
    private final @Nullable IntList[] operators;

    private AutogradArrows(Trace trace, CallTree tree) {
        this.trace = trace;
        this.slices = trace.slices();
        this.tree = tree;
        this.operators = new IntList[trace.tracks().size()];
    }

    /** Hands over what each arrow says, in the order of their ends in the file. */
    static void of(Trace trace, CallTree tree, Links links) {
        int category = trace.strings().find(CATEGORY);
        if (category >= 0) {
            new AutogradArrows(trace, tree).follow(trace.flows(), category, links);
        }
    }

    private void follow(Flows flows, int category, Links links) {
        LongIntMap starts = new LongIntMap(256);
        for (int row = 0; row < flows.size(); row++) {
            if (flows.category(row) == category) {
                operators[flows.track(row)] = new IntList(256);
                if (flows.phase(row) == 's') {
                    starts.put(flows.id(row), row);
                }
            }
        }
        for (int slice = 0; slice < slices.size(); slice++) {
            IntList ofTrack = operators[slices.track(slice)];
            if (ofTrack != null && slices.kind(slice) == SliceKind.CPU_OP && tree.isMember(slice)) {
                ofTrack.add(slice);
            }
        }
        for (int row = 0; row < flows.size(); row++) {
            int start = flows.category(row) == category && flows.phase(row) == 'f' ? starts.get(flows.id(row)) : -1;
            int forward = start < 0 ? -1 : at(flows.track(start), flows.ts(start));
            int node = start < 0 ? -1 : at(flows.track(row), flows.ts(row));
            while (node >= 0 && !trace.name(node).startsWith(AutogradLinks.NODE)) {
                node = tree.parent(node);
            }
            if (forward >= 0 && node >= 0 && slices.track(forward) != slices.track(node)) {
                links.add(node, forward);
            }
        }
    }

    /** The innermost operator that runs on a track at this time, the one begun last of several; -1 when none does. */
    private int at(int track, long ts) {
        IntList ofTrack = operators[track];
        if (ofTrack == null) {
            return -1;
        }
        int from = LongOrder.leading(ofTrack.size(), place -> slices.ts(ofTrack.get(place)) <= ts);
        int slice = from == 0 ? -1 : ofTrack.get(from - 1);
        while (slice >= 0 && slices.end(slice) <= ts && slices.ts(slice) < ts) {
            slice = tree.parent(slice);
        }
        return slice;
    }
}
