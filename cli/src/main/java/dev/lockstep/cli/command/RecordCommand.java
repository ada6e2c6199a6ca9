// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.DemoRecording;
import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.read.TraceInput;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.RoundTrip;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;

/** {@code lockstep record --demo}: a real recording without a GPU, and its replay. */
public final class RecordCommand implements Command {
    private static final int ROUNDS = 3;

    /** After this the program ends when the user stops it, whatever is left. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path folder = Path.of("lockstep-recording");
    private int threads = 1;
    private boolean demo;

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep record --demo", "lockstep record --demo -o recorded --threads 1");
        global = arguments.global();
        arguments.flag(
                "--demo",
                "Record training steps of a small transformer on this machine's CPU, then plan and replay them.",
                () -> demo = true);
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where the traces, the plan and the result go (default: lockstep-recording).",
                given -> folder = given);
        arguments.writes("-o");
        arguments.number(
                "--threads",
                "N",
                1,
                "Threads of the framework within an operator (default: 1).",
                given -> threads = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (!demo) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "only --demo can be recorded by the program itself",
                    "examples/profile holds scripts that record models on GPUs.");
        }
        ReplaySettings settings = DemoRecording.settings(threads);
        try (StopSignal stop = StopSignal.listen(LONGEST_END, ExitStatus.INTERRUPTED);
                Output output = new Output();
                Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Path staged = output.directory(folder);
            DemoRecording.Facts facts = DemoRecording.make(settings, staged, err::println, stop::isRequested);
            TraceInput trace = new TraceInput(WorkerSettings.TRACE, staged.resolve(WorkerSettings.TRACE));
            ReplayPlan plan = Replay.plan(Inputs.readOne(session, trace, global, progress));
            Replay.write(plan, staged.resolve("plan.json"));
            ReplayResult result;
            try (ReplayExecutor executor = Replay.executor(settings, err::println, stop::isRequested)) {
                result = Replay.runLeastDisturbed(
                        plan,
                        executor,
                        ROUNDS,
                        progress.counting("operators", ROUNDS * plan.operators().size()));
            }
            if (stop.isRequested()) {
                return ExitStatus.INTERRUPTED;
            }
            result.write(staged.resolve("result.json"));
            RoundTrip trip = RoundTrip.of(result, facts.costPerCall(), facts.running());
            trip.write(staged.resolve("round_trip.json"));
            boolean hasExecutionTrace = DemoRecording.hasExecutionTrace(staged);
            output.commit();
            progress.close();
            if (!hasExecutionTrace) {
                err.println(ReplayText.NO_PROFILER);
            }
            if (!global.quiet()) {
                ReplayText.recorded(trip, hasExecutionTrace, folder, out);
            }
        } catch (InterruptedIOException e) {
            return ExitStatus.INTERRUPTED;
        }
        return ExitStatus.COMPLETE;
    }
}
