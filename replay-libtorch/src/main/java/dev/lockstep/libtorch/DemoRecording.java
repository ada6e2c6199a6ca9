// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.WorkerProcess.NoAnswer;
import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A recording of training steps of a small transformer, made by libtorch on the CPU of this machine. */
public final class DemoRecording {
    private static final long SECONDS = 300;
    private static final long MEASURED_SECONDS = 120;
    private static final long MEMORY_BYTES = 4L << 30;
    private static final String COST = ".cost.json";

    private DemoRecording() {}

    /**
     * What the recorder knows beside the files.
     *
     * @param costPerCall what recording a call costs, in ns
     * @param wall how long the recorded steps took, in ns
     * @param processor how long of this the thread had a processor
     */
    public record Facts(long costPerCall, long wall, long processor) {
        /** Share of the time with a processor, up to 1. */
        public double running() {
            return Math.min(1, (double) processor / Math.max(1, wall));
        }

        /** As numbers of a line. */
        public String line() {
            return costPerCall + " " + wall + " " + processor;
        }

        private static Facts read(String line) {
            String[] numbers = line.split(" ");
            return new Facts(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]));
        }
    }

    /**
     * How the recorded operators are measured again: on the processor, with caches in the state of a training step, for two
     * minutes.
     *
     * @param threads of the framework within an operator
     */
    public static ReplaySettings settings(int threads) {
        return new ReplaySettings(
                ReplaySettings.CPU,
                threads,
                Repeats.chosen(TimeUnit.SECONDS.toNanos(MEASURED_SECONDS)),
                Cache.ROTATED,
                MEMORY_BYTES);
    }

    /** Whether libtorch's profiler ran: only then the folder of a recording holds an execution trace. */
    public static boolean hasExecutionTrace(Path folder) {
        return Files.exists(folder.resolve(WorkerSettings.EXECUTION_TRACE));
    }

    /**
     * Records into a folder that exists: {@link WorkerSettings#TRACE}, and {@link WorkerSettings#EXECUTION_TRACE} where
     * libtorch's profiler runs. Libraries that are missing are fetched first.
     *
     * @param settings device and threads count
     * @param say takes what is fetched, line by line
     * @param stop whether it shall end; asked all the time
     */
    public static Facts make(ReplaySettings settings, Path folder, Consumer<String> say, BooleanSupplier stop)
            throws IOException {
        Natives natives = Natives.of(settings.device());
        return make(
                WorkerCommand.of(natives.classPath(say)),
                WorkerSettings.recording(settings, folder, natives.version()),
                folder,
                stop);
    }

    /**
     * Records into a folder.
     *
     * @param program the command that starts a worker, without its settings
     * @param settings with the folder
     * @param stop whether it shall end; asked all the time
     */
    static Facts make(List<String> program, WorkerSettings settings, Path folder, BooleanSupplier stop)
            throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(settings.words());
        try (WorkerProcess worker = new WorkerProcess(command, WorkerCommand.environment(settings), stop)) {
            try {
                String answer = worker.answer(SECONDS, Long.MAX_VALUE);
                if (answer.startsWith(WorkerSettings.NOT_RECORDED)) {
                    String why = answer.substring(WorkerSettings.NOT_RECORDED.length());
                    throw new UserException(ErrorCode.TOOL_FAILED, "recording failed: " + why, null);
                }
                return Facts.read(answer.substring(WorkerSettings.RECORDED.length()));
            } catch (NoAnswer e) {
                throw new UserException(
                        ErrorCode.TOOL_FAILED, "recording failed: " + e.getMessage(), worker.lastWords());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                InterruptedIOException stopped = new InterruptedIOException("interrupted");
                stopped.initCause(e);
                throw stopped;
            }
        } finally {
            Files.deleteIfExists(folder.resolve(COST));
        }
    }
}
