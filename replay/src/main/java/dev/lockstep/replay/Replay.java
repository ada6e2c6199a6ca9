// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.replay.export.CppExport;
import dev.lockstep.replay.export.PythonExport;
import dev.lockstep.replay.plan.ExecutionTracePlan;
import dev.lockstep.replay.plan.KinetoPlan;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayExecutors;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.ReplaySettings;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.PartsEnergy;
import dev.lockstep.replay.reconcile.PartsPower;
import dev.lockstep.replay.reconcile.Reconciliation;
import dev.lockstep.replay.reconcile.WholeSources;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a recording, run again: planned from traces, run by an executor or exported as a program, and compared
 * with the recording in time and energy.
 *
 * <pre>
 * ReplayPlan plan = Replay.plan(trace);
 * try (ReplayExecutor executor = Replay.executor(settings, System.err::println, () -> false)) {
 *     ReplayResult result = Replay.run(plan, executor, Replay.Mode.SEQUENCE, done -> {});
 *     result.write(Path.of("result.json"));
 * }
 * MeasuredParts parts = ReplayResultFile.read(Path.of("result.json"));
 * Reconciliation reconciled = Replay.compare(parts, WholeSources.recorded(trace), PartsPower.NONE);
 * double share = reconciled.explained();
 * </pre>
 *
 * Times are in ns, energies in J.
 */
public final class Replay {
    /** In which order operators run. */
    public enum Mode {
        /** Each by itself. */
        ISOLATED,
        /** Each by itself, then all in recorded order, and a whole step. */
        SEQUENCE
    }

    /** What a plan can be exported to. */
    public enum Language {
        /** A script for the PyTorch of any machine: a file. */
        PYTHON,
        /** A program for libtorch with its {@code CMakeLists.txt}: a folder. */
        CPP
    }

    private Replay() {}

    /** The plan of a trace of PyTorch's profiler. Operators whose shapes were not recorded stand in it with that reason. */
    public static ReplayPlan plan(Trace trace) {
        return KinetoPlan.of(new DerivedCache(trace));
    }

    /**
     * The plan of an execution trace.
     *
     * @param trace the profiler's trace of the same run, which knows times; null for none
     */
    public static ReplayPlan plan(ExecutionTrace executed, @Nullable Trace trace) {
        return ExecutionTracePlan.of(executed, trace == null ? null : new DerivedCache(trace));
    }

    /**
     * Reads a plan that {@link #write} wrote.
     *
     * @throws dev.lockstep.error.TraceFormatException naming the file when it is none, or of another version
     */
    public static ReplayPlan read(Path plan) throws IOException {
        return PlanFile.read(plan);
    }

    /** Writes a plan as JSON: the same plan gives the same bytes. */
    public static void write(ReplayPlan plan, Path file) throws IOException {
        PlanFile.write(plan, file);
    }

    /**
     * Writes a plan as a program of its own, whose results are read as those of {@link #run}.
     *
     * @param target a file for Python, a folder that exists for C++
     */
    public static void export(ReplayPlan plan, Language language, Path target) throws IOException {
        switch (language) {
            case PYTHON -> PythonExport.write(plan, target);
            case CPP -> CppExport.write(plan, target);
        }
    }

    /**
     * Opens the executor that is on the class path or module path.
     *
     * @param settings how operators are run
     * @param say takes what is fetched before, line by line
     * @param stop whether the run shall end; asked all the time
     * @throws UserException ({@link ErrorCode#MODULE_MISSING}) when there is none, or what it needs cannot be fetched
     */
    public static ReplayExecutor executor(ReplaySettings settings, Consumer<String> say, BooleanSupplier stop)
            throws IOException {
        ReplayExecutors executors = ServiceLoader.load(ReplayExecutors.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        ErrorCode.MODULE_MISSING,
                        "there is nothing that runs operators",
                        "The module lockstep-replay-libtorch does. Plans can also be exported as programs."));
        return executors.open(settings, say, stop);
    }

    /**
     * Runs all operators of a plan. What an operator does wrong stands in its result.
     *
     * @param progress gets the number of operators that are done
     * @throws InterruptedIOException when the executor was told to stop
     */
    public static ReplayResult run(ReplayPlan plan, ReplayExecutor executor, Mode mode, IntConsumer progress)
            throws IOException {
        ReplayResult result = ReplayResult.of(plan, executor, progress);
        return mode == Mode.SEQUENCE ? result.with(executor.run(ReplaySequence.of(result, null))) : result;
    }

    /**
     * Runs all operators several times, once of these in recorded order, too. Of each operator the run with the shortest
     * median counts: what else goes on on the machine can only add to it.
     *
     * @param progress gets the number of operators that are done, up to rounds times operators
     */
    public static ReplayResult runLeastDisturbed(
            ReplayPlan plan, ReplayExecutor executor, int rounds, IntConsumer progress) throws IOException {
        int all = plan.operators().size();
        ReplayResult result = ReplayResult.of(plan, executor, progress);
        SequenceRun inOrder = executor.run(ReplaySequence.of(result, null));
        for (int round = 1; round < rounds; round++) {
            int before = round * all;
            result = lessDisturbed(result, ReplayResult.of(plan, executor, done -> progress.accept(before + done)));
        }
        return result.with(inOrder);
    }

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

    /**
     * Runs the operators of a result once more, as a step calls them, and writes a trace of PyTorch's profiler.
     *
     * @return why there is none; null when it was written
     */
    public static @Nullable String profile(ReplayResult result, ReplayExecutor executor, Path trace)
            throws IOException {
        return executor.run(ReplaySequence.of(result, trace.toString())).failure();
    }

    /**
     * Parts that were measured alone against the whole of a step or pass: time, and energy where there is power.
     *
     * @param whole where the time of the whole comes from
     * @param power of the devices while the parts were measured; {@link PartsPower#NONE} for none
     */
    public static Reconciliation compare(MeasuredParts parts, WholeSources whole, PartsPower power) {
        PartsEnergy energy = power.isKnown() ? PartsEnergy.of(parts, power.series(), power.idleWatts()) : null;
        return new Reconciliation(parts, whole.whole(parts, power), whole.passes(parts), energy);
    }
}
