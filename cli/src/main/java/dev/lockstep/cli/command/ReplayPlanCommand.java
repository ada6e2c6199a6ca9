// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.execution.ExecutionTraceReader;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.session.Session;
import dev.lockstep.session.TraceFiles;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code lockstep replay plan TRACE}: what to run again. */
public final class ReplayPlanCommand implements Command {
    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path trace;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path plan;

    private @Nullable Path executionTrace;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples(
                "lockstep replay plan trace.json.gz -o plan.json",
                "lockstep replay plan trace.json.gz --execution-trace et.json -o plan.json");
        global = arguments.global();
        arguments.argument(
                "TRACE",
                Path.class,
                "A trace of PyTorch's profiler, recorded with shapes, or an execution trace.",
                given -> trace = given);
        arguments.required("-o,--output", "PLAN.json", Path.class, "Where the plan goes.", given -> plan = given);
        arguments.writes("-o");
        arguments.option(
                "--execution-trace",
                "FILE",
                Path.class,
                "The execution trace of the run that TRACE shows: it gives the inputs, TRACE the times.",
                given -> executionTrace = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        Output.demandNoInput(
                plan, Stream.of(trace, executionTrace).filter(Objects::nonNull).toList());
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            TraceInput input = TraceInput.of(trace);
            TraceFiles.demandFile(input);
            ExecutionTraces executed = new ExecutionTraces();
            @Nullable Trace kineto = null;
            ReplayPlan made;
            if (executionTrace == null && ExecutionTraceReader.matches(input)) {
                made = Replay.plan(executed.read(input, global), null);
            } else {
                kineto = Inputs.readOne(session, input, global, progress);
                made = executionTrace == null
                        ? Replay.plan(kineto)
                        : Replay.plan(executed.read(TraceInput.of(executionTrace), global), kineto);
            }
            progress.close();
            if (made.operators().isEmpty()) {
                throw new UserException(
                        ErrorCode.NOTHING_TO_DO,
                        input.name() + ": no operators of the framework",
                        "Record the CPU, too: ProfilerActivity.CPU, with record_shapes=True.");
            }
            write(made);
            if (!global.quiet()) {
                ReplayText.plan(made, plan, out);
            }
            if (kineto != null) {
                Inputs.reportProblems(List.of(kineto), err);
            }
            executed.report(err);
            boolean whole = !executed.odd().hasLoss()
                    && (kineto == null || !kineto.diagnostics().hasLoss());
            return global.status(whole);
        }
    }

    private void write(ReplayPlan made) throws IOException {
        try (Output output = new Output()) {
            Replay.write(made, output.file(plan));
            output.commit();
        }
    }
}
