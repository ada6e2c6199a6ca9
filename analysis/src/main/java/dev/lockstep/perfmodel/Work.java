// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;

/**
 * What a call has to do.
 *
 * @param flops floating-point operations; a multiplication and an addition count as two
 * @param bytes bytes that at least have to be read and written, each tensor once; NaN when unknown
 * @param computeSpec unit and precision of the arithmetic, the key of a device's peaks: {@code matrix_bf16},
 *     {@code vector_fp32}; empty when unknown
 * @param parameters what the numbers follow from, in the order in which they are shown
 */
public record Work(double flops, double bytes, String computeSpec, List<Parameter> parameters) {
    public Work {
        parameters = List.copyOf(parameters);
    }

    /** Operations per byte; NaN when the bytes are unknown or none. */
    public double intensity() {
        return bytes > 0 ? flops / bytes : Double.NaN;
    }
}
