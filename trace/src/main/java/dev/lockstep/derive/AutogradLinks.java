// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which forward operator a backward one belongs to. Both carry the sequence number that autograd gave the forward call;
 * the backward one is a node of the autograd engine, the forward one the last begun with that number on another thread.
 * Not all carry one: see {@link Key#thorough}; where none does, the arrows of the profiler say it.
 */
public final class AutogradLinks {
    /**
     * The links, and a tree in which to look for operators inside others.
     *
     * @param thorough whether links are told where the numbers of nodes and operators alone do not: nodes of functions in
     *     C++ from what ran around operators with numbers, as the operator that made the node may carry none; nodes without
     *     a number from that of their function
     */
    public record Key(CallTree.Key tree, boolean thorough) implements Derived<AutogradLinks> {
        /** All links. */
        public Key(CallTree.Key tree) {
            this(tree, true);
        }

        @Override
        public AutogradLinks derive(Trace trace, DerivedCache cache) {
            return new AutogradLinks(trace, cache.get(tree), this);
        }
    }

    /** How the names of nodes of the autograd engine begin. */
    public static final String NODE = "autograd::engine::evaluate_function:";

    private final CallTree tree;
    private final boolean rounded;
    private final LongIntMap forwardOf;
    private final int[] nodes;
    private final long[] forwardEntered;

    private AutogradLinks(Trace trace, CallTree tree, Key key) {
        boolean thorough = key.thorough;
        this.tree = tree;
        rounded = key.tree.nesting() == Nesting.BY_FILE_ORDER;
        forwardOf = new LongIntMap(16);
        OpDetails details = trace.view(OpDetails.KEY);
        IntList linked = new IntList(16);
        if (details != null) {
            LongIntMap numbered = new LongIntMap(16);
            link(trace, details, thorough, numbered, linked);
            linked = keep(numbered, linked, thorough ? new CustomFunctions(trace, details, tree) : null);
        }
        if (thorough && !isNumbered(details)) {
            follow(trace, linked);
        }
        nodes = linked.toArray();
        forwardEntered = new long[nodes.length];
        for (int i = 0; i < nodes.length; i++) {
            forwardEntered[i] = tree.enter(forwardOf.get(nodes[i]));
        }
        LongOrder.sort(forwardEntered, nodes);
    }

    /** The forward operator of a backward node, or -1. */
    public int forwardOf(int slice) {
        return forwardOf.get(slice);
    }

    /** All backward nodes that have a forward operator, in the order of these. */
    public int[] nodes() {
        return nodes.clone();
    }

    /** Whether there are any links. */
    public boolean isEmpty() {
        return nodes.length == 0;
    }

    /** The backward nodes of the operator and of all operators inside it, in order of these. */
    public int[] backwardOf(int slice) {
        if (nodes.length == 0 || !tree.isMember(slice)) {
            return new int[0];
        }
        return Arrays.copyOfRange(
                nodes,
                LongOrder.countBelow(forwardEntered, tree.enter(slice)),
                LongOrder.countBelow(forwardEntered, tree.exit(slice)));
    }

    /** Takes the links over, but for nodes of functions in C++, of which these know better; returns the nodes. */
    private IntList keep(LongIntMap numbered, IntList linked, @Nullable CustomFunctions custom) {
        IntList kept = new IntList(linked.size());
        for (int i = 0; i < linked.size(); i++) {
            int node = linked.get(i);
            if (custom == null || !custom.isNode(node)) {
                keep(node, numbered.get(node), kept);
            }
        }
        if (custom != null) {
            custom.nodes().forEach(node -> keep(node, custom.forwardOf(node, numbered.get(node)), kept));
        }
        return kept;
    }

    private void keep(int node, int forward, IntList kept) {
        if (forward >= 0) {
            forwardOf.put(node, forward);
            kept.add(node);
        }
    }

    private void link(Trace trace, OpDetails details, boolean thorough, LongIntMap numbered, IntList linked) {
        Slices slices = trace.slices();
        byte[] isBackward = new byte[trace.strings().size()];
        LongIntMap backward = new LongIntMap(256);
        for (int row = 0; row < details.size(); row++) {
            int slice = details.slice(row);
            int name = slices.name(slice);
            if (isBackward[name] == 0 && (thorough || details.sequence(row) >= 0)) {
                isBackward[name] = (byte) (trace.name(slice).startsWith(NODE) ? 1 : 2);
            }
            if (isBackward[name] == 1) {
                long number = details.sequence(row) >= 0 || !thorough ? details.sequence(row) : inside(details, slice);
                if (number >= 0 && backward.get(number) < 0) {
                    backward.put(number, slice);
                }
            }
        }
        for (int row = 0; row < details.size() && backward.size() > 0; row++) {
            int slice = details.slice(row);
            int node = details.sequence(row) < 0 ? -1 : backward.get(details.sequence(row));
            if (node >= 0 && node != slice && slices.track(slice) != slices.track(node) && tree.isMember(slice)) {
                int known = numbered.get(node);
                if (known < 0) {
                    linked.add(node);
                }
                if (known < 0 || isLater(slices, slice, known)) {
                    numbered.put(node, slice);
                }
            }
        }
    }

    private boolean isLater(Slices slices, int slice, int known) {
        return rounded
                ? MicrosecondDoubles.start(slices, slice) > MicrosecondDoubles.start(slices, known)
                : slices.ts(slice) > slices.ts(known);
    }

    private static boolean isNumbered(@Nullable OpDetails details) {
        for (int row = 0; details != null && row < details.size(); row++) {
            if (details.sequence(row) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Takes the links that arrows tell; of several to one node, that from the operator begun last. */
    private void follow(Trace trace, IntList linked) {
        AutogradArrows.of(trace, tree, (node, forward) -> {
            int known = forwardOf.get(node);
            if (known < 0) {
                linked.add(node);
            }
            if (known < 0 || isLater(trace.slices(), forward, known)) {
                forwardOf.put(node, forward);
            }
        });
    }

    /** The number of the first operator inside, or -1. */
    private long inside(OpDetails details, int node) {
        int first = tree.isMember(node) ? tree.enter(node) + 1 : 0;
        int row = tree.isMember(node) && first < tree.exit(node) ? details.of(tree.node(first)) : -1;
        return row < 0 ? -1 : details.sequence(row);
    }
}
