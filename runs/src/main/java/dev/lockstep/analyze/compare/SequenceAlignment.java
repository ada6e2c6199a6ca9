// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import dev.lockstep.table.IntList;
import java.util.Arrays;

/** Which elements of one sequence are those of another: equal ones, in the same order, at the least edit distance. */
final class SequenceAlignment {
    /** From here on, sequences are cut into pieces of equal share, so that time stays linear in their length. */
    private static final int LONGEST = 1 << 16;

    private SequenceAlignment() {}

    /** For each element of {@code a} the place in {@code b} of the equal element that it is taken for, or -1. */
    static int[] places(int[] a, int[] b) {
        int[] places = new int[a.length];
        Arrays.fill(places, -1);
        int from = 0;
        int shorter = Math.min(a.length, b.length);
        while (from < shorter && a[from] == b[from]) {
            places[from] = from;
            from++;
        }
        int end1 = a.length;
        int end2 = b.length;
        while (end1 > from && end2 > from && a[end1 - 1] == b[end2 - 1]) {
            places[--end1] = --end2;
        }
        int longest = Math.max(end1 - from, end2 - from);
        int pieces = longest / LONGEST + 1;
        for (int p = 0; p < pieces; p++) {
            Part left = new Part(a, share(from, end1, p, pieces), share(from, end1, p + 1, pieces));
            Part right = new Part(b, share(from, end2, p, pieces), share(from, end2, p + 1, pieces));
            align(left, right, places);
        }
        return places;
    }

    private static int share(int from, int to, int piece, int pieces) {
        return (int) (from + (long) (to - from) * piece / pieces);
    }

    /** A sequence from one place up to another. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Part(int[] all, int from, int to) {}

    private static void align(Part a, Part b, int[] places) {
        int[] kept1 = common(a, b);
        int[] kept2 = common(b, a);
        if (kept1.length == 0 || kept2.length == 0) {
            return;
        }
        int[] x = values(a.all, kept1);
        int[] y = values(b.all, kept2);
        EditMatrix matrix = new EditMatrix(x, y);
        int i = x.length;
        int j = y.length;
        while (i > 0 && j > 0) {
            if (x[i - 1] == y[j - 1]) {
                places[kept1[--i]] = kept2[--j];
            } else if (matrix.rises(i, j)) {
                i--;
            } else if (matrix.rises(i, j - 1)) {
                i--;
                j--;
            } else {
                j--;
            }
        }
    }

    /** Places of elements that occur in the other sequence at all; the rest cannot have a counterpart. */
    private static int[] common(Part of, Part other) {
        int[] sorted = Arrays.copyOfRange(other.all, other.from, other.to);
        Arrays.sort(sorted);
        IntList places = new IntList(of.to - of.from);
        for (int i = of.from; i < of.to; i++) {
            if (Arrays.binarySearch(sorted, of.all[i]) >= 0) {
                places.add(i);
            }
        }
        return places.toArray();
    }

    private static int[] values(int[] of, int[] places) {
        int[] values = new int[places.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = of[places[i]];
        }
        return values;
    }
}
