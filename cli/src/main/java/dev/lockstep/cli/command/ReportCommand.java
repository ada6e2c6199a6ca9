// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.OwnRankReport;
import dev.lockstep.reporting.RankReportStyle;
import dev.lockstep.reporting.ServingTrace;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code lockstep report TRACE}: reads one rank, explains it, writes what was asked for. */
public final class ReportCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final RankReportArguments explaining = new RankReportArguments();
    private final CompatOption compat = new CompatOption();
    private final CompanionArguments companions = new CompanionArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path trace;

    private int rank = -1;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("TRACE", Path.class, "The trace of one rank.", given -> trace = given);
        arguments.option(
                "--rank", "N", Integer.class, "Of a file with several ranks, explain this one.", given -> rank = given);
        targets.declare(arguments, "TRACE's name with _report");
        explaining.declare(arguments);
        companions.declare(arguments);
        compat.declare(arguments, "hta or tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        RankReportStyle style = compat.or(new OwnRankReport(), RankReportStyle.class);
        ReportOptions options = explaining.options();
        options = options.with(companions.options(options.paths().window()));
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace read = Inputs.readOne(session, TraceInput.of(trace), rank, global, progress);
            Path baseline = explaining.baseline();
            if (baseline != null) {
                options = options.withBaseline(Inputs.readOne(session, TraceInput.of(baseline), global, progress));
            }
            progress.step("analysing");
            AnalysisRules rules = style.rules(options);
            Trace prepared = ServingTrace.prepare(session, read, options.serving(), rules, style.additions());
            Report report = style.report(prepared, options);
            ReportOptions asked = options;
            progress.step("writing");
            List<Path> inputs =
                    Stream.concat(Stream.of(trace), explaining.inputs()).toList();
            List<Path> written = new ArrayList<>();
            try (Output overlaid = new Output()) {
                companions.writeOverlay(
                        read, TraceInput.of(trace), options.paths().window(), inputs, overlaid);
                if (targets.isAsked() || overlaid.targets().isEmpty()) {
                    written.addAll(targets.write(
                            session,
                            report,
                            inputs,
                            Path.of(Inputs.stem(trace) + "_report"),
                            style.cells(),
                            compat.isGiven() ? sheets -> {} : sheets -> companions.write(read, asked, sheets)));
                }
                written.addAll(overlaid.targets());
                overlaid.commit();
            }
            progress.close();
            if (!global.quiet()) {
                Summary.print(report, companions.said(), written, out);
            }
            Inputs.reportProblems(List.of(prepared), err);
            return Inputs.status(List.of(prepared), global);
        }
    }
}
