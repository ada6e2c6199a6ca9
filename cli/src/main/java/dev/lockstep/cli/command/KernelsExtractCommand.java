// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.command.KernelArguments.Options;
import dev.lockstep.kernels.Kernels;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.report.Report;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep kernels extract}: the unique kernels of a trace, or of lists that were written before. */
public final class KernelsExtractCommand implements Command {
    private final KernelArguments arguments = new KernelArguments();
    private final ReportTargets targets = new ReportTargets();
    private final CompatKernels compat = new CompatKernels();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep kernels extract trace.json.gz -o kernels",
                "lockstep kernels extract trace.json.gz --csv sheets --launches");
        global = declared.global();
        arguments.declareInputs(declared);
        targets.declare(declared, "INPUT's name with _kernels");
        arguments.declare(declared);
        compat.declareExtract(declared);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        boolean compatible = compat.isWanted();
        Options options = arguments.options();
        if (compatible) {
            return compat.extract(options, targets.directoryOr(Path.of(".")), global, out, err);
        }
        return switch (options.kind()) {
            case TRACE -> traced(options, out, err);
            case EXECUTION_TRACE -> executed(options, out, err);
            case LISTS -> listed(options, out);
        };
    }

    private int traced(Options options, PrintWriter out, PrintWriter err) throws IOException {
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            ExecutionTraces executed = new ExecutionTraces();
            Path beside = options.executionTrace();
            Selection selection = options.selection().of(false);
            Trace trace = Inputs.readOne(session, options.input(), options.rank(), global, progress);
            progress.step("analysing");
            ExecutionTrace known = beside == null ? null : executed.read(TraceInput.of(beside), global);
            Kernels kernels = Kernels.of(trace, known, selection);
            KernelText.demandKernels(kernels, options, Inputs.RECORD_DEVICES);
            progress.step("writing");
            write(session, kernels, options, out);
            Inputs.reportProblems(List.of(trace), err);
            executed.report(err);
            if (!kernels.isJoined()) {
                err.println(
                        beside + ": none of its calls is in " + options.inputs().getFirst());
            }
            boolean whole = !trace.diagnostics().hasLoss() && !executed.odd().hasLoss() && kernels.isJoined();
            return global.status(whole);
        }
    }

    private int executed(Options options, PrintWriter out, PrintWriter err) throws IOException {
        ExecutionTraces executed = new ExecutionTraces();
        try (Session session = new Session(1);
                Progress progress = Progress.of(global)) {
            progress.step("reading");
            ExecutionTrace trace = executed.read(options.input(), global);
            Kernels kernels = Kernels.of(trace, options.selection().of(!trace.isLinked()));
            KernelText.demandKernels(kernels, options, null);
            progress.step("writing");
            write(session, kernels, options, out);
        }
        executed.report(err);
        return global.status(!executed.odd().hasLoss());
    }

    private int listed(Options options, PrintWriter out) throws IOException {
        Kernels kernels = Kernels.ofLists(
                options.inputs(), options.computeLists(), options.selection().of(false));
        KernelText.demandKernels(kernels, options, null);
        try (Session session = new Session(1)) {
            write(session, kernels, options, out);
        }
        return ExitStatus.COMPLETE;
    }

    private void write(Session session, Kernels kernels, Options options, PrintWriter out) throws IOException {
        Report report = kernels.report(String.join(", ", options.names()));
        Path fallback = Path.of(Inputs.stem(options.inputs().getFirst()) + "_kernels");
        List<Path> written = targets.write(session, report, options.files(), fallback, CellStyle.PLAIN, folder -> {
            kernels.write(options.names(), folder);
            if (options.launches()) {
                kernels.writeLaunches(folder);
            }
        });
        if (!global.quiet()) {
            Summary.print(report, written, out);
        }
    }
}
