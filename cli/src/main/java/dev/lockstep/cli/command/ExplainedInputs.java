// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.RunReport;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.OwnRankReport;
import dev.lockstep.reporting.ServingTrace;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The report of one rank or of all ranks of a run, to look at.
 *
 * @param report as {@code lockstep report} has it without options
 * @param status the exit status of what was read
 */
public record ExplainedInputs(Report report, int status) {
    /**
     * Reads and explains them.
     *
     * @param inputs the trace of a rank, or files, folders and patterns of a run
     * @param err takes what is wrong with them
     */
    public static ExplainedInputs of(Lockstep lockstep, List<String> inputs, GlobalOptions global, PrintWriter err)
            throws IOException {
        Path only = new RunReporting(
                        global, inputs, RankSelection.any(), ReportOptions.standard(), new FilterArguments())
                .onlyTrace();
        try (Progress progress = Progress.of(global)) {
            if (only != null) {
                List<Trace> ranks = Inputs.readOneOrAll(lockstep.session(), TraceInput.of(only), -1, global, progress);
                if (ranks.size() == 1) {
                    return ofRank(lockstep.session(), ranks.getFirst(), global, err);
                }
            }
            return ofRun(lockstep, inputs, global, progress, err);
        }
    }

    private static ExplainedInputs ofRank(Session session, Trace read, GlobalOptions global, PrintWriter err)
            throws IOException {
        OwnRankReport style = new OwnRankReport();
        ReportOptions options = ReportOptions.standard();
        Trace trace = ServingTrace.prepare(session, read, options.serving(), style.rules(options), style.additions());
        Report report = style.report(trace, options);
        Inputs.reportProblems(List.of(trace), err);
        return new ExplainedInputs(report, Inputs.status(List.of(trace), report.trust(), global));
    }

    private static ExplainedInputs ofRun(
            Lockstep lockstep, List<String> inputs, GlobalOptions global, Progress progress, PrintWriter err)
            throws IOException {
        Run run = lockstep.read(inputs, RankSelection.any());
        run = run.withProgress(progress.reading(run.files()));
        RunReport.Written done = lockstep.report(run).writeTo(Map.of());
        progress.close();
        RankArguments.report(done.ranks(), err);
        return new ExplainedInputs(
                done.report(),
                global.status(done.ranks().isComplete() && done.report().trust().isSound()));
    }
}
