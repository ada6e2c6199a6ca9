// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.KernelRules;
import dev.lockstep.perfmodel.ElementTypes;
import dev.lockstep.perfmodel.KernelNames;
import dev.lockstep.perfmodel.ModelRules;
import dev.lockstep.perfmodel.OpModels;

/** Performance models with the conventions of TraceLens. */
public final class TraceLensModels {
    private TraceLensModels() {}

    /** All models, by its conventions. */
    public static OpModels models() {
        return OpModels.of(rules())
                .with("op-models.json", KernelRules.resource(TraceLensModels.class, "op-models.json"));
    }

    static ModelRules rules() {
        return new ModelRules(
                ElementTypes.parse(KernelRules.resource(TraceLensModels.class, "element-types.txt")),
                KernelNames.parse(KernelRules.resource(TraceLensModels.class, "kernel-names.txt")),
                false);
    }
}
