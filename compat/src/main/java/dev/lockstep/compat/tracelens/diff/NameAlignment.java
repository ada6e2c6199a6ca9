// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.analyze.compare.EditMatrix;

/**
 * Pairs siblings by name at the least edit distance. Where several ways are equally short, the tool's own preference: from
 * the end, equal names are paired, else the first list gives one up if that is short, else the second list does.
 */
final class NameAlignment {
    private final Side one;
    private final Side two;
    private final RepeatedNames repeated;

    NameAlignment(Side one, Side two) {
        this.one = one;
        this.two = two;
        repeated = new RepeatedNames(one, two);
    }

    /**
     * Pairs two lists of nodes; nodes of a repeated name are paired by what hangs below them.
     *
     * @param loose whether names are compared loosely
     */
    DiffCounterparts align(int[] first, int[] second, boolean loose) {
        return repeated.settle(shortest(names(one, first, loose), names(two, second, loose)), first, second);
    }

    private static int[] names(Side side, int[] nodes, boolean loose) {
        int[] names = new int[nodes.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = loose ? side.looseName(nodes[i]) : side.name(nodes[i]);
        }
        return names;
    }

    /** The steps that lead from one sequence to the other. */
    static DiffCounterparts shortest(int[] a, int[] b) {
        int i = a.length;
        int j = b.length;
        DiffCounterparts backwards = new DiffCounterparts(i + j);
        EditMatrix matrix = null;
        while (i > 0 || j > 0) {
            if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
                backwards.add(--i, --j);
                continue;
            }
            if (i > 0 && j > 0 && matrix == null) {
                matrix = new EditMatrix(a, b);
            }
            if (i > 0 && (j == 0 || matrix != null && matrix.rises(i, j))) {
                backwards.add(--i, -1);
            } else {
                backwards.add(-1, --j);
            }
        }
        return backwards.reversed();
    }
}
