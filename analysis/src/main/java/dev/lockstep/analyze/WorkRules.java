// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.derive.AnnotationRule;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.OpModels;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The definitions on which numbers about the work of operators rest.
 *
 * @param base how operators, launches and kernels are known
 * @param models know the work of operators
 * @param device what work is measured against, or null
 * @param backward whether operators may get figures from the forward operator that they are the backward of
 * @param thoroughLinks whether forward and backward are joined where numbers alone do not tell, and gradients tell of results
 * @param driverLaunches whether an operator that launches through the driver's library launches by itself
 * @param wholeBackward whether the time of such a backward operator is that of all backward nodes of its forward operator
 * @param seconds how long activities count for rates
 * @param annotations which annotation tells of an operator's iteration
 * @param fileOrder whether the first of several like operators is the first in the file, else the first in time
 */
public record WorkRules(
        AnalysisRules base,
        OpModels models,
        @Nullable Device device,
        boolean backward,
        boolean thoroughLinks,
        boolean driverLaunches,
        boolean wholeBackward,
        KernelSeconds seconds,
        AnnotationRule annotations,
        boolean fileOrder) {
    /** The definitions of the program itself. */
    public static WorkRules standard(AnalysisRules base, OpModels models, @Nullable Device device) {
        return new WorkRules(
                base, models, device, true, true, true, false, KernelSeconds.EXACT, AnnotationRule.ITERATION, false);
    }

    /** Orders rows by time, longest first: exactly, or as rates see the time if that is something else. */
    public <R> Comparator<R> longestFirst(ToLongFunction<R> ns, ToDoubleFunction<R> sum) {
        return seconds.isExact()
                ? Comparator.comparingLong(ns).reversed()
                : Comparator.comparingDouble(sum).reversed();
    }

    public SubtreeActivity.Key activity() {
        return new SubtreeActivity.Key(base.tree(), base.links());
    }

    public AutogradLinks.Key autograd() {
        return new AutogradLinks.Key(base.tree(), thoroughLinks);
    }
}
