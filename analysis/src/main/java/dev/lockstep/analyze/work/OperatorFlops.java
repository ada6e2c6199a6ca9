// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.perfmodel.Work;

/** Floating-point operations of operators, by the models that come with the program. */
public final class OperatorFlops {
    private final Works works;

    private OperatorFlops(Works works) {
        this.works = works;
    }

    /** By the program's own definitions. */
    public record Key() implements Derived<OperatorFlops> {
        @Override
        public OperatorFlops derive(Trace trace, DerivedCache cache) {
            OpModels models = OpModels.standard();
            AnalysisRules rules = AnalysisRules.standard();
            return new OperatorFlops(cache.get(new Works.Key(
                    WorkRules.standard(rules.withCategories(rules.categories().with(models)), models, null))));
        }
    }

    /**
     * {@return what an operator has to calculate, those inside it included; NaN where no model knows it}
     *
     * @param op row of the operator's slice
     */
    public double of(int op) {
        if (works.modelOf(op) == null) {
            return Double.NaN;
        }
        Work work = works.forward(op).work();
        return work == null ? Double.NaN : work.flops();
    }
}
