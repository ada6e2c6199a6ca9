// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import org.jspecify.annotations.Nullable;

/**
 * What makes kernels the same. Fields that do not tell them apart are absent.
 *
 * @param name of the kernel, copy or fill
 * @param launch how it was launched
 * @param operator what launched it
 */
public record KernelIdentity(String name, Launch launch, Operator operator) {
    /**
     * @param grid as JSON text, null when absent
     * @param block as JSON text, null when absent
     * @param sharedMemory of a block in bytes, -1 when absent
     * @param bytes that a copy or fill moves, -1 when absent
     * @param registers per thread, -1 when absent
     */
    public record Launch(
            @Nullable String grid, @Nullable String block, long sharedMemory, long bytes, long registers) {}

    /**
     * @param name null when unknown
     * @param shapes of the inputs as JSON text, null when absent
     * @param types of the inputs as JSON text, null when absent
     * @param strides of the inputs as JSON text, null when absent
     */
    public record Operator(
            @Nullable String name,
            @Nullable String shapes,
            @Nullable String types,
            @Nullable String strides) {
        /** Nothing is known. */
        public static final Operator UNKNOWN = new Operator(null, null, null, null);
    }
}
