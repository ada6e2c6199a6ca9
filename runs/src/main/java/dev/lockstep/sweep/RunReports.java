// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * All reports of a configuration or a sweep.
 *
 * @param configurations what was reported, in order
 * @param coverage what was expected and found
 * @param written the files
 */
public record RunReports(List<ReportedConfiguration> configurations, Coverage coverage, List<Path> written) {
    public RunReports {
        configurations = List.copyOf(configurations);
        written = List.copyOf(written);
    }

    /** What could not be done, and why. */
    public List<String> remarks() {
        return configurations.stream().flatMap(one -> one.remarks().stream()).toList();
    }

    /**
     * Reports a single configuration: its ranks, its collectives, its timelines over ranks.
     *
     * @param geometric whether ranks are averaged geometrically
     */
    public static RunReports of(
            Session session, Configuration configuration, PassOptions options, ReportStyle style, boolean geometric)
            throws IOException {
        List<ReportedConfiguration> reported = reported(session, List.of(configuration), options, style);
        ReportedConfiguration one = reported.getFirst();
        List<Path> written = new ArrayList<>(one.written());
        try (Output output = new Output(configuration.reports().analysis())) {
            if (one.hasTimelines()) {
                Path target = configuration.reports().timelineSummary(geometric);
                style.timelines(one, geometric).write(session, output.file(target));
                written.add(target);
            }
            if (!one.coverage().isEmpty()) {
                written.add(CoverageFile.write(
                        session, one.coverage(), configuration.reports().analysis(), output));
            }
            output.commit();
        }
        return new RunReports(reported, one.coverage(), written);
    }

    /** Reports every configuration of a sweep, and every rank across thread counts. */
    public static RunReports of(Session session, Sweep sweep, PassOptions options, ReportStyle style)
            throws IOException {
        List<ReportedConfiguration> reported = reported(session, sweep.configurations(), options, style);
        Coverage coverage = ReportedConfiguration.coverage(reported);
        List<Path> written = new ArrayList<>();
        reported.forEach(one -> written.addAll(one.written()));
        try (Output output = new Output(sweep.reports().analysis())) {
            written.addAll(new AcrossThreads(session, style).write(sweep, reported, output));
            if (!coverage.isEmpty()) {
                written.add(
                        CoverageFile.write(session, coverage, sweep.reports().analysis(), output));
            }
            output.commit();
        }
        return new RunReports(reported, coverage, written);
    }

    private static List<ReportedConfiguration> reported(
            Session session, List<Configuration> configurations, PassOptions options, ReportStyle style)
            throws IOException {
        ReportStage stage = new ReportStage(session, style);
        List<ReportedConfiguration> reported = new ArrayList<>();
        RunPass.over(session, configurations, options, stage.extracts(), run -> reported.add(stage.finish(run)));
        return reported;
    }
}
