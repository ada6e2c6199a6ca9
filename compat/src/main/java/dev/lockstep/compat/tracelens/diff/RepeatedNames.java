// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pairs siblings of one name anew, by likeness: of how many levels below them, at most four, the names of nodes with device
 * work agree, and how many names of the first level that differs do. The most alike are paired first; among equals, those
 * that were a pair before, then those that stand first. Nodes that look alike are judged once.
 */
final class RepeatedNames {
    private static final int DEEPEST = 4;

    /** The names below a node, level by level, each level sorted. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Below(int[][] levels) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Below below && Arrays.deepEquals(below.levels, levels);
        }

        @Override
        public int hashCode() {
            return Arrays.deepHashCode(levels);
        }
    }

    /** Nodes of one name on both sides, as places in the lists. */
    private static final class Namesakes {
        private final IntList firsts = new IntList(4);
        private final IntList seconds = new IntList(4);
        private boolean matched;
    }

    private final Side one;
    private final Side two;
    private int[] stamps = new int[256];
    private int stamp;

    RepeatedNames(Side one, Side two) {
        this.one = one;
        this.two = two;
    }

    /** The same steps where nothing is ambiguous; else the pairs of repeated names stand last, in the tool's order. */
    DiffCounterparts settle(DiffCounterparts steps, int[] first, int[] second) {
        if (!isRepeated(one, first) && !isRepeated(two, second)) {
            return steps;
        }
        Map<Integer, Namesakes> ambiguous = ambiguous(steps, first, second);
        if (ambiguous.isEmpty()) {
            return steps;
        }
        int[] before = new int[first.length];
        Arrays.fill(before, -1);
        for (int s = 0; s < steps.size(); s++) {
            if (steps.isMatch(s)) {
                before[steps.first(s)] = steps.second(s);
            }
        }
        PairSet pairs = new PairSet();
        boolean[] paired1 = new boolean[first.length];
        boolean[] paired2 = new boolean[second.length];
        boolean changed = false;
        for (Namesakes group : ambiguous.values()) {
            changed |= pair(group, first, second, before, pairs, paired1, paired2);
        }
        return changed ? rewritten(steps, ambiguous, pairs, paired1, paired2, first, second) : steps;
    }

    private boolean isRepeated(Side side, int[] nodes) {
        stamp++;
        for (int node : nodes) {
            int name = side.name(node);
            if (name >= stamps.length) {
                stamps = Arrays.copyOf(stamps, Math.max(name + 1, stamps.length * 2));
            }
            if (stamps[name] == stamp) {
                return true;
            }
            stamps[name] = stamp;
        }
        return false;
    }

    private Map<Integer, Namesakes> ambiguous(DiffCounterparts steps, int[] first, int[] second) {
        Map<Integer, Namesakes> byName = new LinkedHashMap<>();
        for (int s = 0; s < steps.size(); s++) {
            if (steps.first(s) >= 0) {
                Namesakes group = byName.computeIfAbsent(one.name(first[steps.first(s)]), n -> new Namesakes());
                group.firsts.add(steps.first(s));
                group.matched |= steps.isMatch(s);
            }
            if (steps.second(s) >= 0) {
                Namesakes group = byName.computeIfAbsent(two.name(second[steps.second(s)]), n -> new Namesakes());
                group.seconds.add(steps.second(s));
                group.matched |= steps.isMatch(s);
            }
        }
        byName.values()
                .removeIf(g -> !g.matched
                        || g.firsts.size() == 0
                        || g.seconds.size() == 0
                        || g.firsts.size() == 1 && g.seconds.size() == 1);
        return byName;
    }

    /** Pairs the nodes of one name; returns whether any pair is new. */
    private boolean pair(
            Namesakes group,
            int[] first,
            int[] second,
            int[] before,
            PairSet pairs,
            boolean[] paired1,
            boolean[] paired2) {
        int[] firsts = sorted(group.firsts);
        int[] seconds = sorted(group.seconds);
        List<Below> looks1 = new ArrayList<>();
        List<Below> looks2 = new ArrayList<>();
        int[] look1 = looks(one, first, firsts, looks1);
        int[] look2 = looks(two, second, seconds, looks2);
        IntList[] places2 = byLook(seconds, look2, looks2.size());
        TreeMap<Long, List<int[]>> byLikeness = new TreeMap<>();
        long[][] likeness = new long[looks1.size()][looks2.size()];
        for (int x = 0; x < looks1.size(); x++) {
            for (int y = 0; y < looks2.size(); y++) {
                likeness[x][y] = likeness(looks1.get(x), looks2.get(y));
                byLikeness
                        .computeIfAbsent(likeness[x][y], l -> new ArrayList<>())
                        .add(new int[] {x, y});
            }
        }
        int[] next = new int[looks2.size()];
        boolean changed = false;
        for (Map.Entry<Long, List<int[]>> level : byLikeness.descendingMap().entrySet()) {
            for (int k = 0; k < firsts.length; k++) {
                int i = firsts[k];
                int j = before[i];
                int place = j < 0 || paired1[i] || paired2[j] ? -1 : Arrays.binarySearch(seconds, j);
                if (place >= 0 && likeness[look1[k]][look2[place]] == level.getKey()) {
                    pairs.add(i, j);
                    paired1[i] = true;
                    paired2[j] = true;
                }
            }
            boolean[][] alike = new boolean[looks1.size()][];
            for (int[] looks : level.getValue()) {
                if (alike[looks[0]] == null) {
                    alike[looks[0]] = new boolean[looks2.size()];
                }
                alike[looks[0]][looks[1]] = true;
            }
            for (int k = 0; k < firsts.length; k++) {
                int i = firsts[k];
                if (paired1[i] || alike[look1[k]] == null) {
                    continue;
                }
                int j = firstFree(alike[look1[k]], places2, next, paired2);
                if (j >= 0) {
                    pairs.add(i, j);
                    paired1[i] = true;
                    paired2[j] = true;
                    changed = true;
                }
            }
        }
        return changed;
    }

