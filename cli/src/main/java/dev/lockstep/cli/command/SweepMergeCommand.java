// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.FileRanks;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.merge.MergePlan;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.merge.SweepMerge;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** {@code lockstep sweep merge DIR}: for each configuration of a sweep one timeline of all ranks. */
public final class SweepMergeCommand implements Command {
    private final MergeArguments merging = new MergeArguments();
    private final TraceChoice choice = new TraceChoice();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // an argument that must be given
    private Path folder;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep sweep merge sweep/", "lockstep sweep merge sweep/ --format json,pftrace");
        global = arguments.global();
        arguments.argument("DIR", Path.class, "The folder of a sweep.", given -> folder = given);
        choice.declare(arguments);
        merging.declareWithFormats(arguments);
        compat.declare(arguments, "aorta");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        MergePlan plan = merging.plan(compat);
        Sweep sweep = Sweep.finished(folder, compat.or(ReportNames.OWN, ReportNames.class));
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            RankSelection selection = choice.selection();
            SweepMerge.Options options =
                    new SweepMerge.Options(plan, merging.aligned(), merging.gpusPerNode(), selection);
            List<Path> files = sweep.configurations().stream()
                    .flatMap(c -> c.traces().files().stream())
                    .toList();
            if (files.isEmpty()) {
                throw new UserException(
                        ErrorCode.NOTHING_TO_DO,
                        folder + ": the sweep holds no traces",
                        "Traces lie in folders like 256thread/nccl_28channels/torch_profiler/rank0.");
            }
            List<SweepMerge.Outcome> outcomes = SweepMerge.over(
                    session,
                    sweep.configurations(),
                    sweep.reports(),
                    options,
                    progress.reading(files),
                    outcome -> say(outcome, out));
            progress.close();
            Coverage coverage =
                    outcomes.stream().map(SweepMerge.Outcome::coverage).reduce(Coverage.none(), Coverage::and);
            CoverageText.say(coverage, global, out, err);
            CoverageText.demandSomething(coverage, folder.toString());
            return global.status(coverage.isComplete());
        }
    }

    private void say(SweepMerge.Outcome outcome, PrintWriter out) {
        if (!global.quiet()) {
            for (Merged merged : outcome.files()) {
                out.println(String.format(
                        Locale.ROOT,
                        "wrote %s: ranks %s, %,d events",
                        merged.file(),
                        FileRanks.ranges(merged.ranks()),
                        merged.events()));
            }
        }
    }
}
