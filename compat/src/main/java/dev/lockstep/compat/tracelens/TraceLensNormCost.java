// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.perfmodel.NormCost;
import dev.lockstep.perfmodel.NormSizes;
import dev.lockstep.perfmodel.NormSizes.Kind;

/**
 * What TraceLens takes normalisations to cost: one mean and one variance for each channel, whatever is normalised over, in
 * the type of the input.
 */
final class TraceLensNormCost implements NormCost {
    @Override
    public double flops(NormSizes s) {
        double n = s.elements();
        double c = s.channels();
        if (s.kind() == Kind.RMS) {
            return s.backward() ? meanSquareBackward(s) : n / c * (2 * c + 2) + (s.affine() ? 2 : 1) * n;
        }
        if (!s.backward()) {
            return 6 * c + (s.training() ? 3 * n : 0) + 2 * n;
        }
        double input = s.computes(0) ? (s.training() ? 5 * n : 0) : 2 * n;
        return (s.training() ? 0 : 3 * c) + 4 * n + input;
    }

    private static double meanSquareBackward(NormSizes s) {
        double n = s.elements();
        double weights = s.computes(1) && s.affine() ? (n / s.channels() > 1 ? 2 : 1) * n : 0;
        return (s.affine() ? n : 0) + n + (s.computes(0) ? 6 * n : 0) + weights;
    }

    @Override
    public double bytes(NormSizes s, double in, double out) {
        double n = s.elements();
        double row = s.channels() * in;
        if (s.kind() == Kind.RMS) {
            return s.backward()
                    ? n * out + 2 * n * in + (s.affine() ? 2 * row : 0)
                    : n * in + n * out + (s.affine() ? row : 0);
        }
        if (!s.backward()) {
            int rows = 2 + (s.affine() ? s.bias() ? 2 : 1 : 0) + (s.training() ? 2 : 0);
            return n * in + n * out + rows * row;
        }
        double weights = s.affine() ? row + (s.training() ? (s.bias() ? 2 : 1) * row : 0) : 0;
        return n * out + n * in * (s.computes(0) && s.training() ? 2 : 1) + (s.training() ? row : 0) + weights;
    }
}
