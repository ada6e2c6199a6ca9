// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.Steps.Step;
import dev.lockstep.model.Slices;
import dev.lockstep.report.Trust.Reason;
import dev.lockstep.words.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code partial_steps}: the recording begins or ends within a step, of which it therefore holds less than half of the launches that the
 * steps between have. A caveat: such a step is the shortest, and nothing rests on the shortest alone.
 */
final class PartialSteps implements Doubt {
    private static final int FEWEST = 4;

    @Override
    public @Nullable Reason of(DerivedCache cache) {
        Steps steps = cache.get(new Steps.Key(null));
        List<Step> all = steps.steps();
        if (!steps.source().isMarked() || all.size() < FEWEST) {
            return null;
        }
        long[] calls = new long[all.size()];
        Slices slices = cache.trace().slices();
        for (int i = 0; i < slices.size(); i++) {
            int step = slices.kind(i).isLaunchCall() ? steps.at(slices.ts(i)) : -1;
            if (step >= 0) {
                calls[step]++;
            }
        }
        long[] inner = Arrays.copyOfRange(calls, 1, calls.length - 1);
        Arrays.sort(inner);
        long least = inner[0];
        int count = (calls[0] * 2 < least ? 1 : 0) + (calls[calls.length - 1] * 2 < least ? 1 : 0);
        if (count == 0) {
            return null;
        }
        return new Reason(
                "partial_steps",
                count,
                all.size(),
                (double) count / all.size(),
                Words.count(count, "step at the edge of the trace has", "steps at the edges of the trace have")
                        + " less than half of the launches of the others.",
                Set.of(),
                "");
    }
}
