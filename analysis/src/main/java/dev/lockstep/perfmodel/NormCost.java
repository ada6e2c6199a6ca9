// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.NormSizes.Kind;

/** What normalisations cost. */
public interface NormCost {
    /** Each tensor is read or written once, statistics are kept in 4 bytes. */
    NormCost STANDARD = new Standard();

    /** Operations. */
    double flops(NormSizes sizes);

    /**
     * Bytes.
     *
     * @param in bytes of an element of the input
     * @param out bytes of an element of the output
     */
    double bytes(NormSizes sizes, double in, double out);

    /**
     * Statistics take 3 operations for each value (sum, difference, sum of squares) and 6 for each of them; applying them
     * and the weights takes 2. Backward: 4 for the sums of gradients, 5 for the gradient of the input, 2 of them where
     * statistics were given. By mean square alone: 2 for the square, then 1, or 2 with weights; backward 1 to normalise
     * again, 6 for the input's gradient, 1 for the weights, and 1 or 2 for their gradient.
     */
    final class Standard implements NormCost {
        private static final int STATISTIC = 4;

        @Override
        public double flops(NormSizes s) {
            double n = s.elements();
            if (s.kind() == Kind.RMS) {
                return s.backward() ? meanSquareBackward(s) : 2 * n + 2 * s.statistics() + (s.affine() ? 2 : 1) * n;
            }
            if (!s.backward()) {
                return 6 * s.statistics() + (s.training() ? 3 * n : 0) + 2 * n;
            }
            double input = s.training() ? 5 * n : 2 * n;
            return 4 * n + (s.training() ? 0 : 3 * s.statistics()) + (s.computes(0) ? input : 0);
        }

        private static double meanSquareBackward(NormSizes s) {
            double n = s.elements();
            double weights = s.computes(1) && s.affine() ? (s.statistics() > 1 ? 2 : 1) * n : 0;
            return (s.affine() ? n : 0) + n + (s.computes(0) ? 6 * n : 0) + weights;
        }

        @Override
        public double bytes(NormSizes s, double in, double out) {
            double n = s.elements();
            int each = s.kind() == Kind.RMS ? 1 : 2;
            double weights = s.affine() ? s.channels() * in : 0;
            if (s.backward()) {
                double gradients =
                        (s.computes(1) && s.affine() ? weights : 0) + (s.computes(2) ? s.channels() * in : 0);
                return n * out
                        + n * in
                        + (s.computes(0) ? n * in : 0)
                        + each * s.statistics() * STATISTIC
                        + weights
                        + gradients;
            }
            int passes = s.kind() != Kind.BATCH || !s.training() ? 1 : 3;
            return n * in
                    + n * out
                    + weights
                    + (s.affine() && s.bias() ? s.channels() * in : 0)
                    + passes * each * s.statistics() * STATISTIC;
        }
    }
}
