// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.LibtorchExecutor;
import dev.lockstep.libtorch.Natives;
import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.libtorch.WorkerSettings.Cache;
import dev.lockstep.libtorch.WorkerSettings.Repeats;
import dev.lockstep.libtorch.Workers;
import dev.lockstep.replay.PlanFile;
import dev.lockstep.replay.ReplayPlan;
import dev.lockstep.replay.ReplayResult;
import dev.lockstep.replay.Sequence;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code lockstep replay run PLAN}: the operators of a plan, run one by one. */
public final class ReplayRunCommand implements Command {
    private static final int DEFAULT_SECONDS = 120;
    private static final long MB = 1L << 20;
    private static final double MS_PER_S = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final int LONGEST_S = 1_000_000;

    /** After this the program ends when the user stops it, whatever is left. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private static final String CUDA = "cuda";
    private static final String ISOLATED = "isolated";
    private static final String SEQUENCE = "sequence";

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path plan;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path result;

    private String device = "cpu";
    private int warmup = -1;
    private int iterations;
    private double windowMs;
    private int threads = 1;
    private int seconds = DEFAULT_SECONDS;
    private long memory = defaultMemory();
    private boolean flush;
    private boolean rotate;
    private String mode = ISOLATED;
    private @Nullable Path profile;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        arguments.argument("PLAN.json", Path.class, "A plan, from lockstep replay plan.", given -> plan = given);
        arguments.required("-o,--output", "RESULT.json", Path.class, "Where the result goes.", given -> result = given);
        arguments.option("--device", "NAME", String.class, "cpu or cuda (default: cpu).", given -> device = given);
        arguments.option(
                "--warmup",
                "N",
                Integer.class,
                "Executions before those that are timed, at least 1 (default: up to 5).",
                given -> warmup = positive("--warmup", given));
        arguments.option(
                "--iterations",
                "N",
                Integer.class,
                "Timed executions (default: 30, or as many as take 0.1 s, but 3; 1 for an operator that takes over 2 s).",
                given -> iterations = positive("--iterations", given));
        arguments.option(
                "--window",
                "MS",
                Double.class,
                "Execute each operator for at least so long, so that a meter has samples of it: 20 periods or more.",
                given -> windowMs = window(given));
        arguments.option(
                "--threads",
                "N",
                Integer.class,
                "Threads of the framework within an operator (default: 1).",
                given -> threads = positive("--threads", given));
        arguments.flag(
                "--flush-cache",
                "Empty the caches before each execution; otherwise inputs are in them.",
                () -> flush = true);
        arguments.flag(
                "--rotate-inputs",
                "Take other inputs for each execution, so that they are not in the caches as those of the last one.",
                () -> rotate = true);
        arguments.option(
                "--mode",
                "NAME",
                String.class,
                "isolated: each operator by itself; sequence: then all in recorded order, too, and a whole step"
                        + " (default: isolated).",
                given -> mode = given);
        arguments.option(
                "--profile",
                "TRACE.json",
                Path.class,
                "Then run them once more, as a step calls them, and write a trace of PyTorch's profiler.",
                given -> profile = given);
        arguments.option(
                "--memory-limit",
                "MB",
                Integer.class,
                "Most memory of the process that runs operators (default: half of the machine's).",
                given -> memory = positive("--memory-limit", given) * MB);
        arguments.option(
                "--time-limit",
                "SECONDS",
                Integer.class,
                "Most time of one operator, with all its executions (default: 120).",
                given -> seconds = positive("--time-limit", given));
    }

    private static int positive(String option, int given) {
        if (given < 1) {
            throw invalid(option + " wants a number of at least 1", null);
        }
        return given;
    }

    private static double window(double ms) {
        if (!(ms > 0)) {
            throw invalid("--window wants a time above 0", null);
        }
        return ms;
    }

    private static long defaultMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean machine
                ? machine.getTotalMemorySize() / 2
                : 4096 * MB;
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        demandSense();
        Output.demandNoInput(result, List.of(plan));
        if (profile != null) {
            Output.demandNoInput(profile, List.of(plan));
        }
        ReplayPlan read = PlanFile.read(plan);
        if (read.operators().isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, plan + ": the plan holds no operators", null);
        }
        Natives natives = Natives.of(device);
        WorkerSettings settings =
                new WorkerSettings(device, threads, repeats(), memory / 2, cache(), null, natives.version());
        List<String> program = Workers.command(natives.classPath(err::println));
        try (StopSignal stop = StopSignal.listen(LONGEST_END, ExitStatus.INTERRUPTED);
                Output output = new Output();
                LibtorchExecutor executor = new LibtorchExecutor(program, settings, memory, stop::isRequested);
                Progress progress = Progress.of(global)) {
            Path staged = output.file(result); // now, so that a place that cannot be written to costs no time
            ReplayResult made = ReplayResult.of(
                    read,
                    executor,
                    progress.counting("operators", read.operators().size()));
            if (mode.equals(SEQUENCE)) {
                made = made.with(executor.run(Sequence.of(made, null)));
            }
            String noProfile = profile == null ? null : profile(made, executor, output, profile);
            if (stop.isRequested()) {
                return ExitStatus.INTERRUPTED;
            }
            made.write(staged);
            output.commit();
            progress.close();
            return said(made, noProfile, out, err);
        } catch (InterruptedIOException e) {
            return ExitStatus.INTERRUPTED;
        }
    }

    /** Writes the trace of the profiler; says why there is none. */
    private static @Nullable String profile(ReplayResult made, LibtorchExecutor executor, Output output, Path target)
            throws IOException {
        Path scratch = output.scratch(target);
        String failure = executor.run(Sequence.of(made, scratch.toString())).failure();
        if (failure == null) {
            Files.move(scratch, output.file(target), StandardCopyOption.REPLACE_EXISTING);
        }
        return failure;
    }

