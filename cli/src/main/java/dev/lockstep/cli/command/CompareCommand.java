// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.ReportComparison.Compared;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.ComparisonDialect;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code lockstep compare REPORT REPORT...}: finished reports side by side, the first as the baseline. */
public final class CompareCommand implements Command {
    private static final String FALLBACK = "comparison";

    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> reports = List.of();
    private List<String> names = List.of();
    private List<String> sheets = List.of();
    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep compare baseline/report.xlsx candidate/report.xlsx -o comparison",
                "lockstep compare before/ after/ --fail-on-regression 5");
        global = arguments.global();
        arguments.arguments(
                "REPORT",
                "Two or more reports: workbooks or folders of CSV files. The first is the baseline.",
                given -> reports = given);
        screen.declare(arguments);
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
                given -> gate = RegressionGate.percent(given));
        compat.declare(arguments, "tracelens, or aorta (gpu_timeline and ops_summary)");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ComparisonDialect dialect = compat.part(ComparisonDialect.class);
        if (dialect != null && gate != null) {
            throw invalid("--fail-on-regression does not work with --compat", null);
        }
        List<Path> paths = reports.stream().map(FileNames::path).toList();
        try (Lockstep lockstep = Inputs.open(global)) {
            Compared own = dialect != null
                    ? null
                    : lockstep.compare(paths).named(names).ofSheets(sheets).read();
            Report report = own != null ? own.report() : theirs(Objects.requireNonNull(dialect), paths);
            Collection<Path> written = targets.write(
                    lockstep.session(),
                    report,
                    ReportFiles.files(paths),
                    Path.of(FALLBACK),
                    dialect == null ? CellStyle.PLAIN : dialect.cells());
            if (own != null) {
                own.gaps().forEach(err::println);
            }
            if (!global.quiet()) {
                screen.print(report, dialect != null, written, out);
            }
            String needs = "the sheet gpu_timeline, or sheets of operators or kernels, in all reports";
            int passed =
                    own == null || gate == null ? ExitStatus.COMPLETE : RegressionGate.status(gate, own, needs, err);
            return passed == ExitStatus.COMPLETE ? global.status(own == null || own.isWhole()) : passed;
        }
    }

    private Report theirs(ComparisonDialect dialect, List<Path> paths) throws IOException {
        for (String sheet : sheets) {
            if (!dialect.choices().contains(sheet)) {
                throw invalid("unknown sheet for --sheets: " + sheet, "known: " + String.join(", ", dialect.choices()));
            }
        }
        return dialect.report(ReportFiles.read(paths, names, dialect.readBack(), dialect::reads), sheets);
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
