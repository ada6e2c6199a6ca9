// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.kernels.KernelCategories;

/** The twelve kinds of kernels in piep's breakdown of its Vicuna data. */
final class PiepCategories {
    private PiepCategories() {}

    /** Their rules. */
    public static KernelCategories rules() {
        return KernelCategories.parse(
                KernelRules.resource(PiepCategories.class.getResourceAsStream("kernel-categories.txt")),
                "kernel-categories.txt");
    }
}
