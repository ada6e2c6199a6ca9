// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.DemoRecording.Facts;
import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.table.Quantiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Records a few training steps twice: with the profiler, which gives times, and with the observer of execution traces,
 * which gives all inputs. Both at once would show the times of both.
 */
final class StepRecording {
    private static final int WARMUPS = 3;
    private static final int STEPS = 5;
    private static final int CALLS = 2000;
    private static final int LEAST_ATTEMPTS = 3;
    private static final int MOST_ATTEMPTS = 5;

    /** Share of the time with a processor that is as much as one can expect. */
    private static final double UNDISTURBED = 0.97;

    private final WorkerSettings settings;
    private final Path folder;

    StepRecording(WorkerSettings settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
    }

    /**
     * Writes {@link WorkerSettings#TRACE} and {@link WorkerSettings#EXECUTION_TRACE} into the folder.
     *
     * @return what it took
     */
    Facts run() throws IOException {
        if (!Profiler.isAvailable()) {
            return ownTrace();
        }
        torch.manual_seed(0);
        TinyTransformer model = new TinyTransformer();
        for (int i = 0; i < WARMUPS; i++) {
            model.step();
        }
        Facts facts = record(model);
        try (Profiler profiler = new Profiler()) {
            Path file = folder.resolve(WorkerSettings.EXECUTION_TRACE);
            profiler.startExecutionTrace(file);
            steps(model);
            profiler.stopExecutionTrace(file);
        }
        return new Facts(cost(), facts.wall(), facts.processor());
    }

    /** Where the profiler cannot be started: the operators of a step, one after the other, by the program's own clock. */
    private Facts ownTrace() throws IOException {
        ReplaySequence step;
        try (InputStream in = Objects.requireNonNull(StepRecording.class.getResourceAsStream("demo-step.json"))) {
            step = ReplaySequence.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        String file = folder.resolve(WorkerSettings.TRACE).toString();
        long wall = System.nanoTime();
        long processor = WorkerClock.processor();
        SequenceRun run = new SequenceRunner(new OperatorRunner(settings), settings)
                .run(new ReplaySequence(step.operators(), step.order(), file));
        if (run.failure() != null) {
            throw new IOException(run.failure());
        }
        return new Facts(0, System.nanoTime() - wall, WorkerClock.processor() - processor);
    }

    private static void steps(TinyTransformer model) {
        for (int i = 0; i < STEPS; i++) {
            StepMark.around(i, model::step);
        }
    }

    /**
     * Records several times, and more often while other programs take the processor away. What else runs on the machine or
     * beside it can only add to the times: the attempt that took least is kept.
     */
    private Facts record(TinyTransformer model) throws IOException {
        Path file = folder.resolve(WorkerSettings.TRACE);
        Path attempt = folder.resolve(".attempt.json");
        @Nullable Facts best = null;
        for (int i = 0;
                i < MOST_ATTEMPTS && (i < LEAST_ATTEMPTS || best == null || best.running() < UNDISTURBED);
                i++) {
            try (Profiler profiler = new Profiler()) {
                profiler.start();
                long wall = System.nanoTime();
                long processor = WorkerClock.processor();
                steps(model);
                Facts facts = new Facts(0, System.nanoTime() - wall, WorkerClock.processor() - processor);
                profiler.stop(attempt);
                if (best == null || facts.processor() < best.processor()) {
                    best = facts;
                    Files.move(attempt, file, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        Files.deleteIfExists(attempt);
        return Objects.requireNonNull(best);
    }

    /** The difference that the profiler makes to the shortest operator. */
    private long cost() throws IOException {
        try (Profiler profiler = new Profiler()) {
            long bare = viewNs();
            profiler.start();
            long recorded = viewNs();
            profiler.stop(folder.resolve(".cost.json"));
            return Math.max(0, recorded - bare);
        }
    }

    private static long viewNs() {
        long[] took = new long[CALLS];
        try (PointerScope scope = new PointerScope()) {
            Tensor tensor = torch.ones(2);
            for (int i = 0; i < CALLS; i++) {
                try (PointerScope inner = new PointerScope()) {
                    long start = System.nanoTime();
                    tensor.detach();
                    took[i] = System.nanoTime() - start;
                }
            }
        }
        Arrays.sort(took);
        return Quantiles.upperMedian(took, 0);
    }
}
