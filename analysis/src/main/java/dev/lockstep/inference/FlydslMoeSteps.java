// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.SliceKind;
import java.util.List;

/** The two stages of AITER's mixture of experts in FlyDSL, told by the functions that run them. */
final class FlydslMoeSteps implements PseudoOps.Rule {
    private static final String PARENT = "aiter::fused_moe_";

    @Override
    public void apply(PseudoOpBuilder ops) {
        if (!ops.mentions(PARENT)) {
            return;
        }
        for (String stage : List.of("stage1", "stage2")) {
            String function = "flydsl_moe_" + stage;
            int[] nodes = ops.matching(
                    SliceKind.CPU_OP,
                    name -> name.startsWith(ProfilerOpNames.PREFIX)
                            && ProfilerOpNames.plain(name).endsWith(function));
            if (nodes.length == 0) {
                nodes = ops.matching(SliceKind.PYTHON, name -> name.endsWith(": " + function));
            }
            for (int node : nodes) {
                int parent = ops.above(node, PARENT);
                if (parent >= 0) {
                    ops.enclose(node, "pseudo_op::moe_flydsl_" + stage, parent, "");
                }
            }
        }
    }
}
