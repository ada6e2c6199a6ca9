// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.session.Session;
import dev.lockstep.straggler.StragglerFigures;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code lockstep stragglers}: what uneven work costs a job, and whose it is. */
public final class StragglersCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();
    private final StragglerArguments asked = new StragglerArguments();
    private final CompatOption compat = new CompatOption();
    private final RankArguments ranks = new RankArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep stragglers run/ -o stragglers",
                "lockstep stragglers --table operations.parquet --json answer.json");
        global = arguments.global();
        ranks.declareOptional(arguments);
        screen.declare(arguments);
        targets.declare(arguments, "the input's name with _stragglers");
        asked.declare(arguments);
        compat.declare(arguments, "wia");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Path source = asked.table();
        if (source == null ? ranks.inputs().isEmpty() : !ranks.inputs().isEmpty()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    source == null ? "nothing to analyse" : "--table and traces cannot be analysed together",
                    "--table FILE.parquet names a table of operations, RANKS are the traces of a run.");
        }
        return source == null ? traced(out, err) : tabled(source, out);
    }

    private int traced(PrintWriter out, PrintWriter err) throws IOException {
        if (compat.isGiven()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--compat wia knows tables, not traces",
                    "Leave it out, or give --table.");
        }
        StragglerOptions options = asked.forTraces();
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            TracedStragglers.Analysed analysed = TracedStragglers.of(lockstep, progress, ranks, options, err);
            Path fallback = Path.of(ranks.runName() + "_stragglers");
            Report report = analysed.report().among(RunPages.of(analysed.ranks().files()));
            List<Path> written = targets.write(lockstep.session(), report, ranks.files(), fallback, CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                screen.print(analysed.report(), false, written, out);
            }
            RankArguments.report(analysed.ranks(), err);
            return global.status(
                    analysed.ranks().isComplete() && analysed.report().trust().isSound());
        }
    }

    private int tabled(Path source, PrintWriter out) throws IOException {
        StragglerRules rules = compat.or(StragglerRules.standard(), StragglerRules.class);
        Map<String, Object> job = asked.job();
        StragglerOptions options = asked.options(job, global.allowPartial(), compat.isGiven());
        TabledStragglers.Analysed analysed;
        try (Progress progress = Progress.of(global)) {
            progress.step("analysing");
            analysed = TabledStragglers.of(source, rules, options, asked.recover());
        }
        Report report = analysed.report();
        StragglerFigures figures = analysed.figures();
        targets.instead("json", staged -> StragglerJson.write(staged, figures, job));
        Path fallback = Path.of(Inputs.stem(source).replaceFirst("\\.parquet$", "") + "_stragglers");
        List<Path> written;
        try (Session session = new Session(1)) {
            written = targets.write(session, report, asked.inputs(source), fallback, CellStyle.PLAIN);
        }
        if (!global.quiet()) {
            screen.print(report, report.answer() == null, written, out);
        }
        return figures.findings().left().isEmpty() ? ExitStatus.COMPLETE : ExitStatus.PARTIAL;
    }
}
