// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.model.Slices;

/** How long device activities count when rates are computed from them. */
@FunctionalInterface
public interface KernelSeconds {
    /** The exact time. */
    KernelSeconds EXACT = (slices, activities, ns) -> ns / 1e9;

    /**
     * A time in seconds.
     *
     * @param activities device slices in order of their rows
     * @param ns exact time in which any of them ran
     */
    double of(Slices slices, int[] activities, long ns);
}
