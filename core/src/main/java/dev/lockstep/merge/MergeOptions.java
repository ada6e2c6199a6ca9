// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

/**
 * How to merge.
 *
 * @param filter what to keep
 * @param rankInNames whether the names of slices and marks begin with the rank, as in {@code [R3] gemm}
 */
public record MergeOptions(MergeFilter filter, boolean rankInNames) {
    /** Everything, names as recorded. */
    public static MergeOptions standard() {
        return new MergeOptions(MergeFilter.none(), false);
    }
}
