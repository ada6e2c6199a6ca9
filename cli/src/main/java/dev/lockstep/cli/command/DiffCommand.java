// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.compare.TraceDifference;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.DifferenceDialect;
import dev.lockstep.reporting.DifferenceDialect.Difference;
import dev.lockstep.reporting.DifferenceReport;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** {@code lockstep diff BASELINE CANDIDATE}: says what sets two recordings apart. */
public final class DiffCommand implements Command {
    private static final double PERCENT = 100;

    private final ReportTargets targets = new ReportTargets();
    private final CompatOption compat = new CompatOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path baseline;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path candidate;

    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("BASELINE", Path.class, "The trace to compare with.", given -> baseline = given);
        arguments.argument("CANDIDATE", Path.class, "The trace to compare.", given -> candidate = given);
        targets.declare(arguments, "CANDIDATE's name with _diff");
        arguments.option(
                "--fail-on-regression",
                "PCT",
                Double.class,
                "Exit with 1 when the candidate's total time is more than PCT percent above the baseline's.",
                given -> gate = given);
        compat.declare(arguments, "tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        DifferenceDialect dialect = compat.part(DifferenceDialect.class);
        checkOptions();
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Trace one = Inputs.readOne(session, TraceInput.of(baseline), global, progress);
            Trace two = Inputs.readOne(session, TraceInput.of(candidate), global, progress);
            progress.step("comparing");
            DerivedCache before = new DerivedCache(one);
            DerivedCache after = new DerivedCache(two);
            TraceDifference.Result result = null;
            Report report;
            ReportTargets.Companions companions = sheets -> {};
            if (dialect == null) {
                result = DifferenceReport.compare(before, after);
                report = DifferenceReport.of(before, after, result);
            } else {
                Difference diff = dialect.of(before, after);
                report = diff.report();
                companions = diff::writeFiles;
            }
            progress.step("writing");
            List<Path> written = targets.write(
                    session,
                    report,
                    List.of(baseline, candidate),
                    Path.of(Inputs.stem(candidate) + "_diff"),
                    dialect == null ? CellStyle.PLAIN : dialect.cells(),
                    companions);
            progress.close();
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
            Inputs.reportProblems(List.of(one, two), err);
            int status = Inputs.status(List.of(one, two), global);
            return result != null
                            && gate != null
                            && isRegression(result, DifferenceReport.change(before, after, result), gate, err)
                    ? ExitStatus.GATE_FAILED
                    : status;
        }
    }

    private void checkOptions() {
        if (compat.isGiven() && gate != null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--fail-on-regression needs numbers that add up; it does not work with --compat",
                    null);
        }
        if (gate != null && !(gate >= 0)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, "--fail-on-regression wants a percentage of at least 0", null);
        }
    }

    /** Above the limit, and no chance as far as steps tell. */
    private static boolean isRegression(
            TraceDifference.Result result, Confidence change, double limit, PrintWriter err) {
        long before = result.baseline().span();
        long after = result.candidate().span();
        boolean failed = (!change.isKnown() || change.excludesZero())
                && after > before
                && (before == 0 || PERCENT * (after - before) > limit * before);
        if (failed) {
            err.println(String.format(
                    Locale.ROOT,
                    "regression: total time %.3f ms became %.3f ms, more than %s %% above the baseline",
                    before / 1e6,
                    after / 1e6,
                    limit));
        }
        return failed;
    }
}
