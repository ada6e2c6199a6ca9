// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import dev.lockstep.table.IntList;

/** For each operation, those that wait for it, in the order in which the file says so. */
public final class Dependents {
    private static final int[] NONE = new int[0];

    private final int[] first;
    private final int[] target;

    private Dependents(int[] first, int[] target) {
        this.first = first;
        this.target = target;
    }

    /** Dependents given one by one: {@code waiting.get(i)} waits for {@code awaited.get(i)}. */
    static Dependents of(int operations, IntList awaited, IntList waiting) {
        int n = awaited.size();
        if (n == 0) {
            return new Dependents(NONE, NONE);
        }
        int[] first = new int[operations + 1];
        for (int i = 0; i < n; i++) {
            first[awaited.get(i) + 1]++;
        }
        for (int i = 0; i < operations; i++) {
            first[i + 1] += first[i];
        }
        int[] target = new int[n];
        for (int i = 0; i < n; i++) {
            target[first[awaited.get(i)]++] = waiting.get(i);
        }
        System.arraycopy(first, 0, first, 1, operations);
        first[0] = 0;
        return new Dependents(first, target);
    }

    /** How many dependencies there are. */
    public int size() {
        return target.length;
    }

    /** Index of the first dependent of an operation. */
    public int from(int operation) {
        return first.length == 0 ? 0 : first[operation];
    }

    /** Index behind the last dependent of an operation. */
    public int to(int operation) {
        return first.length == 0 ? 0 : first[operation + 1];
    }

    /** The dependent at an index. */
    public int target(int index) {
        return target[index];
    }

    void count(int[] counts) {
        for (int waiting : target) {
            counts[waiting]++;
        }
    }
}
