// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Arrays;

/**
 * Whether a file writes slices before or behind those that they enclose, for each kind: as they began, as profilers do that
 * keep a list of calls, or as they ended, as programs do that write a slice when it is complete. Slices whose times tell
 * which encloses the other say so; a file whose events were shuffled says nothing. Kinds without such slices are taken to be
 * written as they began.
 */
final class EnclosingFirst {
    /** So many of them must agree. */
    private static final int MOST_DISSENT = 10;

    private final int[] signs;

    private EnclosingFirst(int[] signs) {
        this.signs = signs;
    }

    /** @param byStart numbers of slices in order of their start */
    static EnclosingFirst of(TraceBuilder b, int[] byStart) {
        int kinds = SliceKind.values().length;
        int[] first = new int[kinds];
        int[] behind = new int[kinds];
        int[] last = new int[b.trackList().size()];
        Arrays.fill(last, -1);
        for (int slice : byStart) {
            int before = last[b.track.get(slice)];
            last[b.track.get(slice)] = slice;
            if (before >= 0
                    && b.kind.get(before) == b.kind.get(slice)
                    && b.ts.get(before) < b.ts.get(slice)
                    && b.ts.get(before) + b.dur.get(before) >= b.ts.get(slice) + b.dur.get(slice)) {
                int[] votes = b.index.get(before) < b.index.get(slice) ? first : behind;
                votes[b.kind.get(slice)]++;
            }
        }
        int[] signs = new int[kinds];
        for (int kind = 0; kind < kinds; kind++) {
            int dissent = Math.min(first[kind], behind[kind]);
            boolean agreed = dissent * MOST_DISSENT <= first[kind] + behind[kind];
            signs[kind] = !agreed ? 0 : first[kind] >= behind[kind] ? 1 : -1;
        }
        return new EnclosingFirst(signs);
    }

    /** Which of two events of a kind began first, by their places in the file; 0 when these do not tell. */
    int compare(SliceKind kind, int index, int otherIndex) {
        return signs[kind.ordinal()] * Integer.signum(Integer.compare(index, otherIndex));
    }
}
