// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How the tool looks through nodes that do nothing but call one other. */
final class Wrappers {
    private Wrappers() {}

    /**
     * The first node, from this one down through nodes with a single child that has device work, that branches, calls the
     * runtime itself, or is such a call.
     */
    static int end(Side side, int node) {
        int at = node;
        while (!side.isDispatch(at) && !callsRuntime(side, at)) {
            IntList below = side.childrenOnPath(at);
            if (below.size() != 1) {
                break;
            }
            at = below.get(0);
        }
        return at;
    }

    /** The children with device work of an {@link #end} that branches; none of any other end. */
    static int[] branches(Side side, int end) {
        return side.isDispatch(end) || callsRuntime(side, end)
                ? new int[0]
                : side.childrenOnPath(end).toArray();
    }

    private static boolean callsRuntime(Side side, int node) {
        if (!side.isOp(node)) {
            return false;
        }
        for (int k = 0; k < side.childCount(node); k++) {
            if (side.isDispatch(side.child(node, k))) {
                return true;
            }
        }
        return false;
    }

    /** Siblings without a counterpart, and what hangs directly below each. */
    private static final class Unmatched {
        private final Side side;
        private final int[] places;
        private final List<int[]> below = new ArrayList<>();
        private final Set<Integer> names = new HashSet<>();
        private final Set<List<Integer>> namesBelow = new HashSet<>();
        private final Set<Integer> anyBelow = new HashSet<>();

        private Unmatched(Side side, int[] nodes, int[] places) {
            this.side = side;
            IntList possible = new IntList(places.length);
            for (int place : places) {
                int node = nodes[place];
                if (!side.isDispatch(node) && !side.isKernel(node)) {
                    possible.add(place);
                    names.add(side.name(node));
                    int[] children = side.childrenOnPath(node).toArray();
                    below.add(children);
                    List<Integer> list = namesOf(children);
                    anyBelow.addAll(list);
                    if (!list.isEmpty()) {
                        namesBelow.add(list);
                    }
                }
            }
            this.places = possible.toArray();
        }

        private List<Integer> namesOf(int[] nodes) {
            return Arrays.stream(nodes).mapToObj(side::name).toList();
        }

        /** Whether the {@code k}-th wraps what the other side has: something of that name, or the very same children. */
        private boolean wraps(int k, Unmatched other) {
            List<Integer> inside = namesOf(below.get(k));
            return other.namesBelow.contains(inside) || inside.stream().anyMatch(other.names::contains);
        }

        /** The nodes with those that wrap something replaced by their children, by start; null when none does. */
        private int[] opened(int[] nodes, Unmatched other) {
            IntList opened = new IntList(nodes.length + 8);
            int k = 0;
            for (int place = 0; place < nodes.length; place++) {
                boolean candidate = k < places.length && places[k] == place;
                if (candidate && wraps(k, other)) {
                    for (int child : below.get(k)) {
                        opened.add(child);
                    }
                } else {
                    opened.add(nodes[place]);
                }
                k += candidate ? 1 : 0;
            }
            return side.byStart(opened);
        }

        private boolean wrapsAny(Unmatched other) {
            for (int k = 0; k < places.length; k++) {
                if (wraps(k, other)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Two lists of siblings; {@code changed} says whether a wrapper was replaced by its children. */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(boolean changed, int[] first, int[] second) {}

    /** Replaces nodes without a counterpart by their children where these show what the other side has. */
    static Opened open(Side one, int[] first, int[] unmatched1, Side two, int[] second, int[] unmatched2) {
        if (unmatched1.length == 0 || unmatched2.length == 0) {
            return new Opened(false, first, second);
        }
        Unmatched left = new Unmatched(one, first, sorted(unmatched1));
        Unmatched right = new Unmatched(two, second, sorted(unmatched2));
        if (!left.wrapsAny(right) && !right.wrapsAny(left)) {
            return new Opened(false, first, second);
        }
        return new Opened(true, left.opened(first, right), right.opened(second, left));
    }

    private static int[] sorted(int[] places) {
        int[] sorted = places.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