    private int said(ReplayResult made, @Nullable String noProfile, PrintWriter out, PrintWriter err) {
        if (!global.quiet()) {
            ReplayText.result(made, result, out);
        }
        if (noProfile != null) {
            err.println("no trace of the profiler: " + noProfile);
        }
        return global.status(noProfile == null);
    }

    private void demandSense() {
        if (!mode.equals(ISOLATED) && !mode.equals(SEQUENCE)) {
            throw invalid("--mode is isolated or sequence, not " + mode, null);
        }
        if (flush && rotate) {
            throw invalid("--flush-cache and --rotate-inputs are two answers to one question", null);
        }
        if (!device.equals("cpu") && !device.equals(CUDA)) {
            throw invalid("--device is cpu or cuda, not " + device, null);
        }
        if (iterations > 0 && windowMs > 0) {
            throw invalid("--iterations and --window are two answers to one question", null);
        }
        if (seconds > LONGEST_S || windowMs > seconds * MS_PER_S / 2) {
            throw invalid(
                    "--window wants at most half of --time-limit, which is " + seconds + " s",
                    "A longer --time-limit, up to " + LONGEST_S + " s, allows longer windows.");
        }
        if (device.equals(CUDA) && !hasGpu()) {
            throw invalid(
                    "--device cuda: there is no NVIDIA GPU that this machine's driver shows",
                    "Run on a machine that has one, or take the plan there with lockstep replay export --to python.");
        }
    }

    private static boolean hasGpu() {
        return Files.exists(Path.of("/dev/nvidia0")) || Files.isDirectory(Path.of("/proc/driver/nvidia/gpus"));
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }

    private Repeats repeats() {
        return new Repeats(warmup, iterations, Math.round(windowMs * NS_PER_MS), TimeUnit.SECONDS.toNanos(seconds));
    }

    private Cache cache() {
        return flush ? Cache.FLUSHED : rotate ? Cache.ROTATED : Cache.HOT;
    }
}
