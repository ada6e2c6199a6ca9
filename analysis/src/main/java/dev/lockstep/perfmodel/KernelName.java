// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import org.jspecify.annotations.Nullable;

/**
 * What the name of a kernel tells about the matrix product that it computes.
 *
 * @param library whose kernel it is, by the names of {@code kernel-names.txt}: {@code tensile}, {@code nvjet}
 * @param transposedA whether the first operand is read transposed, null when the name does not say
 * @param transposedB whether the second operand is
 * @param tile rows, columns and depth of the part of the product that one workgroup computes, null when not said
 * @param precision in which it multiplies: {@code tf32}; empty when not said
 */
public record KernelName(
        String library,
        @Nullable Boolean transposedA,
        @Nullable Boolean transposedB,
        @Nullable Shape tile,
        String precision) {
    /** Both flags as a pair, with nothing for what is not said. */
    Value transpose() {
        return Value.tuple(value(transposedA), value(transposedB));
    }

    private static Value value(@Nullable Boolean flag) {
        return flag == null ? Value.NONE : Value.of((boolean) flag);
    }
}
