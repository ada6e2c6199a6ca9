// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.session.RankSet;
import dev.lockstep.straggler.RankStragglerReport;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;

/** What the ranks of a run cost that take longer than others, from their traces. */
final class TracedStragglers {
    private TracedStragglers() {}

    /** What is kept of a rank. */
    private record Kept(KeptRank rank, List<Steps.Step> steps) {}

    /** A report, and the ranks that it is of. */
    record Analysed(Report report, RankSet<?> ranks) {}

    static Analysed of(
            Lockstep lockstep, Progress progress, RankArguments ranks, StragglerOptions options, PrintWriter err)
            throws IOException {
        RankSet<Kept> kept = ranks.run(lockstep, progress).readEach(TracedStragglers::keep);
        return RankArguments.orReport(kept, err, () -> analysed(lockstep, progress, ranks, options, kept));
    }

    private static Analysed analysed(
            Lockstep lockstep, Progress progress, RankArguments ranks, StragglerOptions options, RankSet<Kept> kept)
            throws IOException {
        String source = String.join(", ", ranks.inputs());
        MatchedRanks run = new MatchedRanks(
                kept.withKept(member -> Objects.requireNonNull(member.kept()).rank),
                source,
                CollectiveOptions.standard(),
                lockstep.session());
        if (run.present().size() < 2) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    source + ": one rank has no others to be compared with",
                    "Give the traces of all ranks, with their devices.");
        }
        run.demandCollectives(source);
        progress.step("analysing");
        List<List<Steps.Step>> steps = kept.present().stream()
                .map(member -> Objects.requireNonNull(member.kept()).steps)
                .toList();
        return new Analysed(
                RankStragglerReport.of(
                        run, steps, options.ideal() == StragglerRules.Ideal.FASTEST, options.threshold()),
                kept);
    }

    private static Kept keep(Trace trace) {
        DerivedCache cache = DerivedCache.believing(trace);
        return new Kept(KeptRank.of(cache), cache.get(new Steps.Key(null)).steps());
    }
}
