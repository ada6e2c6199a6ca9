// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.Forwards;
import dev.lockstep.model.Trace;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.read.TraceInput;
import dev.lockstep.replay.reconcile.AccountReport;
import dev.lockstep.replay.reconcile.Accounting;
import dev.lockstep.replay.reconcile.EnergyAccount;
import dev.lockstep.replay.reconcile.Isolated;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.RecordedSteps;
import dev.lockstep.replay.reconcile.Whole;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
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
        if (wholeMs <= 0 || Double.isInfinite(wholeMs)) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--whole-ms wants a time above 0", null);
        }
        ReplayAccount.Parts parts = account.parts();
        Isolated isolated = parts.isolated();
        if (isolated.parts().isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, account.result() + " holds no parts", null);
        }
        if (isolated.parts().stream().noneMatch(Part::isMeasured)) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, account.result() + ": no part was measured", null);
        }
        List<PowerSeries> series = parts.power() == null ? List.of() : account.series(parts.power(), isolated);
        EnergyAccount energy = series.isEmpty() ? null : EnergyAccount.of(isolated, series, account.idleWatts());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            List<Trace> traces = new ArrayList<>();
            RecordedSteps steps = recorded(traces, session, progress);
            Forwards forwards = forwards(isolated, steps);
            Whole whole = whole(parts, series, forwards, steps);
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

    private @Nullable RecordedSteps recorded(List<Trace> traces, Session session, Progress progress)
            throws IOException {
        if (trace == null) {
            return null;
        }
        Trace read = Inputs.readOne(session, TraceInput.of(trace), rank, global, progress);
        traces.add(read);
        progress.step("analysing");
        return RecordedSteps.of(new DerivedCache(read), stepAnnotation);
    }

    /** What the user says, then what marks steps in the trace as the user says, then what the parts tell. */
    private @Nullable Forwards forwards(Isolated isolated, @Nullable RecordedSteps steps) {
        int given = account.forwards();
        int marked = steps == null ? 0 : steps.marked();
        if (given == 0 && marked > 0 && (stepAnnotation != null || isolated.steps() == 0)) {
            return new Forwards(marked, Forwards.Source.ANNOTATION, Double.NaN);
        }
        if (marked > 0 && isolated.steps() > 0 && stepAnnotation == null && marked != isolated.steps()) {
            account.claim(new Finding(
                    Severity.NOTICE,
                    "other_recording",
                    trace + " holds " + marked + " steps, the recording of the parts " + isolated.steps()
                            + ": steps of the one are compared with steps of the other.",
                    "trace: steps"));
        }
        return isolated.forwards(given);
    }

    private Whole whole(
            ReplayAccount.Parts parts,
            List<PowerSeries> series,
            @Nullable Forwards forwards,
            @Nullable RecordedSteps steps)
            throws IOException {
        Whole known = parts.whole();
        if (steps != null) {
            boolean byMarks = steps.marked() > 0 && account.forwards() == 0;
            int passes = byMarks ? steps.marked() : forwards == null ? 1 : forwards.count();
            Whole recorded = steps.whole(passes);
            known = new Whole(recorded.source(), recorded.ns(), known.joules(), recorded.activity());
        }
        Whole stated = account.whole(known, series);
        return Double.isNaN(wholeMs)
                ? stated
                : new Whole("--whole-ms", wholeMs * NS_PER_MS, stated.joules(), stated.activity());
    }
}
