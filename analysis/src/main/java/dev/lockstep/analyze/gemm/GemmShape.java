// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in the service of an operator with arguments of one shape: what can be compared with itself, on all ranks and
 * under all configurations.
 *
 * @param kernel name of the kernel
 * @param operator the operator that launched it, null when its launch is not known or no operator stands around it
 * @param dims shapes of the operator's inputs as JSON text, null when not recorded
 * @param types their element types
 * @param strides their strides
 */
public record GemmShape(
        String kernel,
        @Nullable String operator,
        @Nullable String dims,
        @Nullable String types,
        @Nullable String strides) {
    /** By kernel, then by everything else. */
    public static final Comparator<GemmShape> ORDER = Comparator.comparing(GemmShape::kernel)
            .thenComparing(s -> Objects.requireNonNullElse(s.operator(), ""))
            .thenComparing(s -> Objects.requireNonNullElse(s.dims(), ""))
            .thenComparing(s -> Objects.requireNonNullElse(s.types(), ""))
            .thenComparing(s -> Objects.requireNonNullElse(s.strides(), ""));
}
