// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.libtorch.worker.Schemas.Callee;
import dev.lockstep.replay.plan.CallTrace;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.SequenceRun;
import dev.lockstep.replay.plan.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.jspecify.annotations.Nullable;

/** Runs operators in recorded order, with inputs that all live at the same time. */
final class SequenceRunner {
    private static final long NS_PER_S = 1_000_000_000;
    private static final int FEWEST_PASSES = 3;
    private static final int MOST_PASSES = 30;
    private static final int PROFILED_PASSES = 3;

    /** One pass that takes longer than this is enough by itself. */
    private static final long SLOW_NS = 20 * NS_PER_S;

    /** An operator with its inputs. */
    private static final class Ready {
        private final Call call;
        private final Callee callee;
        private final Measurement.Values values;
        private final IValue[] made;
        private final boolean afresh;
        private final boolean ofHost;
        private final TimeSamples took = new TimeSamples();
        private final QueuedWork before = new QueuedWork();

        private Ready(
                Call call, Callee callee, Measurement.Values values, IValue[] made, boolean afresh, boolean ofHost) {
            this.call = call;
            this.callee = callee;
            this.values = values;
            this.made = made;
            this.afresh = afresh;
            this.ofHost = ofHost;
        }

        /** A stack for one call. */
        private IValueVector stack() {
            return Measurement.stack(afresh ? values.make() : made);
        }
    }

    private final OperatorRunner runner;
    private final WorkerSettings settings;
    private final WorkerClock clock;
    private final Map<Integer, Ready> ready = new HashMap<>();
    private long bytes;

    SequenceRunner(OperatorRunner runner, WorkerSettings settings) {
        this.runner = runner;
        this.settings = settings;
        clock = new WorkerClock(settings);
    }

    SequenceRun run(ReplaySequence sequence) {
        long limit = settings.repeats().limitNs() * WorkerSettings.SEQUENCE_SHARE;
        Pace clocked = new Pace(limit / 2);
        Pace whole = new Pace(limit);
        sequence.operators().forEach(this::prepare);
        Ready[] order =
                sequence.order().stream().map(ready::get).filter(r -> r != null).toArray(Ready[]::new);
        if (order.length == 0) {
            return SequenceRun.failed("nothing fits into the memory that is allowed");
        }
        long first = pass(order);
        String profile = sequence.profile();
        if (profile != null) {
            return profiled(order, passes(first, PROFILED_PASSES), Path.of(profile));
        }
        ready.values().forEach(r -> {
            r.took.clear();
            r.before.want(true);
        });
        int wanted = settings.repeats().iterations();
        int most = wanted > 0 ? wanted : passes(first, MOST_PASSES);
        int passes = 0;
        clocked.lap();
        do {
            pass(order);
            passes++;
        } while (passes < most && !clocked.isOver());
        TimeSamples steps = new TimeSamples();
        whole.lap();
        do {
            clock.time(() -> callAll(order));
            steps.add(clock.host());
        } while (steps.seen() < passes && !whole.isOver());
        Map<Integer, Timing> timings = new TreeMap<>();
        ready.forEach((id, r) -> timings.put(id, r.took.timing()));
        return new SequenceRun(null, passes, timings, steps.timing());
    }

    private static int passes(long ns, int most) {
        return ns > SLOW_NS ? 1 : Math.clamp(NS_PER_S / Math.max(1, ns) + 1, Math.min(FEWEST_PASSES, most), most);
    }

    /** Makes the inputs and calls once; what does not run, or not fit, is left out. */
    private void prepare(PlannedOperator operator) {
        runner.run(operator, (callee, values, afresh, ofHost, words) -> {
            if (bytes + values.bytes() > settings.memory() && !ofHost) {
                return leftOut();
            }
            PointerScope scope = new PointerScope(); // stays open: the inputs live as long as the process
            try {
                IValue[] made = values.make();
                try (IValueVector stack = Measurement.stack(made)) {
                    callee.body().call(stack);
                }
                ready.put(operator.id(), new Ready(called(operator, words), callee, values, made, afresh, ofHost));
                bytes += ofHost ? 0 : values.bytes();
            } catch (RuntimeException e) {
                scope.close();
                throw e;
            }
            return leftOut();
        });
    }

    /** What is run for an operator. */
    private static Call called(PlannedOperator operator, @Nullable String words) {
        Call substitute = operator.substitute();
        return substitute != null && words != null && words.startsWith(OperatorRunner.RUN_AS)
                ? substitute
                : operator.call();
    }

    /** Ends the search for a way to run the operator. */
    private static OperatorRun leftOut() {
        return new OperatorRun(null, null, null, null, 0, 0, 0, null, null, null);
    }

    /** Calls all, with a clock around each; the sum of the times on the host. */
    private long pass(Ready[] order) {
        long sum = 0;
        try (Outputs outputs = new Outputs(Measurement.ROTATED_BYTES)) {
            for (Ready next : order) {
                try (PointerScope scope = new PointerScope()) {
                    IValueVector stack = next.stack();
                    clock.time(next.callee.body(), stack, next.before);
                    outputs.keep(stack);
                }
                next.took.add(clock.isOfDevice() && !next.ofHost ? clock.device() : clock.host());
                sum += clock.host();
            }
        }
        return sum;
    }

    private static void callAll(Ready[] order) {
        try (PointerScope scope = new PointerScope()) {
            for (Ready next : order) {
                try (IValueVector stack = next.stack()) {
                    next.callee.body().call(stack);
                }
            }
        }
    }

    /** The program's own trace, where the profiler cannot be started. */
    private static SequenceRun traced(Ready[] order, int passes, Path file) {
        CallTrace trace = new CallTrace();
        for (int i = 0; i < passes; i++) {
            long begin = System.nanoTime();
            for (Ready next : order) {
                try (PointerScope scope = new PointerScope();
                        IValueVector stack = next.stack()) {
                    long start = System.nanoTime();
                    next.callee.body().call(stack);
                    trace.call(next.call.name(), next.call.arguments(), start, System.nanoTime());
                }
            }
            trace.step(i, begin, System.nanoTime());
        }
        try {
            trace.write(file);
        } catch (IOException e) {
            return SequenceRun.failed(String.valueOf(e.getMessage()));
        }
        return new SequenceRun(null, passes, Map.of(), null);
    }

    private static SequenceRun profiled(Ready[] order, int passes, Path file) {
        if (!Profiler.isAvailable()) {
            return traced(order, passes, file);
        }
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            for (int i = 0; i < passes; i++) {
                StepMark.around(i, () -> callAll(order));
            }
            profiler.stop(file);
        } catch (IOException e) {
            return SequenceRun.failed(String.valueOf(e.getMessage()));
        }
        return new SequenceRun(null, passes, Map.of(), null);
    }
}
