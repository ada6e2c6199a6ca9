// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.DemoRecording;
import dev.lockstep.libtorch.LibtorchExecutor;
import dev.lockstep.libtorch.Natives;
import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.libtorch.WorkerSettings.Cache;
import dev.lockstep.libtorch.WorkerSettings.Repeats;
import dev.lockstep.libtorch.Workers;
import dev.lockstep.read.TraceInput;
import dev.lockstep.replay.KinetoPlan;
import dev.lockstep.replay.OperatorRun;
import dev.lockstep.replay.PlanFile;
import dev.lockstep.replay.ReplayPlan;
import dev.lockstep.replay.ReplayResult;
import dev.lockstep.replay.RoundTrip;
import dev.lockstep.replay.Sequence;
import dev.lockstep.replay.SequenceRun;
import dev.lockstep.replay.Timing;
import dev.lockstep.session.Session;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** {@code lockstep record --demo}: a real recording without a GPU, and its replay. */
public final class RecordCommand implements Command {
    private static final int SECONDS = 120;
    private static final int ROUNDS = 3;
    private static final long MEMORY = 4L << 30;

    /** After this the program ends when the user stops it, whatever is left. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private Path folder = Path.of("lockstep-recording");
    private int threads = 1;
    private boolean demo;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.flag(
                "--demo",
                "Record training steps of a small transformer on this machine's CPU, then plan and replay them.",
                () -> demo = true);
        arguments.option(
                "-o,--output",
                "DIR",
                Path.class,
                "Where the recordings, the plan and the result go (default: lockstep-recording).",
                given -> folder = given);
        arguments.option(
                "--threads",
                "N",
                Integer.class,
                "Threads of the framework within an operator (default: 1).",
                given -> threads = given);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (!demo || threads < 1) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    demo
                            ? "--threads wants a number of at least 1"
                            : "only --demo can be recorded by the program itself",
                    "examples/profile holds scripts that record models on GPUs.");
        }
        Natives natives = Natives.of("cpu");
        List<String> program = Workers.command(natives.classPath(err::println));
        try (StopSignal stop = StopSignal.listen(LONGEST_END, ExitStatus.INTERRUPTED);
                Output output = new Output();
                Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            Path staged = output.directory(folder);
            DemoRecording.Facts facts =
                    DemoRecording.make(program, settings(natives, staged.toString()), staged, stop::isRequested);
            TraceInput trace = new TraceInput(WorkerSettings.TRACE, staged.resolve(WorkerSettings.TRACE));
            ReplayPlan plan = KinetoPlan.of(new DerivedCache(Inputs.readOne(session, trace, global, progress)));
            PlanFile.write(plan, staged.resolve("plan.json"));
            ReplayResult result;
            try (LibtorchExecutor executor =
                    new LibtorchExecutor(program, settings(natives, ""), MEMORY, stop::isRequested)) {
                IntConsumer counter =
                        progress.counting("operators", ROUNDS * plan.operators().size());
                int all = plan.operators().size();
                result = ReplayResult.of(plan, executor, counter);
                SequenceRun inOrder = executor.run(Sequence.of(result, null));
                for (int round = 1; round < ROUNDS; round++) {
                    int before = round * all;
                    result = lessDisturbed(
                            result, ReplayResult.of(plan, executor, done -> counter.accept(before + done)));
                }
                result = result.with(inOrder);
            }
            if (stop.isRequested()) {
                return ExitStatus.INTERRUPTED;
            }
            result.write(staged.resolve("result.json"));
            RoundTrip trip = RoundTrip.of(result, facts.costPerCall(), facts.running());
            trip.write(staged.resolve("round_trip.json"));
            boolean hasExecutionTrace = Files.exists(staged.resolve(WorkerSettings.EXECUTION_TRACE));
            output.commit();
            progress.close();
            if (!hasExecutionTrace) {
                err.println(
                        "libtorch's profiler could not be started: the trace is the program's own, of the operators of a"
                                + " step one after the other; there is no execution trace");
            }
            if (!global.quiet()) {
                ReplayText.roundTrip(trip, out);
                out.println();
                out.println("wrote " + WorkerSettings.TRACE + ", "
                        + (hasExecutionTrace ? WorkerSettings.EXECUTION_TRACE + ", " : "")
                        + "plan.json, result.json and round_trip.json into " + folder);
            }
        } catch (InterruptedIOException e) {
            return ExitStatus.INTERRUPTED;
        }
        return ExitStatus.COMPLETE;
    }

    /** Of each operator the shorter median: what else runs on the machine can only add to it. */
    private static ReplayResult lessDisturbed(ReplayResult first, ReplayResult second) {
        List<OperatorRun> runs = new ArrayList<>();
        for (int i = 0; i < first.runs().size(); i++) {
            OperatorRun one = first.runs().get(i);
            OperatorRun other = second.runs().get(i);
            runs.add(median(other) < median(one) ? other : one);
        }
        return new ReplayResult(first.plan(), second.facts(), runs, null);
    }

    private static long median(OperatorRun run) {
        Timing timing = run.timing();
        return timing == null ? Long.MAX_VALUE : timing.median();
    }

    private WorkerSettings settings(Natives natives, String record) {
        return new WorkerSettings(
                "cpu",
                threads,
                Repeats.chosen(TimeUnit.SECONDS.toNanos(SECONDS)),
                MEMORY / 2,
                Cache.ROTATED,
                record.isEmpty() ? null : record,
                natives.version());
    }
}
