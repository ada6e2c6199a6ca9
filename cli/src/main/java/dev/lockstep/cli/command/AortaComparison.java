// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.aorta.config.ConfigComparison;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.Mean;
import dev.lockstep.compat.aorta.config.GpuTimelineSummary.RankTimeline;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.RunLook;
import dev.lockstep.report.ComparedRuns;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.reporting.StoredReports;
import dev.lockstep.runs.Coverage;
import dev.lockstep.session.Session;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.Output;
import dev.lockstep.write.StyledWorkbookWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares configurations as AORTA does, file by file. */
final class AortaComparison {
    private final GlobalOptions global;
    private final ConfigInputs inputs;
    private final ConfigStages stages;
    private final Mean mean;
    private final Path output;
    private final boolean two;

    AortaComparison(GlobalOptions global, ConfigInputs inputs, ConfigStages stages, boolean geometric, Path output) {
        this.global = global;
        this.inputs = inputs;
        this.stages = stages;
        this.mean = geometric ? Mean.GEOMETRIC : Mean.ARITHMETIC;
        this.output = output;
        this.two = inputs.size() == 2;
    }

    int write(PrintWriter out, PrintWriter err) throws IOException {
        boolean timelines = !two || stages.timelines();
        boolean collectives = !two || stages.collectives();
        List<StoredReports> stored =
                inputs.read(SheetTable.PANDAS, timelines, collectives, sheet -> two || sheet.contains("summary"));
        Coverage coverage = stored.stream().map(StoredReports::coverage).reduce(Coverage.none(), Coverage::and);
        Map<Path, StyledWorkbook> workbooks = new LinkedHashMap<>();
        List<ConfigComparison.Run> runs = new ArrayList<>();
        for (StoredReports reports : stored) {
            runs.add(run(reports, timelines, collectives, workbooks));
        }
        ConfigComparison comparison = two
                ? ConfigComparison.ofTwo(whole(runs).getFirst(), runs.getLast(), stages.finalReport())
                : ConfigComparison.ofAll(usable(runs, err));
        comparison.workbooks().forEach((name, workbook) -> workbooks.put(output.resolve(name), workbook));
        List<Path> written = write(workbooks, two && !stages.plots() ? null : comparison.pictured());
        if (!global.quiet()) {
            written.forEach(file -> out.println("wrote " + file));
        }
        if (!coverage.isComplete()) {
            CoverageText.print(coverage, err);
        }
        return ConfigInputs.status(global, coverage, two || usable(runs).size() == runs.size());
    }

    private ConfigComparison.Run run(
            StoredReports reports, boolean timelines, boolean collectives, Map<Path, StyledWorkbook> workbooks) {
        GpuTimelineSummary summary = null;
        if (timelines && !reports.timelines().isEmpty()) {
            List<RankTimeline> ranks = reports.timelines().entrySet().stream()
                    .map(e -> new RankTimeline(e.getKey(), e.getValue()))
                    .toList();
            summary = GpuTimelineSummary.of(ranks, reports.files(), mean);
            workbooks.put(
                    reports.configuration().reports().timelineSummary(mean == Mean.GEOMETRIC), summary.workbook());
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
                inputs.configurations().get(run).reports().analysis() + ": " + what,
                "Make the reports with lockstep config report, or leave --skip-reports out.");
    }

    /** Runs that lack a report are left out; if the baseline does, the next one takes its place. */
    private List<ConfigComparison.Run> usable(List<ConfigComparison.Run> runs, PrintWriter err) {
        List<ConfigComparison.Run> usable = usable(runs);
        for (int i = 0; i < runs.size(); i++) {
            ConfigComparison.Run run = runs.get(i);
            if (!usable.contains(run)) {
                err.println("left out: " + run.label() + " has no "
                        + (run.timelines() == null ? "readable report of a rank" : "report on collectives"));
            }
        }
        if (usable.isEmpty()) {
            throw missing(0, "no reports that can be read, and none of the other configurations has any");
        }
        return usable;
    }

    private static List<ConfigComparison.Run> usable(List<ConfigComparison.Run> runs) {
        return runs.stream()
                .filter(run -> run.timelines() != null && run.collectives() != null)
                .toList();
    }

    private List<Path> write(Map<Path, StyledWorkbook> workbooks, @Nullable ComparedRuns pictured) throws IOException {
        List<Path> written = new ArrayList<>(workbooks.keySet());
        try (Session session = new Session(1);
                Output files = new Output()) {
            StyledWorkbookWriter writer = session.registry().styledWorkbooks();
            for (Map.Entry<Path, StyledWorkbook> workbook : workbooks.entrySet()) {
                writer.write(workbook.getValue(), files.file(workbook.getKey()));
            }
            if (pictured != null && pictured.runs().size() > 1) {
                Path folder = output.resolve("plots");
                Path page =
                        output.resolve(two ? "performance_analysis_report.html" : "final_analysis_report_for_all.html");
                ConfigPictures pictures = ConfigPictures.of(pictured, two ? RunLook.AORTA_TWO : RunLook.AORTA_ALL);
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
