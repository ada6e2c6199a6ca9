// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.SparkTrial;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetAnalysis;
import dev.lockstep.report.Report;
import dev.lockstep.report.RunPages;
import dev.lockstep.sql.QuerySources;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep fleet DIR|RANKS...}: who is slow among very many ranks, since when, in what, and what it costs. */
public final class FleetCommand implements Command {
    private final FleetInputs ranks = new FleetInputs();
    private final FleetArguments asked = new FleetArguments();
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        ranks.declare(arguments);
        screen.declare(arguments);
        targets.declare(arguments, "the input's name with _fleet");
        asked.declare(arguments);
        arguments.examples(
                "lockstep fleet run/ --gpus-per-node 8",
                "lockstep fleet data/ --run monday --hosts hosts.csv -o out",
                "lockstep fleet run/ --engine spark");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            FleetAnalysis analysed = analyse(lockstep, progress, err);
            Report report = analysed.report(ranks.source());
            if (ranks.isDataset()) {
                report = report.among(RunPages.NONE); // the traces may be elsewhere
            }
            progress.step("writing");
            Path fallback = Path.of(ranks.name() + "_fleet");
            List<Path> written = targets.write(lockstep.session(), report, ranks.files(), fallback, CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                screen.print(report, false, written, out);
            }
            RankArguments.report(analysed.run(), err);
            return global.status(analysed.isWhole() && report.trust().isSound());
        }
    }

    private FleetAnalysis analyse(Lockstep lockstep, Progress progress, PrintWriter err) throws IOException {
        if (asked.onSpark()) {
            if (global.strict()) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        "Spark reads damaged files as far as it can: not with --strict",
                        null);
            }
            return ranks.onSpark(asked, new SparkTrial(global.jobs(), line -> say(err, line)), progress);
        }
        try (QuerySources sources = ranks.open(lockstep, progress)) {
            progress.step("analysing");
            return ranks.analyse(sources, asked);
        }
    }

    private void say(PrintWriter err, String line) {
        if (!global.quiet()) {
            err.println(line);
            err.flush();
        }
    }
}
