// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels of one shape with communication at the same time against those without. Where kernels of a shape have different
 * places in a step, the place itself may matter, by what ran before: then each is compared only with those at the same
 * place of other steps, provided that this keeps at least half of the information and enough to tell how both sides
 * scatter.
 */
final class Comparison {
    private static final double HALF = 0.5;
    private static final int ENOUGH = 5;

    private final Contrast during;
    private final Contrast atStart;
    private final boolean byPosition;

    Comparison(GemmKernels kernels, Slices slices, IntList members, Communication communication) {
        int n = members.size();
        boolean[] overlapped = new boolean[n];
        boolean[] begun = new boolean[n];
        for (int k = 0; k < n; k++) {
            int kernel = kernels.slice(members.get(k));
            overlapped[k] = communication.covered(slices.ts(kernel), slices.end(kernel)) > 0;
            begun[k] = communication.isRunning(slices.ts(kernel));
        }
        int[] position = positions(kernels, members);
        int[] one = new int[n];
        Contrast plain = contrast(kernels, slices, members, one, overlapped);
        Contrast placed = contrast(kernels, slices, members, position, overlapped);
        byPosition = placed.information() >= HALF * plain.information() && placed.freedom() >= ENOUGH;
        during = byPosition ? placed : plain;
        atStart = contrast(kernels, slices, members, byPosition ? position : one, begun);
    }

    Contrast during() {
        return during;
    }

    /** The same by whether communication ran when the kernel began. */
    Contrast atStart() {
        return atStart;
    }

    boolean isByPosition() {
        return byPosition;
    }

    /** How many of the members came before in the same step; all outside of steps are alike. */
    private static int[] positions(GemmKernels kernels, IntList members) {
        LongIntMap seen = new LongIntMap(64);
        int[] position = new int[members.size()];
        for (int k = 0; k < position.length; k++) {
            int step = kernels.step(members.get(k));
            if (step >= 0) {
                int before = Math.max(0, seen.get(step));
                seen.put(step, before + 1);
                position[k] = before + 1;
            }
        }
        return position;
    }

    private static Contrast contrast(
            GemmKernels kernels, Slices slices, IntList members, int[] stratum, boolean[] communicating) {
        List<LogMoments> with = new ArrayList<>();
        List<LogMoments> without = new ArrayList<>();
        for (int k = 0; k < stratum.length; k++) {
            while (with.size() <= stratum[k]) {
                with.add(new LogMoments());
                without.add(new LogMoments());
            }
            long duration = slices.dur(kernels.slice(members.get(k)));
            (communicating[k] ? with : without).get(stratum[k]).add(duration);
        }
        Contrast contrast = new Contrast();
        for (int i = 0; i < with.size(); i++) {
            contrast.add(with.get(i), without.get(i));
        }
        return contrast;
    }
}
