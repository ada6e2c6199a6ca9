// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.Replay.Mode;
import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code replay run}. */
final class ReplayRunArguments {
    /**
     * What the user gave.
     *
     * @param profile where a trace of the profiler goes; null for none
     */
    record Options(
            Path plan,
            Path result,
            ReplaySettings settings,
            Mode mode,
            @Nullable Path profile) {}

    private static final int DEFAULT_SECONDS = 120;
    private static final long MB = 1L << 20;
    private static final double MS_PER_S = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final int LONGEST_S = 1_000_000;
    private static final String ISOLATED = "isolated";
    private static final String SEQUENCE = "sequence";

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path plan;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path result;

    private String device = ReplaySettings.CPU;
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

    void declare(Arguments arguments) {
        arguments.argument("PLAN", Path.class, "A plan, from lockstep replay plan.", given -> plan = given);
        arguments.required("-o,--output", "RESULT.json", Path.class, "Where the result goes.", given -> result = given);
        arguments.writes("-o");
        arguments.option("--device", "NAME", String.class, "cpu or cuda (default: cpu).", given -> device = given);
        declareRepeats(arguments);
        arguments.number(
                "--threads",
                "N",
                1,
                "Threads of the framework within an operator (default: 1).",
                given -> threads = given);
        declareCache(arguments);
        declareOutputs(arguments);
        declareLimits(arguments);
    }

    private void declareRepeats(Arguments arguments) {
        arguments.number(
                "--warmup",
                "N",
                1,
                "Executions before those that are timed, at least 1 (default: up to 5).",
                given -> warmup = given);
        arguments.number(
                "--iterations",
                "N",
                1,
                "Timed executions (default: 30, or as many as take 0.1 s, but 3; 1 for an operator that takes over 2"
                        + " s).",
                given -> iterations = given);
        arguments.option(
                "--window",
                "MS",
                Double.class,
                "Execute each operator for at least so long, so that a meter has samples of it: 20 periods or more.",
                given -> windowMs = window(given));
    }

    private void declareCache(Arguments arguments) {
        arguments.flag(
                "--flush-cache",
                "Empty the caches before each execution. Otherwise inputs are in them.",
                () -> flush = true);
        arguments.flag(
                "--rotate-inputs",
                "Take other inputs for each execution, so that they are not in the caches as those of the last one.",
                () -> rotate = true);
    }

    private void declareOutputs(Arguments arguments) {
        arguments.option(
                "--mode",
                "NAME",
                String.class,
                "isolated (default): each operator by itself. sequence: then also all in recorded order, "
                        + "and a whole step.",
                given -> mode = given);
        arguments.option(
                "--profile",
                "TRACE.json",
                Path.class,
                "Then run them once more, as a step calls them, and write a trace of PyTorch's profiler.",
                given -> profile = given);
        arguments.writes("--profile");
    }

    private void declareLimits(Arguments arguments) {
        arguments.number(
                "--memory-limit",
                "MB",
                1,
                "Most memory of the process that runs operators (default: half of the machine's).",
                given -> memory = given * MB);
        arguments.number(
                "--time-limit",
                "SECONDS",
                1,
                "Most time of one operator, with all its executions (default: 120).",
                given -> seconds = given);
    }

    /**
     * What was given, once the command line is read.
     *
     * @throws UserException when options contradict each other, or ask for a device that this machine lacks
     */
    Options options() {
        demandSense();
        Repeats repeats =
                new Repeats(warmup, iterations, Math.round(windowMs * NS_PER_MS), TimeUnit.SECONDS.toNanos(seconds));
        Cache cache = flush ? Cache.FLUSHED : rotate ? Cache.ROTATED : Cache.HOT;
        return new Options(
                plan,
                result,
                new ReplaySettings(device, threads, repeats, cache, memory),
                mode.equals(SEQUENCE) ? Mode.SEQUENCE : Mode.ISOLATED,
                profile);
    }

    private void demandSense() {
        if (!mode.equals(ISOLATED) && !mode.equals(SEQUENCE)) {
            throw invalid("--mode is isolated or sequence, not " + mode, null);
        }
        if (flush && rotate) {
            throw invalid("--flush-cache and --rotate-inputs are two answers to one question", null);
        }
        if (!device.equals(ReplaySettings.CPU) && !device.equals(ReplaySettings.CUDA)) {
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
        if (device.equals(ReplaySettings.CUDA) && !hasGpu()) {
            throw invalid(
                    "--device cuda: there is no NVIDIA GPU that this machine's driver shows",
                    "Run on a machine that has one, or take the plan there with lockstep replay export --to python.");
        }
        String old = device.equals(ReplaySettings.CUDA)
                ? NvidiaDriver.beforeCuda13(Path.of("/proc"), Path.of("/usr/local/cuda/compat/libcuda.so.1"))
                : null;
        if (old != null) {
            throw invalid(
                    "--device cuda: libtorch is built for CUDA 13, and this machine's driver is " + old
                            + ", of CUDA 12 or before",
                    "Replay with the PyTorch that is installed here: lockstep replay export "
                            + ShellText.word(plan.toString())
                            + " --to python -o replay.py, then python3 replay.py -o "
                            + ShellText.word(result.toString()) + " --device cuda.");
        }
    }

    private static boolean hasGpu() {
        return Files.exists(Path.of("/dev/nvidia0")) || Files.isDirectory(Path.of("/proc/driver/nvidia/gpus"));
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

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
