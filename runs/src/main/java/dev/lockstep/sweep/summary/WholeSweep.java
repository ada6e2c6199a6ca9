// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.summary;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.OrderedTraceSink;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.AcrossThreads;
import dev.lockstep.sweep.CoverageFile;
import dev.lockstep.sweep.Extract;
import dev.lockstep.sweep.PassOptions;
import dev.lockstep.sweep.ReportStage;
import dev.lockstep.sweep.ReportStyle;
import dev.lockstep.sweep.ReportedConfiguration;
import dev.lockstep.sweep.RunPass;
import dev.lockstep.sweep.merge.PassMerge;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.merge.SweepMerge;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything that can be said about a sweep: reports of all runs, comparisons, merged traces, summaries. */
public final class WholeSweep {
    /**
     * What to do.
     *
     * @param reading how traces are read
     * @param skipReports whether the reports that are there are taken instead of making them
     * @param geometric whether ranks are averaged geometrically
     * @param style whose files to write
     * @param merging how to merge, null not to merge
     * @param pages whether each rank gets a page that leads to that of the sweep
     */
    public record Options(
            PassOptions reading,
            boolean skipReports,
            boolean geometric,
            SweepStyle style,
            SweepMerge.@Nullable Options merging,
            boolean pages) {}

    /**
     * What was done.
     *
     * @param configurations every configuration and what its reports say
     * @param coverage what was expected and found
     * @param summary what is said about the sweep; null with another tool's files
     * @param gemms matrix multiplications of all ranks; null with another tool's files, or when traces were not read
     * @param merged merged traces
     * @param written all files
     * @param remarks what could not be done, and why
     */
    public record Result(
            List<ReportedConfiguration> configurations,
            Coverage coverage,
            @Nullable PlainSummary summary,
            @Nullable SweepGemms gemms,
            List<Merged> merged,
            List<Path> written,
            List<String> remarks) {
        public Result {
            configurations = List.copyOf(configurations);
            merged = List.copyOf(merged);
            written = List.copyOf(written);
            remarks = List.copyOf(remarks);
        }
    }

    private final Session session;
    private final Sweep sweep;
    private final Options options;
    private final ReportStyle style;
    private final List<Path> written = new ArrayList<>();
    private final List<Merged> merged = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final SweepGemms gemms = new SweepGemms();

    private WholeSweep(Session session, Sweep sweep, Options options) {
        this.session = session;
        this.sweep = sweep;
        this.options = options;
        this.style = options.style().reports();
    }

    /**
     * Does it all.
     *
     * @throws dev.lockstep.error.UserException when several files claim one rank and the selection does not tell which is
     *     meant
     * @throws IOException when an output cannot be written
     */
    public static Result of(Session session, Sweep sweep, Options options) throws IOException {
        Output.demandWithin(sweep.folder(), sweep.reports().analysis());
        return new WholeSweep(session, sweep, options).run();
    }

    private Result run() throws IOException {
        if (options.merging() == null) {
            return run(null);
        }
        try (PassMerge merge = new PassMerge(session, sweep.reports(), options.merging())) {
            return run(merge);
        }
    }

    private Result run(@Nullable PassMerge merge) throws IOException {
        List<ReportedConfiguration> configurations = options.skipReports() ? finished() : reported(merge);
        Coverage coverage = ReportedConfiguration.coverage(configurations);
        for (ReportedConfiguration one : configurations) {
            written.addAll(one.written());
            remarks.addAll(one.remarks());
        }
        if (merge != null && !coverage.isEmpty()) {
            for (SweepMerge.Outcome outcome : merge.outcomes(sweep.configurations())) {
                merged.addAll(outcome.files());
                outcome.files().forEach(file -> written.add(file.file()));
            }
        }
        SweepSummary summary = options.style().summary(configurations, coverage, options.geometric());
        try (Output output = new Output(sweep.reports().analysis())) {
            if (!options.skipReports()) {
                written.addAll(new AcrossThreads(session, style).write(sweep, configurations, output));
            }
            written.addAll(summary.write(session, sweep.reports(), output));
            if (!coverage.isEmpty()) {
                written.add(
                        CoverageFile.write(session, coverage, sweep.reports().analysis(), output));
            }
            written.addAll(gemms.write(sweep.reports(), output));
            output.commit();
        }
        if (!coverage.isEmpty()) {
            SweepStyle.Afterwards afterwards = options.style().afterwards(session, sweep);
            written.addAll(afterwards.written());
            remarks.addAll(afterwards.remarks());
        }
        boolean found = !gemms.isEmpty();
        PlainSummary plain = summary instanceof PlainSummary own ? own : null;
        return new Result(configurations, coverage, plain, found ? gemms : null, merged, written, remarks);
    }

    private List<ReportedConfiguration> finished() {
        return FinishedSweep.read(session, sweep, style.readBack());
    }

    private List<ReportedConfiguration> reported(@Nullable PassMerge merge) throws IOException {
        ReportStage stage = new ReportStage(
                session, style, options.pages() ? sweep.reports().page() : null);
        List<Extract<?>> extracts = new ArrayList<>(stage.extracts());
        if (options.style().takesGemms()) {
            extracts.add(gemms.extract());
        }
        Function<Configuration, @Nullable OrderedTraceSink> lines = configuration -> null;
        if (merge != null) {
            extracts.addAll(merge.extracts());
            lines = merge::begin;
        }
        List<ReportedConfiguration> reported = new ArrayList<>();
        RunPass.over(session, sweep.configurations(), options.reading(), extracts, lines, run -> {
            if (options.style().takesGemms()) {
                gemms.add(run);
            }
            reported.add(stage.finish(run));
            if (merge != null) {
                merge.finish(run);
            }
        });
        return reported;
    }
}
