// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.trust;

import dev.lockstep.analyze.Observations;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Trust;
import dev.lockstep.report.Trust.Reason;
import java.util.ArrayList;
import java.util.List;

/** How far the trace of a rank can be believed. */
public final class TraceTrust {
    /** Each stands for a code. */
    private static final List<Doubt> DOUBTS = List.of(
            new ImpossibleDurations(),
            new ImpossibleTimes(),
            new LostActivity(),
            new EarlyKernels(),
            new AmbiguousLinks(),
            new UnreadEvents(),
            new OverlappingSteps(),
            new PartialSteps(),
            new ProfilerOverhead());

    private TraceTrust() {}

    /** Everything that speaks against it. Of a part of a recording nothing is said: what it lacks may lie elsewhere. */
    public static Trust of(DerivedCache cache) {
        if (Observations.partOf(cache.trace().info()) != null) {
            return Trust.SOUND;
        }
        List<Reason> reasons = new ArrayList<>();
        for (Doubt doubt : DOUBTS) {
            Reason reason = doubt.of(cache);
            if (reason != null) {
                reasons.add(reason);
            }
        }
        return new Trust(reasons);
    }
}
