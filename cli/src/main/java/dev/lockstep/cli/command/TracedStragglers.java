// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.ClockSheet;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.Steps;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.RankPart;
import dev.lockstep.path.RunDependencies;
import dev.lockstep.path.StragglerCosts;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.reporting.ClockWords;
import dev.lockstep.reporting.MatchedRanks;
import dev.lockstep.session.RankSet;
import dev.lockstep.straggler.RankStragglerReport;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** What the ranks of a run cost that take longer than others, from their traces. */
final class TracedStragglers {
    private TracedStragglers() {}

    /** What is kept of a rank. */
    private record Kept(RankCollectives collectives, RankPart part, List<Steps.Step> steps) {}

    /** A report, and the ranks that it is of. */
    record Analysed(Report report, RankSet<?> ranks) {}

    static Analysed of(Lockstep lockstep, Progress progress, RankArguments ranks, StragglerOptions options)
            throws IOException {
        RankSet<Kept> kept = ranks.run(lockstep, progress).readEach(TracedStragglers::keep);
        List<Kept> present = kept.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()))
                .toList();
        List<RankCollectives> found =
                MatchedRanks.present(kept.withKept(member -> Objects.requireNonNull(member.kept()).collectives));
        String source = String.join(", ", ranks.inputs());
        if (found.size() < 2) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    source + ": one rank has no others to be compared with",
                    "Give the traces of all ranks, with their devices.");
        }
        if (found.stream().allMatch(rank -> rank.size() == 0)) {
            throw RankCollectives.none(source);
        }
        progress.step("analysing");
        Collectives collectives = Collectives.of(found, CollectiveOptions.standard());
        StragglerCosts costs = RunDependencies.costs(
                present.stream().map(Kept::part).toList(),
                collectives,
                present.stream().map(Kept::steps).toList(),
                options.ideal() == StragglerRules.Ideal.FASTEST);
        Table clocks = ClockSheet.of(collectives.clocks(), collectives.clock());
        return new Analysed(
                RankStragglerReport.of(costs, source, options.threshold(), ClockWords.unknown(collectives))
                        .with(new TableSection(clocks)),
                kept);
    }

    private static Kept keep(Trace trace) {
        DerivedCache cache = new DerivedCache(trace);
        return new Kept(
                cache.get(RankCollectives.Key.standard()),
                RankPart.of(cache, AnalysisRules.standard()),
                cache.get(new Steps.Key(null)).steps());
    }
}
