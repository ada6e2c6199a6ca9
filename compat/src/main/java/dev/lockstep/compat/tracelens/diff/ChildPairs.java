// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs the children of two nodes as the tool does: lists of one length without calls of the runtime by place, others by
 * name; then by looking into wrappers; then by looking through chains of them.
 */
final class ChildPairs {
    private final Side one;
    private final Side two;
    private final NameAlignment names;
    private int[] marks1 = new int[256];
    private int[] marks2 = new int[256];
    private int mark;

    /** The nodes whose children were paired: deeper ones than asked for where these were only wrappers. */
    private int node1;

    private int node2;
    private int[] first = new int[0];
    private int[] second = new int[0];

    ChildPairs(Side one, Side two) {
        this.one = one;
        this.two = two;
        names = new NameAlignment(one, two);
    }

    /** The node of trace 1 whose children were paired last, -1 for none. */
    int node1() {
        return node1;
    }

    /** The node of trace 2 whose children were paired last, -1 for none. */
    int node2() {
        return node2;
    }

    /** Pairs the children; -1 for a node that is not there. Children without a counterpart come with -1. */
    void pair(int of1, int of2, IntList into1, IntList into2) {
        node1 = of1;
        node2 = of2;
        children();
        descend();
        DiffCounterparts steps = steps(first, second);
        steps = openWrappers(steps);
        steps = passChains(steps);
        for (int s = 0; s < steps.size(); s++) {
            into1.add(steps.first(s) < 0 ? -1 : first[steps.first(s)]);
            into2.add(steps.second(s) < 0 ? -1 : second[steps.second(s)]);
        }
    }

    /** Children with device work, and those without that bear a name which has device work on the other side only. */
    private void children() {
        IntList of1 = node1 < 0 ? new IntList(0) : one.childrenOnPath(node1);
        IntList of2 = node2 < 0 ? new IntList(0) : two.childrenOnPath(node2);
        if (node1 >= 0 && node2 >= 0) {
            mark++;
            marks1 = mark(one, of1, marks1);
            marks2 = mark(two, of2, marks2);
            addMissing(one, node1, marks1, marks2, of1);
            addMissing(two, node2, marks2, marks1, of2);
        }
        first = one.byStart(of1);
        second = two.byStart(of2);
    }

    private int[] mark(Side side, IntList nodes, int[] marks) {
        int[] marked = marks;
        for (int k = 0; k < nodes.size(); k++) {
            int name = side.name(nodes.get(k));
            if (name >= marked.length) {
                marked = Arrays.copyOf(marked, Math.max(name + 1, marked.length * 2));
            }
            marked[name] = mark;
        }
        return marked;
    }

    /** Of several children of a missing name, the last one is taken. */
    private void addMissing(Side side, int node, int[] own, int[] other, IntList into) {
        IntList missing = new IntList(0);
        for (int k = side.childCount(node) - 1; k >= 0; k--) {
            int child = side.child(node, k);
            if (side.isOnPath(child)) {
                continue;
            }
            int name = side.name(child);
            if (isMarked(other, name) && !isMarked(own, name) && !hasName(side, missing, name)) {
                missing.add(child);
            }
        }
        into.addAll(missing);
    }

    private boolean isMarked(int[] marks, int name) {
        return name < marks.length && marks[name] == mark;
    }

    private static boolean hasName(Side side, IntList nodes, int name) {
        for (int k = 0; k < nodes.size(); k++) {
            if (side.name(nodes.get(k)) == name) {
                return true;
            }
        }
        return false;
    }

    /** An only child opposite several is followed down to where it branches. */
    private void descend() {
        if (first.length == second.length) {
            return;
        }
        if (first.length == 1) {
            int end = Wrappers.end(one, first[0]);
            int[] branches = Wrappers.branches(one, end);
            if (branches.length > 0) {
                node1 = end;
                first = branches;
            }
        } else if (second.length == 1) {
            int end = Wrappers.end(two, second[0]);
            int[] branches = Wrappers.branches(two, end);
            if (branches.length > 0) {
                node2 = end;
                second = branches;
            }
        }
    }

    private DiffCounterparts steps(int[] a, int[] b) {
        return a.length == b.length && !hasDispatch(one, a) && !hasDispatch(two, b)
                ? DiffCounterparts.positional(a.length)
                : names.align(a, b, false);
    }

    private static boolean hasDispatch(Side side, int[] nodes) {
        for (int node : nodes) {
            if (side.isDispatch(node)) {
                return true;
            }
        }
        return false;
    }

