// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * Which operators of the baseline are those of the candidate. From the threads down, lists of siblings are paired in order:
 * first those of one name with inputs of one shape and type, then, between these, those of one name. What is left and wraps
 * something that the other side has left is replaced by what it wraps, as often as that helps.
 */
final class OpAlignment {
    private static final int DEEPEST = 16;

    private final OpForest one;
    private final OpForest two;
    private final int[] partner1;
    private final int[] partner2;
    private final IntList pending = new IntList(256);

    OpAlignment(OpForest one, OpForest two) {
        this.one = one;
        this.two = two;
        partner1 = new int[one.size()];
        partner2 = new int[two.size()];
        Arrays.fill(partner1, -1);
        Arrays.fill(partner2, -1);
        for (ThreadPairs.Pair pair : ThreadPairs.of(one, two)) {
            pair(pair.baseline(), pair.candidate());
        }
        while (pending.size() > 0) {
            int node = pending.removeLast();
            pair(one.children(node), two.children(partner1[node]));
        }
    }

    /** The candidate's node for a node of the baseline, or -1. */
    int ofBaseline(int node) {
        return partner1[node];
    }

    /** The baseline's node for a node of the candidate, or -1. */
    int ofCandidate(int node) {
        return partner2[node];
    }

    private void pair(int[] first, int[] second) {
        if (first.length == 0 || second.length == 0) {
            return;
        }
        int[] places = SequenceAlignment.places(keys(first, one::signature), keys(second, two::signature));
        int from1 = 0;
        int from2 = 0;
        for (int i = 0; i <= first.length; i++) {
            if (i == first.length || places[i] >= 0) {
                int to2 = i == first.length ? second.length : places[i];
                if (i > from1 && to2 > from2) {
                    pairBetween(Arrays.copyOfRange(first, from1, i), Arrays.copyOfRange(second, from2, to2));
                }
                if (i < first.length) {
                    join(first[i], second[to2]);
                }
                from1 = i + 1;
                from2 = to2 + 1;
            }
        }
    }

    private void pairBetween(int[] first, int[] second) {
        int[] rest1 = first;
        int[] rest2 = second;
        for (int depth = 0; depth < DEEPEST; depth++) {
            int[] places = SequenceAlignment.places(keys(rest1, one::name), keys(rest2, two::name));
            for (int i = 0; i < places.length; i++) {
                if (places[i] >= 0) {
                    join(rest1[i], rest2[places[i]]);
                }
            }
            int[] left1 = left(rest1, partner1);
            int[] left2 = left(rest2, partner2);
            if (left1.length == 0 || left2.length == 0) {
                return;
            }
            rest1 = opened(one, left1, two, left2);
            rest2 = opened(two, left2, one, left1);
            if (rest1.length == left1.length
                    && rest2.length == left2.length
                    && Arrays.equals(rest1, left1)
                    && Arrays.equals(rest2, left2)) {
                return;
            }
        }
    }

    private void join(int first, int second) {
        partner1[first] = second;
        partner2[second] = first;
        pending.add(first);
    }

    private static int[] left(int[] nodes, int[] partner) {
        return Arrays.stream(nodes).filter(node -> partner[node] < 0).toArray();
    }

    /** The nodes, with those replaced by their children that hold a name which the other side has left. */
    private static int[] opened(OpForest side, int[] nodes, OpForest otherSide, int[] others) {
        Set<Integer> wanted = new HashSet<>();
        for (int other : others) {
            wanted.add(otherSide.name(other));
            for (int child : otherSide.children(other)) {
                wanted.add(otherSide.name(child));
            }
        }
        IntList opened = new IntList(nodes.length + 8);
        for (int node : nodes) {
            int[] children = side.children(node);
            boolean wraps = Arrays.stream(children).anyMatch(child -> wanted.contains(side.name(child)));
            if (wraps) {
                Arrays.stream(children).forEach(opened::add);
            } else {
                opened.add(node);
            }
        }
        return opened.toArray();
    }

    private static int[] keys(int[] nodes, IntUnaryOperator key) {
        return Arrays.stream(nodes).map(key).toArray();
    }
}
