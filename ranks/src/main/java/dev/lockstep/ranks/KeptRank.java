// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.path.RankPart;
import dev.lockstep.report.Trust;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a rank once its trace was read.
 *
 * @param collectives its communication kernels
 * @param steps its steps that have activity, in order
 * @param part what its threads and devices did, and why not earlier; null where that was not asked for
 * @param trust how far its trace can be believed
 */
public record KeptRank(
        RankCollectives collectives,
        List<StepsByRank.Step> steps,
        @Nullable RankPart part,
        Trust trust) {
    /** Copies the list. */
    public KeptRank {
        steps = List.copyOf(steps);
    }

    /** What is kept of a rank whose trace can be believed. */
    public KeptRank(RankCollectives collectives, List<StepsByRank.Step> steps, @Nullable RankPart part) {
        this(collectives, steps, part, Trust.SOUND);
    }

    /** What is kept of a trace. */
    public static KeptRank of(DerivedCache trace) {
        return withoutPart(trace).withPart(RankPart.of(trace, AnalysisRules.standard()));
    }

    /** What is kept of a trace where nobody asks what waited for what. */
    public static KeptRank withoutPart(DerivedCache trace) {
        StepTimeline.Result steps = new StepTimeline(AnalysisRules.standard(), null).withHost(trace);
        RankCollectives collectives = trace.get(RankCollectives.Key.standard());
        return new KeptRank(collectives, OwnTimes.of(trace, steps), null, TraceTrust.of(trace));
    }

    /**
     * The communication kernels of a trace alone.
     *
     * @param kernels tells which they are
     */
    public static KeptRank ofKernels(DerivedCache trace, RankCollectives.Key kernels) {
        return new KeptRank(trace.get(kernels), List.of(), null);
    }

    /** The same rank, of which is also known what waited for what. */
    public KeptRank withPart(RankPart other) {
        return new KeptRank(collectives, steps, other, trust);
    }
}