    private DiffCounterparts openWrappers(DiffCounterparts steps) {
        Wrappers.Opened opened =
                Wrappers.open(one, first, steps.unmatchedFirsts(), two, second, steps.unmatchedSeconds());
        if (!opened.changed()) {
            return steps;
        }
        DiffCounterparts pinned = new DiffCounterparts(steps.size());
        boolean[] pinned1 = new boolean[opened.first().length];
        boolean[] pinned2 = new boolean[opened.second().length];
        Map<Integer, Integer> places1 = places(opened.first());
        Map<Integer, Integer> places2 = places(opened.second());
        for (int s = 0; s < steps.size(); s++) {
            if (steps.isMatch(s)) {
                Integer i = places1.get(first[steps.first(s)]);
                Integer j = places2.get(second[steps.second(s)]);
                if (i != null && j != null) {
                    pinned.add(i, j);
                    pinned1[i] = true;
                    pinned2[j] = true;
                }
            }
        }
        first = opened.first();
        second = opened.second();
        int[] free1 = unset(pinned1);
        int[] free2 = unset(pinned2);
        DiffCounterparts rest = free1.length > 0 && free2.length > 0
                ? steps(nodes(first, free1), nodes(second, free2))
                : apart(free1.length, free2.length);
        for (int s = 0; s < rest.size(); s++) {
            pinned.add(rest.first(s) < 0 ? -1 : free1[rest.first(s)], rest.second(s) < 0 ? -1 : free2[rest.second(s)]);
        }
        return pinned;
    }

    private DiffCounterparts passChains(DiffCounterparts steps) {
        int[] left1 = steps.unmatchedFirsts();
        int[] left2 = steps.unmatchedSeconds();
        if (left1.length == 0 || left2.length == 0) {
            return steps;
        }
        int[] ends1 = ends(one, nodes(first, left1));
        int[] ends2 = ends(two, nodes(second, left2));
        DiffCounterparts strict = names.align(ends1, ends2, false);
        DiffCounterparts result = new DiffCounterparts(steps.size());
        addMatches(steps, null, null, result);
        int[] still1 = strict.unmatchedFirsts();
        int[] still2 = strict.unmatchedSeconds();
        if (still1.length > 0 && still2.length > 0) {
            addMatches(strict, left1, left2, result);
            DiffCounterparts loose = names.align(nodes(ends1, still1), nodes(ends2, still2), true);
            for (int s = 0; s < loose.size(); s++) {
                result.add(
                        loose.first(s) < 0 ? -1 : left1[still1[loose.first(s)]],
                        loose.second(s) < 0 ? -1 : left2[still2[loose.second(s)]]);
            }
        } else {
            for (int s = 0; s < strict.size(); s++) {
                result.add(
                        strict.first(s) < 0 ? -1 : left1[strict.first(s)],
                        strict.second(s) < 0 ? -1 : left2[strict.second(s)]);
            }
        }
        replace(first, left1, ends1);
        replace(second, left2, ends2);
        return result;
    }

    private static void addMatches(
            DiffCounterparts from, int @Nullable [] places1, int @Nullable [] places2, DiffCounterparts into) {
        for (int s = 0; s < from.size(); s++) {
            if (from.isMatch(s)) {
                into.add(
                        places1 == null ? from.first(s) : places1[from.first(s)],
                        places2 == null ? from.second(s) : places2[from.second(s)]);
            }
        }
    }

    private static DiffCounterparts apart(int firsts, int seconds) {
        DiffCounterparts steps = new DiffCounterparts(firsts + seconds);
        for (int i = 0; i < firsts; i++) {
            steps.add(i, -1);
        }
        for (int j = 0; j < seconds; j++) {
            steps.add(-1, j);
        }
        return steps;
    }

    private static int[] ends(Side side, int[] nodes) {
        return Arrays.stream(nodes).map(node -> Wrappers.end(side, node)).toArray();
    }

    private static int[] nodes(int[] of, int[] places) {
        return Arrays.stream(places).map(place -> of[place]).toArray();
    }

    private static void replace(int[] nodes, int[] places, int[] by) {
        for (int k = 0; k < places.length; k++) {
            nodes[places[k]] = by[k];
        }
    }

    private static int[] unset(boolean[] flags) {
        IntList places = new IntList(flags.length);
        for (int i = 0; i < flags.length; i++) {
            if (!flags[i]) {
                places.add(i);
            }
        }
        return places.toArray();
    }

    private static Map<Integer, Integer> places(int[] nodes) {
        Map<Integer, Integer> places = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) {
            places.put(nodes[i], i);
        }
        return places;
    }
}
