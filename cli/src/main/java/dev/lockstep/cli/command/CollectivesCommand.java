// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.analyze.comm.Pipelines;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.ranks.PartRoom;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.reporting.CollectiveStyle;
import dev.lockstep.reporting.OwnCollectives;
import dev.lockstep.reporting.RunPaths;
import dev.lockstep.session.RankSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep collectives RANKS}: reads all ranks of a run, and explains what they did together. */
public final class CollectivesCommand implements Command {
    private final RankArguments ranks = new RankArguments();
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();
    private final CollectiveArguments summaries = new CollectiveArguments();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep collectives run/ -o collectives",
                "lockstep collectives run/ --align none --what-if \"rank:2=x0.8\" --quiet");
        global = arguments.global();
        ranks.declare(arguments);
        screen.declare(arguments);
        targets.declare(arguments, "the first trace's directory's name with _collectives");
        summaries.declare(arguments);
        compat.declare(arguments, "tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        CollectiveStyle style = compat.or(new OwnCollectives(), CollectiveStyle.class);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            PartRoom room = new PartRoom(ranks.files().size());
            RankSet<KeptRank> read = ranks.run(lockstep, progress).readEach(trace -> keep(trace, style, room));
            MatchedRanks matched = new MatchedRanks(read, source(), summaries.options(), lockstep.session());
            RankArguments.orReport(read, err, () -> demanded(matched));
            progress.step("analysing");
            Report report = style.report(matched);
            if (summaries.paths().isAsked()) {
                report = RunPaths.add(report, matched, summaries.paths());
            }
            progress.step("writing");
            List<Path> written = targets.write(
                    lockstep.session(),
                    report.among(RunPages.of(read.files())),
                    ranks.files(),
                    Path.of(ranks.runName() + "_collectives"),
                    style.cells());
            progress.close();
            if (!global.quiet()) {
                screen.print(report, compat.isGiven(), written, out);
            }
            RankArguments.report(read, err);
            return global.status(
                    read.isComplete() && (compat.isGiven() || report.trust().isSound()));
        }
    }

    private KeptRank keep(Trace trace, CollectiveStyle style, PartRoom room) {
        DerivedCache cache = compat.isGiven() ? new DerivedCache(trace) : DerivedCache.believing(trace);
        KeptRank kept = style.keep(cache, room);
        return summaries.paths().isAsked() ? kept.withPart(summaries.part(cache)) : kept;
    }

    private MatchedRanks demanded(MatchedRanks matched) {
        matched.demandCollectives(source());
        if (summaries.pipeline()) {
            demandPipeline(Pipelines.of(matched.collectives()));
        }
        return matched;
    }

    private void demandPipeline(Pipelines pipelines) {
        if (!pipelines.absence().isEmpty()) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    source() + ": no pipeline: " + pipelines.absence(),
                    "messages are matched by the ranks that both sides name (Src Rank, Dst Rank)");
        }
    }

    private String source() {
        List<String> inputs = ranks.inputs();
        return inputs.size() == 1 ? inputs.getFirst() : inputs.getFirst() + " and " + (inputs.size() - 1) + " more";
    }
}
