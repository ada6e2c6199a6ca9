// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.account.AccountReport;
import dev.lockstep.account.Accounting;
import dev.lockstep.account.EnergyAccount;
import dev.lockstep.account.Isolated;
import dev.lockstep.account.RecordedSteps;
import dev.lockstep.account.Whole;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.engine.Session;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.Forwards;
import dev.lockstep.model.Trace;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.read.TraceInput;
import dev.lockstep.report.Report;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep replay compare RESULT}: whether parts measured alone add up to the whole. */
public final class ReplayCompareCommand implements Command {
    private static final double NS_PER_MS = 1e6;

    private final ReplayAccount account = new ReplayAccount();
    private final ReportTargets targets = new ReportTargets();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private @Nullable Path trace;
    private int rank = -1;
    private @Nullable String stepAnnotation;
    private double wholeMs = Double.NaN;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        account.declare(arguments);
        arguments.option(
                "--trace",
                "TRACE",
                Path.class,
                "The recording that was replayed: says what a step took, and splits what is missing.",
                given -> trace = given);
        arguments.option(
                "--rank", "N", Integer.class, "Of a trace with several ranks, take this one.", given -> rank = given);
        arguments.option(
                "--step-annotation",
                "NAME",
                String.class,
                "Annotations of this name mark steps (default: the profiler's ProfilerStep#N).",
                given -> stepAnnotation = given);
        arguments.option(
                "--whole-ms",
                "MS",
                Double.class,
                "What one pass of the whole took, in milliseconds.",
                given -> wholeMs = given);
        targets.declare(arguments, "RESULT's name with _compare");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (wholeMs <= 0) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--whole-ms wants a time above 0", null);
        }
        ReplayAccount.Parts parts = account.parts();
        Isolated isolated = parts.isolated();
        if (isolated.parts().isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, account.result() + " holds no parts", null);
        }
        Forwards forwards = isolated.forwards(account.forwards());
        List<PowerSeries> series = parts.power() == null ? List.of() : account.series(parts.power(), isolated);
        EnergyAccount energy = series.isEmpty() ? null : EnergyAccount.of(isolated, series, account.idleWatts());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            List<Trace> traces = new ArrayList<>();
            Whole whole = whole(parts, series, forwards, traces, session, progress);
            Report report = AccountReport.of(new Accounting(isolated, whole, forwards, energy), account.claims());
            List<Path> read = new ArrayList<>(account.read());
            if (trace != null) {
                read.add(trace);
            }
            List<Path> written = targets.write(
                    session, report, read, Path.of(Inputs.stem(account.result()) + "_compare"), CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
            Inputs.reportProblems(traces, err);
            return traces.isEmpty() ? ExitStatus.COMPLETE : Inputs.status(traces, global);
        }
    }

    private Whole whole(
            ReplayAccount.Parts parts,
            List<PowerSeries> series,
            @Nullable Forwards forwards,
            List<Trace> traces,
            Session session,
            Progress progress)
            throws IOException {
        Whole known = parts.whole();
        if (trace != null) {
            Trace read = Inputs.readOne(session, TraceInput.of(trace), rank, global, progress);
            traces.add(read);
            progress.step("analysing");
            Whole recorded =
                    RecordedSteps.of(new DerivedCache(read), stepAnnotation, forwards == null ? 0 : forwards.count());
            known = new Whole(recorded.source(), recorded.ns(), known.joules(), recorded.activity());
        }
        Whole stated = account.whole(known, series);
        return Double.isNaN(wholeMs)
                ? stated
                : new Whole("--whole-ms", wholeMs * NS_PER_MS, stated.joules(), stated.activity());
    }
}
