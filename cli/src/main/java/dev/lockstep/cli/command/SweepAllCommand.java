// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.publish.figures.SweepPictures;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.OwnSweep;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.merge.SweepMerge;
import dev.lockstep.sweep.summary.SweepStyle;
import dev.lockstep.sweep.summary.WholeSweep;
import dev.lockstep.sweep.summary.WholeSweep.Result;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@code lockstep sweep all DIR}: everything that can be said about a sweep, each trace read once. */
public final class SweepAllCommand implements Command {
    private final TraceChoice choice = new TraceChoice();
    private final MergeArguments merging = new MergeArguments();
    private final CompatOption compat = new CompatOption();
    private final ScreenOption screen = new ScreenOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // an argument that must be given
    private Path folder;

    private boolean skipReports;
    private boolean geometric;
    private boolean unmerged;
    private boolean plain;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep sweep all sweep/", "lockstep sweep all sweep/ --no-merge --geo-mean");
        global = arguments.global();
        arguments.argument(
                "DIR",
                Path.class,
                "The folder of a sweep, with folders like 256thread/nccl_28channels in it.",
                given -> folder = given);
        choice.declare(arguments);
        arguments.flag(
                "--skip-reports",
                "Use existing reports of runs, and make again what is about the whole sweep.",
                () -> skipReports = true);
        arguments.flag("--geo-mean", "Average ranks geometrically in all timelines.", () -> geometric = true);
        arguments.flag("--no-pages", "Leave out the pages of ranks.", () -> plain = true);
        arguments.flag("--no-merge", "Leave out the merged traces.", () -> unmerged = true);
        merging.declareWithFormats(arguments);
        compat.declare(arguments, "aorta");
        screen.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        SweepStyle style = compat.or(new OwnSweep(), SweepStyle.class);
        ReportNames names = compat.or(ReportNames.OWN, ReportNames.class);
        Sweep sweep = skipReports ? Sweep.finished(folder, names) : Sweep.at(folder, names);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Result done = WholeSweep.of(session, sweep, options(sweep, style, progress));
            progress.step("drawing");
            CoverageText.demandSomething(done.coverage(), folder.toString());
            List<Path> written = new ArrayList<>(done.written());
            if (written.contains(sweep.reports().variance())) {
                SweepPictures pictures = compat.or(SweepPictures.OWN, SweepPictures.class);
                written.addAll(SweepPlots.write(sweep.reports(), pictures.look(), err));
            }
            Report report = done.summary() == null ? null : report(sweep, done, written);
            if (report != null) {
                write(session, sweep, report);
            }
            progress.close();
            if (!global.quiet()) {
                List<Path> page =
                        report == null ? List.of() : List.of(sweep.reports().page());
                if (report != null) {
                    screen.print(report, false, page, out);
                } else if (done.gemms() != null) {
                    done.gemms().findings().forEach(finding -> Summary.say(finding, out));
                }
                SweepAllText.print(done, written.size() + page.size(), sweep, out);
            }
            CoverageText.say(done.coverage(), global, out, err);
            done.remarks().forEach(err::println);
            return global.status(done.coverage().isComplete());
        }
    }

    private WholeSweep.Options options(Sweep sweep, SweepStyle style, Progress progress) throws IOException {
        PassOptions reading = choice.reading(sweep.configurations(), global, progress);
        boolean traces =
                sweep.configurations().stream().anyMatch(one -> !one.traces().isEmpty());
        boolean merge = traces && !unmerged && !skipReports;
        SweepMerge.Options how = merge
                ? new SweepMerge.Options(
                        merging.plan(compat), merging.aligned(), merging.gpusPerNode(), choice.selection())
                : null;
        return new WholeSweep.Options(
                reading, skipReports, geometric, style, how, style instanceof OwnSweep && !plain && !skipReports);
    }

    private static Report report(Sweep sweep, Result done, List<Path> written) {
        Path target = sweep.reports().page();
        return Objects.requireNonNull(done.summary())
                .report(
                        "Sweep in "
                                + sweep.folder().toAbsolutePath().normalize().getFileName(),
                        "settings of the collective library: threads per block × channels",
                        done.gemms(),
                        SweepLinks.of(target, written),
                        target);
    }

    private static void write(Session session, Sweep sweep, Report report) throws IOException {
        try (Output output = new Output(sweep.reports().analysis())) {
            session.registry()
                    .writer("html")
                    .write(report, output.file(sweep.reports().page()), CellStyle.PLAIN);
            output.commit();
        }
    }
}
