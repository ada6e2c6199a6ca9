// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;

/** Which place in one list stands for which in another, in the tool's order; -1 where there is no counterpart. */
final class DiffCounterparts {
    private final IntList firsts;
    private final IntList seconds;

    DiffCounterparts(int capacity) {
        firsts = new IntList(capacity);
        seconds = new IntList(capacity);
    }

    /** Each place for the same place of the other list. */
    static DiffCounterparts positional(int size) {
        DiffCounterparts steps = new DiffCounterparts(size);
        for (int i = 0; i < size; i++) {
            steps.add(i, i);
        }
        return steps;
    }

    void add(int first, int second) {
        firsts.add(first);
        seconds.add(second);
    }

    int size() {
        return firsts.size();
    }

    int first(int step) {
        return firsts.get(step);
    }

    int second(int step) {
        return seconds.get(step);
    }

    boolean isMatch(int step) {
        return firsts.get(step) >= 0 && seconds.get(step) >= 0;
    }

    /** The places of the first list that have no counterpart. */
    int[] unmatchedFirsts() {
        return unmatched(firsts, seconds);
    }

    /** The places of the second list that have no counterpart. */
    int[] unmatchedSeconds() {
        return unmatched(seconds, firsts);
    }

    private static int[] unmatched(IntList of, IntList other) {
        IntList found = new IntList(of.size());
        for (int i = 0; i < of.size(); i++) {
            if (other.get(i) < 0) {
                found.add(of.get(i));
            }
        }
        return found.toArray();
    }

    /** The same in reverse. */
    DiffCounterparts reversed() {
        DiffCounterparts steps = new DiffCounterparts(size());
        for (int i = size() - 1; i >= 0; i--) {
            steps.add(first(i), second(i));
        }
        return steps;
    }
}
