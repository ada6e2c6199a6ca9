// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.perfmodel.AttentionRules;
import dev.lockstep.perfmodel.ConvRules;
import dev.lockstep.perfmodel.ElementTypes;
import dev.lockstep.perfmodel.KernelNames;
import dev.lockstep.perfmodel.ModelRules;
import dev.lockstep.perfmodel.NormRules;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.perfmodel.TritonRules;

/** Performance models with the conventions of TraceLens. */
public final class TraceLensModels {
    private TraceLensModels() {}

    /** All models, by its conventions. */
    public static OpModels models() {
        return OpModels.of(rules()).with("op-models.json", resource("op-models.json"));
    }

    static ModelRules rules() {
        return new ModelRules(
                ElementTypes.parse(resource("element-types.txt")),
                KernelNames.parse(resource("kernel-names.txt")),
                false,
                new AttentionRules(false, false, false),
                new ConvRules(false, false, false, false, false, false),
                new NormRules(false, new TraceLensNormCost()),
                new TritonRules(ElementTypes.parse(resource("triton-types.txt")), true, true, true),
                false);
    }

    private static String resource(String name) {
        return KernelRules.resource(TraceLensModels.class.getResourceAsStream(name));
    }
}
