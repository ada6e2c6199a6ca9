// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.model.Slices;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Kernels of one shape with communication at the same time against those without. Where kernels of a shape have different
 * places in a step, the place itself may matter, by what ran before: then each is compared only with those at the same
 * place of other steps, provided that this keeps at least half of the information and enough places in the run to tell how
 * they scatter.
 */
final class Comparison {
    private static final double HALF = 0.5;
    private static final int ENOUGH = 5;

    private static final int NEIGHBOURS = 2;

    /** The stratum of kernels that are compared with none. */
    private static final int ALONE = -1;

    private final GemmKernels kernels;
    private final IntList members;
    private final double[] logarithms;
    private final Contrast during;
    private final Contrast atStart;
    private final boolean byPosition;

    /** @param sized whether all members are known to have operands of the same sizes */
    Comparison(GemmKernels kernels, Slices slices, IntList members, Communication communication, boolean sized) {
        this.kernels = kernels;
        this.members = members;
        int n = members.size();
        logarithms = new double[n];
        boolean[] overlapped = new boolean[n];
        boolean[] begun = new boolean[n];
        for (int k = 0; k < n; k++) {
            int kernel = kernels.slice(members.get(k));
            logarithms[k] = StrictMath.log((double) slices.dur(kernel));
            overlapped[k] = communication.covered(slices.ts(kernel), slices.end(kernel)) > 0;
            begun[k] = communication.isRunning(slices.ts(kernel));
        }
        int[] position = positions(kernels, members, sized);
        int[] one = new int[n];
        Contrast plain = contrast(one, overlapped);
        Contrast placed = contrast(position, overlapped);
        byPosition = !sized || placed.information() >= HALF * plain.information() && placed.places() >= ENOUGH;
        during = byPosition ? placed : plain;
        atStart = contrast(byPosition ? position : one, begun);
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

    /**
     * How many of the members came before in the same step; all outside of steps are alike. Of members whose sizes are not known, those in
     * steps that have as many of them as most, and no others.
     */
    private static int[] positions(GemmKernels kernels, IntList members, boolean sized) {
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
        if (!sized) {
            int usual = usual(seen, kernels, members);
            for (int k = 0; k < position.length; k++) {
                int step = kernels.step(members.get(k));
                position[k] = step < 0 || seen.get(step) != usual ? ALONE : position[k];
            }
        }
        return position;
    }

    /** How many members most steps that have any have, of several such numbers the largest. */
    private static int usual(LongIntMap countOf, GemmKernels kernels, IntList members) {
        TreeMap<Integer, Integer> often = new TreeMap<>();
        for (int k = 0; k < members.size(); k++) {
            int step = kernels.step(members.get(k));
            if (step >= 0) {
                often.merge(countOf.get(step), 1, Integer::sum);
            }
        }
        int usual = 0;
        double most = 0;
        for (Map.Entry<Integer, Integer> one : often.entrySet()) {
            double steps = (double) one.getValue() / one.getKey();
            usual = steps >= most ? one.getKey() : usual;
            most = Math.max(most, steps);
        }
        return usual;
    }

    /** @param stratum kernels are neighbours of those of the same stratum alone */
    private Contrast contrast(int[] stratum, boolean[] communicating) {
        List<IntList> strata = new ArrayList<>();
        Contrast contrast = new Contrast();
        for (int k = 0; k < stratum.length; k++) {
            while (strata.size() <= stratum[k]) {
                strata.add(new IntList(8));
            }
            if (stratum[k] != ALONE) {
                strata.get(stratum[k]).add(k);
            }
            contrast.count(communicating[k]);
        }
        for (IntList own : strata) {
            for (int j = 0; j < own.size(); j++) {
                add(contrast, own, j, communicating);
            }
        }
        return contrast;
    }

    /** A kernel less its neighbours, which are the two before it and the two after it. */
    private void add(Contrast contrast, IntList own, int j, boolean[] communicating) {
        int from = Math.max(0, j - NEIGHBOURS);
        int to = Math.min(own.size() - 1, j + NEIGHBOURS);
        double overlapped = 0;
        double logarithm = 0;
        for (int other = from; other <= to; other++) {
            overlapped += other != j && communicating[own.get(other)] ? 1 : 0;
            logarithm += other != j ? logarithms[own.get(other)] : 0;
        }
        if (to > from) {
            int k = own.get(j);
            int place = (int) ((long) members.get(k) * Contrast.PLACES / kernels.size());
            contrast.add(
                    place,
                    (communicating[k] ? 1 : 0) - overlapped / (to - from),
                    logarithms[k] - logarithm / (to - from));
        }
    }
}
