// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code overlapping_steps}: marks of steps that begin before the one before ends. Of two the first counts. */
final class OverlappingSteps implements Doubt {
    @Override
    public @Nullable Reason of(DerivedCache cache) {
        Steps steps = cache.get(new Steps.Key(null));
        int count = steps.overlapping();
        if (count == 0) {
            return null;
        }
        int all = steps.steps().size() + count;
        return new Reason(
                "overlapping_steps",
                count,
                all,
                (double) count / all,
                Words.count(count) + " of " + Words.count(all, "mark of a step begins", "marks of steps begin")
                        + " before the step before ends. Left out: " + (count == 1 ? "this step." : "these steps."),
                Set.of(Topic.STEPS),
                "Mark each step once, one behind the other.");
    }
}
