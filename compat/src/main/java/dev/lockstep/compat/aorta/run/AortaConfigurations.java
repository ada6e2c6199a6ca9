// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compare.configurations.StoredConfiguration;
import dev.lockstep.compare.configurations.StoredConfiguration.Scope;
import dev.lockstep.compat.aorta.config.ConfigComparison;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.Mean;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.RankTimeline;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.RunLook;
import dev.lockstep.publish.figures.RunPictures;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.reporting.ConfigurationDialect.Compared;
import dev.lockstep.reporting.ConfigurationDialect.Request;
import dev.lockstep.reporting.ConfigurationDialect.Stages;
import dev.lockstep.runs.Coverage;
import dev.lockstep.session.Session;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.Output;
import dev.lockstep.write.StyledWorkbookWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares configurations as AORTA does, file by file. */
final class AortaConfigurations {
    private final Session session;
    private final Request request;
    private final Stages stages;
    private final Mean mean;
    private final boolean two;

    AortaConfigurations(Session session, Request request) {
        this.session = session;
        this.request = request;
        this.stages = request.stages();
        this.mean = request.geometric() ? Mean.GEOMETRIC : Mean.ARITHMETIC;
        this.two = request.configurations().size() == 2;
    }

    Compared compare() throws IOException {
        boolean timelines = !two || stages.timelines();
        boolean collectives = !two || stages.collectives();
        List<StoredConfiguration> stored = read(timelines, collectives);
        Map<Path, StyledWorkbook> workbooks = new LinkedHashMap<>();
        List<ConfigComparison.Run> runs = new ArrayList<>();
        for (StoredConfiguration reports : stored) {
            runs.add(run(reports, timelines, collectives, workbooks));
        }
        ConfigComparison comparison = two
                ? ConfigComparison.ofTwo(whole(runs).getFirst(), runs.getLast(), stages.finalReport())
                : ConfigComparison.ofAll(usable(runs));
        comparison
                .workbooks()
                .forEach((name, workbook) -> workbooks.put(request.output().resolve(name), workbook));
        List<Path> written = write(workbooks, two && !stages.plots() ? null : comparison.pictured());
        Coverage coverage = stored.stream().map(StoredConfiguration::coverage).reduce(Coverage.none(), Coverage::and);
        return new Compared(written, coverage, two ? List.of() : leftOut(runs));
    }

    private List<StoredConfiguration> read(boolean timelines, boolean collectives) {
        Scope scope = new Scope(timelines, collectives, sheet -> two || sheet.contains("summary"), false);
        List<StoredConfiguration> read = new ArrayList<>();
        for (int i = 0; i < request.configurations().size(); i++) {
            read.add(StoredConfiguration.read(
                    request.configurations().get(i), request.labels().get(i), SheetTable.PANDAS, scope));
        }
        return read;
    }

    private ConfigComparison.Run run(
            StoredConfiguration reports, boolean timelines, boolean collectives, Map<Path, StyledWorkbook> workbooks) {
        GpuTimelineSummary summary = null;
        if (timelines && !reports.timelines().isEmpty()) {
            List<RankTimeline> ranks = reports.timelines().entrySet().stream()
                    .map(e -> new RankTimeline(e.getKey(), e.getValue()))
                    .toList();
            summary = GpuTimelineSummary.of(ranks, reports.reports().ranks().size(), mean);
            workbooks.put(
                    reports.reports().configuration().reports().timelineSummary(mean == Mean.GEOMETRIC),
                    summary.workbook());
        }
        String label = two ? reports.label() : stem(reports.label());
        return new ConfigComparison.Run(label, summary, collectives ? reports.collectives() : null);
    }

    /** Both of two runs must have what is asked for. */
    private List<ConfigComparison.Run> whole(List<ConfigComparison.Run> runs) {
        for (int i = 0; i < runs.size(); i++) {
            ConfigComparison.Run run = runs.get(i);
            if (stages.timelines() && run.timelines() == null) {
                throw missing(i, "no rank's report that can be read");
            }
            if (stages.collectives() && run.collectives() == null) {
                throw missing(i, "no report on collectives that can be read");
            }
        }
        return runs;
    }

    private UserException missing(int run, String what) {
        return new UserException(
                ErrorCode.DATA_MISSING,
                request.configurations().get(run).reports().analysis() + ": " + what,
                "Make the reports with lockstep config report, or leave --skip-reports out.");
    }

    /** Runs that lack a report are left out; if the baseline does, the next one takes its place. */
    private List<ConfigComparison.Run> usable(List<ConfigComparison.Run> runs) {
        List<ConfigComparison.Run> usable =
                runs.stream().filter(AortaConfigurations::isUsable).toList();
        if (usable.isEmpty()) {
            throw missing(0, "no reports that can be read, and none of the other configurations has any");
        }
        return usable;
    }

    private static List<String> leftOut(List<ConfigComparison.Run> runs) {
        return runs.stream()
                .filter(run -> !isUsable(run))
                .map(run -> run.label() + " has no "
                        + (run.timelines() == null ? "readable report of a rank" : "report on collectives"))
                .toList();
    }

    private static boolean isUsable(ConfigComparison.Run run) {
        return run.timelines() != null && run.collectives() != null;
    }

    private List<Path> write(Map<Path, StyledWorkbook> workbooks, @Nullable ComparedRuns pictured) throws IOException {
        List<Path> written = new ArrayList<>(workbooks.keySet());
        Path output = request.output();
        try (Output files = new Output()) {
            StyledWorkbookWriter writer = session.registry().styledWorkbooks();
            for (Map.Entry<Path, StyledWorkbook> workbook : workbooks.entrySet()) {
                writer.write(workbook.getValue(), files.file(workbook.getKey()));
            }
            if (pictured != null && pictured.runs().size() > 1) {
                Path folder = output.resolve("plots");
                Path page =
                        output.resolve(two ? "performance_analysis_report.html" : "final_analysis_report_for_all.html");
                RunPictures pictures = RunPictures.of(pictured, two ? RunLook.AORTA_TWO : RunLook.AORTA_ALL);
                pictures.write(files.directory(folder));
                pictures.writePage(files.file(page));
                written.addAll(List.of(folder, page));
            }
            files.commit();
        }
        return written;
    }

    /** A folder's name without what follows its last dot. */
    private static String stem(String label) {
        int dot = label.lastIndexOf('.');
        return dot > 0 && dot < label.length() - 1 ? label.substring(0, dot) : label;
    }
}
