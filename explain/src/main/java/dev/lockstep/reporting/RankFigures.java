// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.analyze.memory.DeviceMemory;
import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.analyze.time.GpuTimeline.Parts;
import dev.lockstep.analyze.time.StepTimeline;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.OwnTimes;
import dev.lockstep.report.Evidence.Place;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a report of a run needs of a rank.
 *
 * @param parts how its span divides, null without device activity
 * @param steps its steps with activity of devices, or without devices of its host, in order
 * @param peakMemory bytes allocated at the peak, of its devices the largest; -1 when not recorded
 * @param collectives what it did together with others
 * @param ofRun its steps, to be put beside those of other ranks
 */
public record RankFigures(
        @Nullable Parts parts,
        List<Step> steps,
        long peakMemory,
        RankCollectives collectives,
        List<StepsByRank.Step> ofRun) {
    public RankFigures {
        steps = List.copyOf(steps);
        ofRun = List.copyOf(ofRun);
    }

    /**
     * A step of a rank.
     *
     * @param number as its annotation counts
     * @param place its marks on the host
     * @param parts what its activities take
     */
    public record Step(long number, Place place, Parts parts) {}

    /** What is needed of a rank, while its trace is there. */
    public static RankFigures of(DerivedCache trace, ReportOptions options) {
        AnalysisRules rules = PerformanceReport.rules(options);
        String marks = options.times().stepAnnotation();
        return of(
                trace,
                new GpuTimeline(rules, -1, false).run(trace),
                new StepTimeline(rules, marks).withHost(trace),
                new MemoryUse(marks, 1).run(trace));
    }

    /** The same where a report of the rank has found these already; the timeline is of the whole span, steps are with the host. */
    static RankFigures of(
            DerivedCache trace, GpuTimeline.Result timeline, StepTimeline.Result steps, MemoryUse.Result memory) {
        RankCollectives collectives = trace.get(RankCollectives.Key.standard());
        return new RankFigures(
                timeline.blocks().isEmpty() ? null : timeline.blocks().getFirst(),
                steps(steps),
                memory.devices().stream()
                        .map(DeviceMemory::whole)
                        .mapToLong(DeviceMemory.Span::peak)
                        .max()
                        .orElse(-1),
                collectives,
                OwnTimes.of(trace, steps));
    }

    private static List<Step> steps(StepTimeline.Result timeline) {
        List<Step> steps = new ArrayList<>();
        for (StepTimeline.Row row : timeline.rows()) {
            if (row.activities() > 0) {
                Place place = new Place(
                        "step " + row.step().number(),
                        row.step().start(),
                        row.step().end());
                steps.add(new Step(row.step().number(), place, row.parts()));
            }
        }
        return steps;
    }
}