    /** The first place without a counterpart whose node has one of these looks, or -1. */
    private static int firstFree(boolean[] looks, IntList[] places, int[] next, boolean[] paired) {
        int least = -1;
        for (int y = 0; y < looks.length; y++) {
            if (!looks[y]) {
                continue;
            }
            while (next[y] < places[y].size() && paired[places[y].get(next[y])]) {
                next[y]++;
            }
            if (next[y] < places[y].size() && (least < 0 || places[y].get(next[y]) < least)) {
                least = places[y].get(next[y]);
            }
        }
        return least;
    }

    private DiffCounterparts rewritten(
            DiffCounterparts steps,
            Map<Integer, Namesakes> ambiguous,
            PairSet pairs,
            boolean[] paired1,
            boolean[] paired2,
            int[] first,
            int[] second) {
        DiffCounterparts settled = new DiffCounterparts(steps.size());
        for (int s = 0; s < steps.size(); s++) {
            int i = steps.first(s);
            int j = steps.second(s);
            if (!(i >= 0 && ambiguous.containsKey(one.name(first[i]))
                    || j >= 0 && ambiguous.containsKey(two.name(second[j])))) {
                settled.add(i, j);
            }
        }
        for (long pair : pairs.inOrder()) {
            settled.add((int) (pair >>> Integer.SIZE), (int) pair);
        }
        for (int i = 0; i < first.length; i++) {
            if (!paired1[i] && ambiguous.containsKey(one.name(first[i]))) {
                settled.add(i, -1);
            }
        }
        for (int j = 0; j < second.length; j++) {
            if (!paired2[j] && ambiguous.containsKey(two.name(second[j]))) {
                settled.add(-1, j);
            }
        }
        return settled;
    }

    /** Numbers what hangs below the nodes at these places. */
    private static int[] looks(Side side, int[] nodes, int[] places, List<Below> looks) {
        Map<Below, Integer> numbers = new HashMap<>();
        int[] look = new int[places.length];
        for (int k = 0; k < look.length; k++) {
            Below below = below(side, nodes[places[k]]);
            Integer known = numbers.putIfAbsent(below, looks.size());
            look[k] = known == null ? looks.size() : known;
            if (known == null) {
                looks.add(below);
            }
        }
        return look;
    }

    private static Below below(Side side, int node) {
        List<int[]> levels = new ArrayList<>(DEEPEST);
        IntList frontier = new IntList(1);
        frontier.add(node);
        for (int depth = 0; depth < DEEPEST && frontier.size() > 0; depth++) {
            IntList under = new IntList(16);
            for (int k = 0; k < frontier.size(); k++) {
                under.addAll(side.childrenOnPath(frontier.get(k)));
            }
            int[] names = new int[under.size()];
            for (int k = 0; k < names.length; k++) {
                names[k] = side.name(under.get(k));
            }
            Arrays.sort(names);
            levels.add(names);
            frontier = under;
        }
        return new Below(levels.toArray(new int[0][]));
    }

    /** Levels that agree in the upper half, names that agree on the first other level in the lower half. */
    private static long likeness(Below a, Below b) {
        int deepest = Math.max(a.levels.length, b.levels.length);
        for (int depth = 0; depth < deepest; depth++) {
            int[] x = depth < a.levels.length ? a.levels[depth] : new int[0];
            int[] y = depth < b.levels.length ? b.levels[depth] : new int[0];
            if (!Arrays.equals(x, y)) {
                return (long) depth << Integer.SIZE | common(x, y);
            }
        }
        return (long) deepest << Integer.SIZE;
    }

    private static int common(int[] x, int[] y) {
        int common = 0;
        int i = 0;
        int j = 0;
        while (i < x.length && j < y.length) {
            if (x[i] == y[j]) {
                common++;
                i++;
                j++;
            } else if (x[i] < y[j]) {
                i++;
            } else {
                j++;
            }
        }
        return common;
    }

    private static IntList[] byLook(int[] places, int[] look, int looks) {
        IntList[] lists = new IntList[looks];
        for (int y = 0; y < looks; y++) {
            lists[y] = new IntList(4);
        }
        for (int k = 0; k < places.length; k++) {
            lists[look[k]].add(places[k]);
        }
        return lists;
    }

    private static int[] sorted(IntList places) {
        int[] sorted = places.toArray();
        Arrays.sort(sorted);
        return sorted;
    }
}
