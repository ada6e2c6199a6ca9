// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compare.Change;
import dev.lockstep.compare.reports.ComparisonReport;
import dev.lockstep.compare.reports.RunComparison;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.report.SheetSet;
import dev.lockstep.reporting.ComparisonDialect;
import dev.lockstep.reporting.ReportFiles;
import dev.lockstep.session.Session;
import dev.lockstep.tabular.SheetTable;
import dev.lockstep.write.CellStyle;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code lockstep compare REPORT REPORT...}: finished reports side by side, the first as the baseline. */
public final class CompareCommand implements Command {
    private static final String FALLBACK = "comparison";

    private final ReportTargets targets = new ReportTargets();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> reports = List.of();
    private List<String> names = List.of();
    private List<String> sheets = List.of();
    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.arguments(
                "REPORT",
                "Two reports or more, workbooks or folders of CSV files; the first is the baseline.",
                given -> reports = given);
        targets.declare(arguments, FALLBACK);
        arguments.option(
                "--names",
                "A,B",
                String.class,
                "What to call the reports (default: names of their files).",
                given -> names = list(given));
        arguments.option(
                "--sheets",
                "S,..",
                String.class,
                "Compare these alone: gpu_timeline, ops_summary, kernel_summary, ops_all (by arguments), roofline"
                        + " (operator families), all, or without --compat any sheet by its name.",
                given -> sheets = list(given));
        arguments.option(
                "--fail-on-regression",
                "PCT",
                Double.class,
                "Exit with 1 when a report's total time is more than PCT percent above the baseline.",
                given -> gate = given);
        compat.declare(arguments, "tracelens, or aorta (gpu_timeline and ops_summary)");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ComparisonDialect dialect = compat.part(ComparisonDialect.class);
        List<Path> paths = reports.stream().map(Path::of).toList();
        List<SheetSet> read = read(paths, dialect);
        Report report;
        RunComparison.Result result = null;
        if (dialect == null) {
            result = RunComparison.of(read, this::wanted);
            if (result.tables().isEmpty()) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        String.join(", ", reports) + ": these reports share no sheet that can be compared",
                        "Compare reports that lockstep report or TraceLens wrote.");
            }
            report = ComparisonReport.of(read, result);
        } else {
            demandKnown(dialect.choices());
            report = dialect.report(read, sheets);
        }
        try (Session session = new Session(global.jobs())) {
            Collection<Path> written = targets.write(
                    session, report, paths, Path.of(FALLBACK), dialect == null ? CellStyle.PLAIN : dialect.cells());
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
        }
        return result == null || gate == null ? ExitStatus.COMPLETE : gate(result, gate, err);
    }

    private List<SheetSet> read(List<Path> paths, @Nullable ComparisonDialect dialect) throws IOException {
        if (paths.size() < 2) {
            throw invalid("a comparison needs two reports or more", "The first one is the baseline.");
        }
        if (!names.isEmpty() && names.size() != paths.size()) {
            throw invalid(
                    "--names gives " + names.size() + " names for " + paths.size() + " reports",
                    "One for each, in order.");
        }
        if (dialect != null && gate != null) {
            throw invalid("--fail-on-regression needs numbers that add up; it does not work with --compat", null);
        }
        SheetTable cells = dialect == null ? SheetTable.PLAIN : dialect.readBack();
        Predicate<String> sheets = dialect == null ? sheet -> !sheet.equals("Overview") : dialect::reads;
        List<SheetSet> read = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < paths.size(); i++) {
            String name = names.isEmpty() ? stem(paths.get(i)) : names.get(i);
            if (!taken.add(name)) {
                throw invalid("two reports are called " + name, "Give each a name of its own: --names A,B.");
            }
            read.add(ReportFiles.read(paths.get(i), name, cells, sheets));
        }
        return read;
    }

    private boolean wanted(String sheet) {
        return sheets.isEmpty()
                || sheets.stream().anyMatch(choice -> switch (choice) {
                    case "all" -> true;
                    case "ops_all" -> sheet.equals("ops_unique_args") || sheet.equals("unified_perf_summary");
                    case "roofline" -> RunComparison.isFamily(sheet);
                    default -> sheet.equals(choice);
                });
    }

    private void demandKnown(List<String> choices) {
        for (String sheet : sheets) {
            if (!choices.contains(sheet)) {
                throw invalid("unknown sheet for --sheets: " + sheet, "known: " + String.join(", ", choices));
            }
        }
    }

    private static int gate(RunComparison.Result result, double percent, PrintWriter err) {
        int status = ExitStatus.COMPLETE;
        for (int i = 1; i < result.names().size(); i++) {
            Change change = result.change(i);
            if (Double.isNaN(change.percent())) {
                throw new UserException(
                        ErrorCode.DATA_MISSING,
                        result.names().get(i) + ": its total time or that of the baseline is unknown",
                        "--fail-on-regression needs the sheet gpu_timeline, or sheets of operators or kernels, in all reports.");
            }
            if (change.exceeds(percent)) {
                err.println(String.format(
                        Locale.ROOT,
                        "regression: %s is %.2f %% above %s in total time, more than %s %%",
                        result.names().get(i),
                        change.percent(),
                        result.names().getFirst(),
                        Numbers.plain(percent)));
                status = ExitStatus.GATE_FAILED;
            }
        }
        return status;
    }

    private static String stem(Path path) {
        String name = String.valueOf(path.toAbsolutePath().normalize().getFileName());
        String lower = name.toLowerCase(Locale.ROOT);
        boolean file = lower.endsWith(".xlsx") || lower.endsWith(".csv");
        return file ? name.substring(0, lower.lastIndexOf('.')) : name;
    }

    private static List<String> list(String given) {
        return Arrays.stream(given.split(","))
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
