// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conventions on which figures rest, where there is more than one. {@link #standard} is the right one; packages under
 * {@code compat} hand in those of other tools.
 *
 * @param types sizes and precisions of element types
 * @param kernels read names of kernels
 * @param kernelPrecision whether the precision that the kernel's name states goes before that of the operands' type
 * @param attention about attention
 * @param conv about convolutions
 * @param norm about normalisations
 * @param triton about generated kernels
 * @param reducedDimensions whether the dimensions of a reduction are read, which profilers record as text, else all count as
 *     reduced, and one without a shape reduces nothing
 */
public record ModelRules(
        ElementTypes types,
        KernelNames kernels,
        boolean kernelPrecision,
        AttentionRules attention,
        ConvRules conv,
        NormRules norm,
        TritonRules triton,
        boolean reducedDimensions) {
    /** The conventions of the program itself. */
    public static ModelRules standard() {
        ElementTypes types = ElementTypes.standard();
        return new ModelRules(
                types,
                KernelNames.standard(),
                true,
                new AttentionRules(true, true, true),
                new ConvRules(true, true, true, true, true, true),
                new NormRules(true, NormCost.STANDARD),
                new TritonRules(types, false, false, false),
                true);
    }

    /**
     * Unit and precision as devices list their peaks: {@code matrix_bf16}; empty when not known.
     *
     * @param unit matrix, vector or empty
     * @param type the type of the operands
     * @param kernelNames the kernels that computed
     */
    String computeSpec(String unit, @Nullable String type, List<String> kernelNames) {
        String precision = types.precision(type);
        if (kernelPrecision && unit.equals("matrix")) {
            KernelName kernel = kernels.first(kernelNames);
            precision = kernel == null || kernel.precision().isEmpty() ? precision : kernel.precision();
        }
        return precision.isEmpty() || unit.isEmpty() ? "" : unit + "_" + precision;
    }
}
