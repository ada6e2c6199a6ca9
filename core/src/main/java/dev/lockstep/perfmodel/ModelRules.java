// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/**
 * The conventions on which figures rest, where there is more than one. {@link #standard} is the right one; packages under
 * {@code compat} hand in those of other tools.
 *
 * @param types sizes and precisions of element types
 * @param kernels read names of kernels
 * @param kernelPrecision whether the precision that the kernel's name states goes before that of the operands' type
 */
public record ModelRules(ElementTypes types, KernelNames kernels, boolean kernelPrecision) {
    /** The conventions of the program itself. */
    public static ModelRules standard() {
        return new ModelRules(ElementTypes.standard(), KernelNames.standard(), true);
    }
}
