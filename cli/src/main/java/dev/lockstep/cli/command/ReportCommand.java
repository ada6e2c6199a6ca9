// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.trust.TraceTrust;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.report.Trust;
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
import java.util.OptionalInt;

/** {@code lockstep report TRACE|RANKS}: reads one rank or all of a run, explains them, writes what was asked for. */
public final class ReportCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();
    private final RankReportArguments explaining = new RankReportArguments();
    private final CompatOption compat = new CompatOption();
    private final CompanionArguments companions = new CompanionArguments();
    private final StackArguments stacks = new StackArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> inputs = List.of();
    private final TraceChoice choice = new TraceChoice();
    private final FilterArguments filter = new FilterArguments();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep report trace.json.gz -o report", "lockstep report run/ --csv sheets --html run.html");
        global = arguments.global();
        screen.declare(arguments);
        arguments.arguments(
                "TRACE|RANKS",
                "The trace of one rank, or all ranks of a run: a directory, several files, a pattern, or "
                        + "one file.",
                given -> inputs = given);
        choice.declare(arguments);
        filter.declare(arguments);
        targets.declare(arguments, "TRACE's or the directory's name with _report");
        explaining.declare(arguments);
        companions.declare(arguments);
        stacks.declare(arguments);
        compat.declare(arguments, "hta or tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReportOptions options = companions.onto(explaining.options());
        RunReporting run = new RunReporting(global, inputs, choice.selection(), options, filter);
        filter.demandWithin("report");
        Path only = run.onlyTrace();
        if (only != null) {
            OptionalInt status = one(only, options, out, err);
            if (status.isPresent()) {
                return status.getAsInt();
            }
        }
        run.refuse("--baseline", explaining.baseline() != null);
        run.refuse("--overlay", companions.overlays());
        run.refuse("--rank", explaining.rank() >= 0);
        run.refuse("--folded and --speedscope", stacks.isAsked());
        return run.write(compat, targets, screen, out, err);
    }

    /** Explains the one rank that is meant; does nothing where the file holds several and none is named. */
    private OptionalInt one(Path trace, ReportOptions given, PrintWriter out, PrintWriter err) throws IOException {
        RankReportStyle style = compat.or(new OwnRankReport(), RankReportStyle.class);
        ReportOptions options = given;
        stacks.demandUsable();
        filter.demandOpenFor("--overlay", companions.overlays());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            TraceInput input = TraceInput.of(trace);
            List<Trace> ranks = Inputs.readOneOrAll(session, input, explaining.rank(), global, progress).stream()
                    .map(filter::part)
                    .toList();
            Report ofAll = ranks.size() > 1 ? style.reportOfFile(ranks, options) : null;
            if (ranks.size() > 1 && ofAll == null) {
                return OptionalInt.empty();
            }
            Trace read = ranks.getFirst();
            Path baseline = explaining.baseline();
            if (baseline != null) {
                Trace other = filter.part(Inputs.readOne(session, TraceInput.of(baseline), global, progress));
                options = options.withBaseline(ServingTrace.prepare(
                        session, other, explaining.baselineServing(), style.rules(options), style.additions()));
            }
            progress.step("analysing");
            AnalysisRules rules = style.rules(options);
            Trace prepared = ServingTrace.prepare(session, read, options.serving(), rules, style.additions());
            Report report = ofAll == null ? style.report(prepared, options) : ofAll;
            report = compat.isGiven() ? report.saying(TraceTrust.of(new DerivedCache(prepared))) : report;
            ReportOptions asked = options;
            progress.step("writing");
            List<Path> inputs = explaining.inputs(trace);
            List<Path> written = new ArrayList<>();
            try (Output output = new Output()) {
                companions.writeOverlay(read, input, options.paths().window(), inputs, output);
                stacks.write(prepared, rules, inputs, output);
                List<Path> others = output.targets();
                if (targets.isAsked() || others.isEmpty()) {
                    written.addAll(targets.write(
                            session,
                            report,
                            inputs,
                            Path.of(Inputs.stem(trace) + "_report"),
                            style.cells(),
                            compat.isGiven() ? sheets -> {} : sheets -> companions.write(read, asked, sheets),
                            output));
                }
                written.addAll(others);
                output.commit();
            }
            progress.close();
            if (!global.quiet()) {
                boolean silent = report.answer() == null && report.trust().isSound();
                screen.print(report, compat.isGiven() || silent, companions.said(), written, out);
            }
            List<Trace> told = ofAll == null ? List.of(prepared) : ranks;
            Inputs.reportProblems(told, err);
            return OptionalInt.of(Inputs.status(told, compat.isGiven() ? Trust.SOUND : report.trust(), global));
        }
    }
}
