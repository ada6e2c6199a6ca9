// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.analyze.work.FamilySummary;
import dev.lockstep.perfmodel.OpModel;
import java.util.Set;

/**
 * How TraceLens spreads families over sheets: some backward operators are known by name, the others stay among the
 * forward ones.
 *
 * @param inference whether it is the report for inference, in which fewer families have a single sheet
 */
record TraceLensFamilies(boolean inference) implements FamilySummary.Layout {
    private static final Set<String> SINGLE = Set.of("GEMM", "UnaryElementwise", "BinaryElementwise");
    private static final Set<String> BACKWARD = Set.of(
            "flash_attn::_flash_attn_varlen_backward",
            "aten::convolution_backward",
            "ConvBias_Backward",
            "ConvBiasReLU_Backward");
    private static final Set<String> NOT_DERIVED = Set.of(
            "vllm::unified_attention_with_output",
            "aten::convolution",
            "aten::miopen_convolution",
            "aten::cudnn_convolution",
            "ConvBias_",
            "ConvBiasReLU_");

    @Override
    public boolean single(String family) {
        return SINGLE.contains(family) || family.equals("Normalization") && !inference;
    }

    @Override
    public boolean isBackward(String name, OpModel model) {
        return BACKWARD.contains(name);
    }

    @Override
    public boolean derivesBackward(String name, boolean explicit) {
        return !NOT_DERIVED.contains(name);
    }
}
