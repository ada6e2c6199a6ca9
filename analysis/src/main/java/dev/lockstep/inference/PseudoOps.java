// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.Trace;
import java.util.List;

/**
 * Takes operators apart that hold several steps of work of different kinds, so that each step can be told and modelled:
 * an operator is added for each, with the arguments that say how large it is.
 */
public final class PseudoOps {
    /** One way of taking an operator apart. */
    interface Rule {
        /** Adds what the rule finds in the trace. */
        void apply(PseudoOpBuilder ops);
    }

    /** In the order in which they are applied. */
    private static final List<Rule> RULES = List.of(
            new ProfilerOpNames(),
            new MoeSteps(),
            new FlydslMoeSteps(),
            new AttentionSteps(),
            new SparseDecodeSteps(),
            new CacheTypes());

    private PseudoOps() {}

    /**
     * The trace with the added operators; the same trace where there is nothing to add.
     *
     * @param tree the call tree, with Python frames where steps shall be told by them
     * @param links how launches are found
     * @param additions whose the kernels of a single step are: the step's, or still the operator's that launched them
     */
    public static Trace apply(Trace trace, CallTree.Key tree, LaunchRule links, Additions additions) {
        PseudoOpBuilder ops = new PseudoOpBuilder(trace, tree, links, additions);
        RULES.forEach(rule -> rule.apply(ops));
        return ops.build();
    }
}
