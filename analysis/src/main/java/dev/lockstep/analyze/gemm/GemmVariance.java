// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.perfmodel.OpModels;

/**
 * How long the kernels of matrix multiplications take, shape by shape, and whether communication that runs at the same
 * time slows them. Every kernel is linked to its operator by its launch.
 *
 * @param rules definitions
 */
public record GemmVariance(WorkRules rules) implements Analysis<RankGemms> {
    /** By the program's own definitions. */
    public static GemmVariance standard() {
        OpModels models = OpModels.standard();
        AnalysisRules base = AnalysisRules.standard();
        return new GemmVariance(
                WorkRules.standard(base.withCategories(base.categories().with(models)), models, null));
    }

    @Override
    public String id() {
        return TableNames.GEMM_VARIANCE;
    }

    @Override
    public RankGemms run(DerivedCache cache) {
        return new GemmRun(cache, rules).result();
    }
}
