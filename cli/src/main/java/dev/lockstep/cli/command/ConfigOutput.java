// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.TableNames;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.configurations.ConfigurationReport;
import dev.lockstep.compare.configurations.ConfigurationWorkbooks;
import dev.lockstep.compare.configurations.Options;
import dev.lockstep.compare.configurations.Place;
import dev.lockstep.compare.configurations.StoredConfiguration;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.publish.figures.RunLook;
import dev.lockstep.publish.figures.RunPictures;
import dev.lockstep.report.Report;
import dev.lockstep.report.StyledWorkbook;
import dev.lockstep.session.Registry;
import dev.lockstep.session.Session;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Numbers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares configurations and writes what was found: workbooks, CSV files, JSON and a page. */
final class ConfigOutput {
    private final GlobalOptions global;
    private final ConfigInputs inputs;
    private final ConfigStages stages;
    private final Path output;
    private final ScreenOption screen;

    ConfigOutput(GlobalOptions global, ConfigInputs inputs, ConfigStages stages, Path output, ScreenOption screen) {
        this.global = global;
        this.inputs = inputs;
        this.stages = stages;
        this.output = output;
        this.screen = screen;
    }

    int write(Options options, @Nullable Double gate, PrintWriter out, PrintWriter err) throws IOException {
        boolean both = stages.finalReport() || !stages.timelines() && !stages.collectives();
        List<StoredConfiguration> stored = inputs.read(
                SheetTable.PANDAS,
                both || stages.timelines(),
                both || stages.collectives(),
                sheet -> sheet.startsWith("nccl_") && !sheet.equals(TableNames.NCCL_LONG)
                        || sheet.equals(TableNames.STRAGGLER_SUMMARY));
        ConfigurationReport report = ConfigurationReport.of(stored, options);
        if (report.comparison().tables().isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "no report of the configurations has a timeline of a device, or collectives",
                    stored.stream().noneMatch(StoredConfiguration::hasReports)
                            ? "Make the reports with lockstep config report, or leave --skip-reports out."
                            : Inputs.RECORD_DEVICES);
        }
        Map<String, Path> written = write(report);
        if (!global.quiet()) {
            screen.print(report.report(), false, written.values(), out);
        }
        if (!report.coverage().isComplete()) {
            CoverageText.print(report.coverage(), err);
        }
        int status = gate == null ? ExitStatus.COMPLETE : gate(report, gate, err);
        return status == ExitStatus.COMPLETE ? ConfigInputs.status(global, report.coverage(), true) : status;
    }

    private Map<String, Path> write(ConfigurationReport report) throws IOException {
        Map<String, Path> written = new LinkedHashMap<>();
        try (Session session = new Session(1);
                Output files = new Output()) {
            Registry registry = session.registry();
            Report whole = report.report();
            for (Map.Entry<String, StyledWorkbook> book : workbooks(report).entrySet()) {
                Path file = add(written, book.getKey());
                registry.styledWorkbooks().write(book.getValue(), files.file(file));
            }
            String page =
                    inputs.size() == 2 ? "performance_analysis_report.html" : "final_analysis_report_for_all.html";
            registry.writer("html").write(whole, files.file(add(written, page)), CellStyle.PLAIN);
            registry.writer("json").write(whole, files.file(add(written, "comparison.json")), CellStyle.PLAIN);
            registry.writer("csv").write(whole, files.directory(add(written, "csv")), CellStyle.PLAIN);
            if (stages.plots()) {
                RunPictures.of(report.comparison().pictured(), RunLook.RIGHT)
                        .write(files.directory(add(written, "plots")));
            }
            files.commit();
        }
        return written;
    }

    private Path add(Map<String, Path> written, String name) {
        Path path = output.resolve(name);
        written.put(name, path);
        return path;
    }

    private Map<String, StyledWorkbook> workbooks(ConfigurationReport report) {
        ConfigurationWorkbooks books = new ConfigurationWorkbooks(report);
        Map<String, StyledWorkbook> named = new LinkedHashMap<>();
        if (stages.timelines()) {
            named.put("gpu_timeline_comparison.xlsx", books.timelines());
        }
        if (stages.collectives()) {
            named.put("collective_comparison.xlsx", books.collectives());
        }
        if (stages.finalReport()) {
            String name = inputs.size() == 2 ? "final_analysis_report.xlsx" : "final_analysis_report_for_all.xlsx";
            named.put(name, books.all());
        }
        return named;
    }

    private static int gate(ConfigurationReport report, double percent, PrintWriter err) {
        int status = ExitStatus.COMPLETE;
        List<String> labels = report.comparison().labels();
        for (int run = 1; run < labels.size(); run++) {
            Place place = report.comparison().place(run);
            Change change = place == null ? null : place.change();
            if (change == null || Double.isNaN(change.percent())) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        labels.get(run) + ": its total time or that of the baseline is unknown",
                        "--fail-on-regression needs the ranks' reports of all configurations.");
            }
            if (change.exceeds(percent)) {
                err.println(String.format(
                        Locale.ROOT,
                        "regression: %s is %.2f %% above %s in total time, more than %s %%",
                        labels.get(run),
                        change.percent(),
                        labels.getFirst(),
                        Numbers.plain(percent)));
                status = ExitStatus.GATE_FAILED;
            }
        }
        return status;
    }
}
