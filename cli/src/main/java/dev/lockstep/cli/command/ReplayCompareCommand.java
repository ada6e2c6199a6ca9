// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.ReconciliationReport;
import dev.lockstep.replay.reconcile.WholeSources;
import dev.lockstep.report.Finding;
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

    private final ReconciliationArguments arguments = new ReconciliationArguments();
    private final ReportTargets targets = new ReportTargets();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private @Nullable Path trace;
    private int rank = -1;
    private @Nullable String stepAnnotation;
    private double wholeMs = Double.NaN;

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep replay compare result.json --trace trace.json.gz -o whole",
                "lockstep replay compare result.json --whole-ms 41.5");
        global = declared.global();
        arguments.declare(declared);
        declared.option(
                "--trace",
                "TRACE",
                Path.class,
                "The trace that was replayed: gives the step time, and splits what is missing.",
                given -> trace = given);
        declared.number("--rank", "N", 0, "Of a trace with several ranks, take this one.", given -> rank = given);
        StepAnnotationOption.declare(declared, given -> stepAnnotation = given);
        declared.option(
                "--whole-ms",
                "MS",
                Double.class,
                "What one pass of the whole took, in milliseconds.",
                given -> wholeMs = given);
        targets.declare(declared, "RESULT's name with _compare");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (wholeMs <= 0 || Double.isInfinite(wholeMs)) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--whole-ms wants a time above 0", null);
        }
        ReconciliationArguments.Options options = arguments.options();
        ReconciliationInputs inputs = ReconciliationInputs.read(options);
        demandMeasured(inputs.parts(), options.result());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            List<Path> files = new ArrayList<>(inputs.files());
            List<Trace> traces = new ArrayList<>();
            WholeSources.Recorded recorded = null;
            if (trace != null) {
                Trace read = Inputs.readOne(session, TraceInput.of(trace), rank, global, progress);
                files.add(trace);
                traces.add(read);
                progress.step("analysing");
                recorded = WholeSources.Recorded.of(read, stepAnnotation);
            }
            WholeSources whole = new WholeSources(
                    inputs.beside(), recorded, inputs.stated(), wholeMs * NS_PER_MS, options.forwards());
            List<Finding> claims = new ArrayList<>(inputs.claims());
            claims.addAll(whole.remarks(inputs.parts()));
            Report report = ReconciliationReport.of(Replay.compare(inputs.parts(), whole, inputs.power()), claims);
            List<Path> written = targets.write(
                    session, report, files, Path.of(Inputs.stem(options.result()) + "_compare"), CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                Summary.print(report, written, out);
            }
            Inputs.reportProblems(traces, err);
            return traces.isEmpty() ? ExitStatus.COMPLETE : Inputs.status(traces, global);
        }
    }

    private static void demandMeasured(MeasuredParts parts, Path result) {
        if (parts.parts().isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, result + " holds no parts", null);
        }
        if (parts.parts().stream().noneMatch(Part::isMeasured)) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, result + ": no part was measured", null);
        }
    }
}
