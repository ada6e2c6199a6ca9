// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;

/**
 * The trees of two traces in one. A node stands for a node of each trace (combined) or of one; nodes are numbered in the
 * order in which they are reached from the roots, parents first. A node may hang below two parents, as in the tool.
 */
final class MergedTree {
    private final Side one;
    private final Side two;
    private final IntList first = new IntList(1024);
    private final IntList second = new IntList(1024);
    private final IntList childrenFrom = new IntList(1024);
    private final IntList childrenTo = new IntList(1024);
    private final IntList child1 = new IntList(1024);
    private final IntList child2 = new IntList(1024);
    private final IntList childNumber = new IntList(1024);
    private final LongIntMap known = new LongIntMap(1024);
    private final ChildPairs pairs;
    private final int[] roots;

    MergedTree(Side one, Side two) {
        this.one = one;
        this.two = two;
        pairs = new ChildPairs(one, two);
        int[] roots1 = one.roots();
        int[] roots2 = two.roots();
        roots = new int[Math.max(roots1.length, roots2.length)];
        for (int i = 0; i < roots.length; i++) {
            roots[i] = grow(i < roots1.length ? roots1[i] : -1, i < roots2.length ? roots2[i] : -1);
        }
    }

    Side one() {
        return one;
    }

    Side two() {
        return two;
    }

    int rootCount() {
        return roots.length;
    }

    int root(int i) {
        return roots[i];
    }

    /** The slice of trace 1, or -1. */
    int first(int node) {
        return first.get(node);
    }

    /** The slice of trace 2, or -1. */
    int second(int node) {
        return second.get(node);
    }

    boolean isCombined(int node) {
        return first.get(node) >= 0 && second.get(node) >= 0;
    }

    int childCount(int node) {
        return childrenTo.get(node) - childrenFrom.get(node);
    }

    int child(int node, int k) {
        return childNumber.get(childrenFrom.get(node) + k);
    }

    /** Numbers a pair and everything below it. */
    private int grow(int root1, int root2) {
        int root = known.get(key(root1, root2));
        if (root >= 0) {
            return root;
        }
        root = enter(root1, root2);
        IntList path = new IntList(64);
        IntList next = new IntList(64);
        path.add(root);
        next.add(0);
        while (path.size() > 0) {
            int top = path.size() - 1;
            int node = path.get(top);
            int place = childrenFrom.get(node) + next.get(top);
            if (place == childrenTo.get(node)) {
                path.removeLast();
                next.removeLast();
                continue;
            }
            next.set(top, next.get(top) + 1);
            int number = known.get(key(child1.get(place), child2.get(place)));
            if (number < 0) {
                number = enter(child1.get(place), child2.get(place));
                path.add(number);
                next.add(0);
            }
            childNumber.set(place, number);
        }
        return root;
    }

    private int enter(int node1, int node2) {
        int number = first.size();
        known.put(key(node1, node2), number);
        childrenFrom.add(child1.size());
        pairs.pair(node1, node2, child1, child2);
        childrenTo.add(child1.size());
        while (childNumber.size() < child1.size()) {
            childNumber.add(-1);
        }
        first.add(pairs.node1());
        second.add(pairs.node2());
        return number;
    }

    private static long key(int node1, int node2) {
        return (long) (node1 + 1) << Integer.SIZE | node2 + 1;
    }
}
