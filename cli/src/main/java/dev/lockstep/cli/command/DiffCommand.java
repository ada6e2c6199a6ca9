// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.DiffResult;
import dev.lockstep.Lockstep;
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
import dev.lockstep.report.Trust;
import dev.lockstep.reporting.DifferenceDialect;
import dev.lockstep.reporting.DifferenceDialect.Difference;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code lockstep diff BASELINE CANDIDATE}: says what sets two recordings apart. */
public final class DiffCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();
    private final DiffInputs inputs = new DiffInputs();
    private final CompatOption compat = new CompatOption();
    private final CompanionArguments companions = new CompanionArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private @Nullable Double gate;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        inputs.declare(arguments);
        screen.declare(arguments);
        targets.declare(arguments, "CANDIDATE's name with _diff");
        arguments.option(
                "--fail-on-regression",
                "PCT",
                Double.class,
                "Exit with 1 when the candidate's total time is more than PCT percent above the baseline's.",
                given -> gate = RegressionGate.percent(given));
        compat.declare(arguments, "hta or tracelens");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        DifferenceDialect dialect = compat.part(DifferenceDialect.class);
        checkOptions();
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            Session session = lockstep.session();
            List<DiffInputs.Side> sides = inputs.sides(lockstep, progress, err);
            Path before = sides.getFirst().file();
            Path after = sides.getLast().file();
            Trace one = Inputs.readOne(session, TraceInput.of(before), global, progress);
            Trace two = Inputs.readOne(session, TraceInput.of(after), global, progress);
            progress.step("comparing");
            DiffResult own = dialect == null
                    ? lockstep.diff(
                            one,
                            two,
                            sides.getFirst().lateness(),
                            sides.getLast().lateness())
                    : null;
            Difference theirs = dialect == null ? null : dialect.of(new DerivedCache(one), new DerivedCache(two));
            Report report =
                    own != null ? own.report() : Objects.requireNonNull(theirs).report();
            progress.step("writing");
            List<Path> written = targets.write(
                    session,
                    report,
                    List.of(before, after),
                    Path.of(Inputs.stem(after) + "_diff"),
                    dialect == null ? CellStyle.PLAIN : dialect.cells(),
                    theirs == null ? sheets -> companions.writeDifference(one, two, sheets) : theirs::writeFiles);
            progress.close();
            if (!global.quiet()) {
                screen.print(report, dialect != null, written, out);
            }
            Inputs.reportProblems(List.of(one, two), err);
            int traces = Inputs.status(List.of(one, two), own == null ? Trust.SOUND : report.trust(), global);
            boolean whole = sides.stream().allMatch(DiffInputs.Side::whole);
            int status = traces == ExitStatus.COMPLETE ? global.status(whole) : traces;
            return own != null && gate != null && isRegression(own, gate, err) ? ExitStatus.GATE_FAILED : status;
        }
    }

    private void checkOptions() {
        if (compat.isGiven() && gate != null) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--fail-on-regression does not work with --compat", null);
        }
    }

    private static boolean isRegression(DiffResult result, double limit, PrintWriter err) {
        boolean failed = result.isSlowerBy(limit);
        if (failed) {
            err.println(String.format(
                    Locale.ROOT,
                    "regression: total time %.3f ms became %.3f ms, more than %s %% above the baseline",
                    result.baselineNs() / 1e6,
                    result.candidateNs() / 1e6,
                    limit));
        }
        return failed;
    }
}
