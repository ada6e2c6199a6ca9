// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

/**
 * How to merge.
 *
 * @param filter what to keep
 * @param rankInNames whether the names of slices and marks begin with the rank, as in {@code [R3] gemm}
 * @param recordedNames whether processes are called as recorded, without their rank
 * @param keepEnvironment whether values of environment variables and other secrets in the metadata are handed on
 */
public record MergeOptions(MergeFilter filter, boolean rankInNames, boolean recordedNames, boolean keepEnvironment) {
    /**
     * Processes are called by their rank, and secrets are left out.
     *
     * @param filter what to keep
     * @param rankInNames whether the names of slices and marks begin with the rank
     */
    public MergeOptions(MergeFilter filter, boolean rankInNames) {
        this(filter, rankInNames, false, false);
    }

    /** {@return the usual: everything but secrets, names as recorded} */
    public static MergeOptions standard() {
        return new MergeOptions(MergeFilter.none(), false);
    }

    /** {@return those for a recording that is whole by itself and knows what its processes are: everything but secrets} */
    public static MergeOptions oneRecording() {
        return new MergeOptions(MergeFilter.none(), false, true, false);
    }

    /** {@return the same with all that recorders note of environment variables} */
    public MergeOptions keepingEnvironment() {
        return new MergeOptions(filter, rankInNames, recordedNames, true);
    }
}
