// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;

/**
 * What a normalisation works on.
 *
 * @param kind what it normalises over
 * @param elements of the tensor
 * @param channels elements of the weights, were there any
 * @param statistics means and variances, one for each part that is normalised for itself; NaN when arguments do not count
 *     as recorded
 * @param affine whether the result is multiplied by weights
 * @param bias whether a bias is added then
 * @param training whether statistics are computed, else they are given
 * @param mask which gradients a backward computes: of the input, the weights, the bias; empty for a forward
 */
public record NormSizes(
        Kind kind,
        double elements,
        double channels,
        double statistics,
        boolean affine,
        boolean bias,
        boolean training,
        List<Boolean> mask) {
    /** What is normalised for itself. */
    public enum Kind {
        /** Each channel over the whole batch. */
        BATCH,
        /** Each row of the last dimensions. */
        LAYER,
        /** Each group of channels of each sample. */
        GROUP,
        /** Each channel of each sample. */
        INSTANCE,
        /** Each row, by its mean square alone. */
        RMS
    }

    public NormSizes {
        mask = List.copyOf(mask);
    }

    /** Whether it is the backward pass. */
    public boolean backward() {
        return !mask.isEmpty();
    }

    /** Whether a backward computes a gradient: 0 of the input, 1 of the weights, 2 of the bias. */
    public boolean computes(int gradient) {
        return gradient < mask.size() && mask.get(gradient);
    }
}
