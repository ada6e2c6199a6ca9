// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.libtorch.worker.Schemas.Callee;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.ReplaySettings.Cache;
import dev.lockstep.replay.plan.ReplaySettings.Repeats;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** Warms up, chooses how often to run, and times every execution by itself. */
final class Measurement {
    /** Makes the values of a call. */
    interface Values {
        /** New ones. */
        IValue[] make();

        /** Equal ones, in memory of their own. */
        IValue[] copy();

        /** How much memory they take. */
        long bytes();
    }

    private static final long NS_PER_MS = 1_000_000;
    private static final int DEFAULT_WARMUPS = 5;
    private static final long LONGEST_WARMUP_NS = 200 * NS_PER_MS;
    private static final int ENOUGH_RUNS = 30;
    private static final int FEWEST_RUNS = 3;
    private static final long ENOUGH_NS = 100 * NS_PER_MS;
    /** One execution that takes longer than this is enough by itself. */
    private static final long SLOW_NS = 2_000 * NS_PER_MS;

    /** More than any cache holds. */
    private static final long FLUSH_BYTES = 256L << 20;

    /** What a processor's caches hold at most, as a rule. */
    static final long ROTATED_BYTES = 32L << 20;

    private static final int MOST_SETS = 32;

    private final WorkerSettings settings;
    private final WorkerClock clock;
    private final Device device;
    private @Nullable Tensor flushed;

    /** @param device on which caches are emptied between executions, where that is wanted */
    Measurement(WorkerSettings settings, Device device) {
        this.settings = settings;
        this.device = device;
        clock = new WorkerClock(settings);
    }

    /**
     * Runs an operator. The first execution decides whether it runs at all; what it throws goes to the caller.
     *
     * @param afresh whether every execution needs new inputs
     * @param ofHost whether there is nothing to time on the device
     */
    OperatorRun run(Callee callee, Values values, boolean afresh, boolean ofHost, @Nullable String substitution) {
        Repeats repeats = settings.repeats();
        try (PointerScope scope = new PointerScope();
                Outputs outputs = new Outputs(settings.cache() == Cache.ROTATED ? ROTATED_BYTES : 0)) {
            Executions executions = new Executions(callee, values, afresh, outputs);
            long start = sinceEpoch();
            boolean over = executions.first();
            long warmups = 1;
            long spent = clock.host();
            int wanted = repeats.warmup() >= 0 ? repeats.warmup() : DEFAULT_WARMUPS;
            while (!over && warmups < wanted && (repeats.warmup() >= 0 || spent < LONGEST_WARMUP_NS)) {
                start = sinceEpoch();
                over = executions.next();
                spent += clock.host();
                warmups++;
            }
            if (over) { // there is no time for another one
                warmups--;
                executions.keep();
            } else {
                int runs = repeats.iterations() > 0 ? repeats.iterations() : runs(clock.host());
                if (settings.cache() == Cache.ROTATED && !afresh) {
                    rotate(values, executions.sets, repeats.windowNs() > 0 ? MOST_SETS : runs);
                }
                start = timed(executions, runs, repeats.windowNs());
            }
            return new OperatorRun(
                    null,
                    null,
                    callee.text(),
                    substitution,
                    warmups,
                    executions.inWindow,
                    executions.before.queued(),
                    executions.host.timing(),
                    clock.isOfDevice() && !ofHost ? executions.onDevice.timing() : null,
                    new OperatorRun.Window(start, Math.max(start + 1, sinceEpoch())));
        }
    }

    /**
     * Executes and keeps times. On a device work is queued before each execution; as that takes power, the executions of a
     * window follow by themselves.
     *
     * @return when the window began
     */
    private long timed(Executions executions, int runs, long windowNs) {
        long start = sinceEpoch();
        executions.before.want(true);
        if (windowNs > 0 && clock.isOfDevice()) {
            if (executions.repeat(runs, 0, true)) {
                return start;
            }
            executions.before.want(false);
            executions.inWindow = 0;
            start = sinceEpoch();
            executions.repeat(1, windowNs, false);
        } else {
            executions.repeat(runs, windowNs, true);
        }
        return start;
    }

    /** The executions of one operator. */
    private final class Executions {
        private final Callee callee;
        private final Values values;
        private final boolean afresh;
        private final Outputs outputs;
        private final Pace pace = new Pace(settings.repeats().limitNs());
        private final List<IValue[]> sets = new ArrayList<>();
        private final QueuedWork before = new QueuedWork();
        private final TimeSamples host = new TimeSamples();
        private final TimeSamples onDevice = new TimeSamples();
        private long inWindow;
        private int set;

        private Executions(Callee callee, Values values, boolean afresh, Outputs outputs) {
            this.callee = callee;
            this.values = values;
            this.afresh = afresh;
            this.outputs = outputs;
            sets.add(values.make());
        }

        /** Whether the time is over, as of all that follow. */
        private boolean first() {
            pace.lap();
            execute(callee, sets.getFirst(), this);
            return pace.isOver();
        }

        /** With new values where each execution wants some. What a call leaves behind goes with it, however many follow. */
        private boolean next() {
            try (PointerScope scope = new PointerScope()) {
                execute(callee, afresh ? values.make() : sets.get(set), this);
            }
            return pace.isOver();
        }

        private void keep() {
            host.add(clock.host());
            onDevice.add(clock.device());
            inWindow++;
        }

        /** So often, and for at least so long. */
        private boolean repeat(int runs, long windowNs, boolean kept) {
            long began = System.nanoTime();
            boolean over = false;
            pace.lap();
            for (long i = 1; !over && (i <= runs || System.nanoTime() - began < windowNs); i++) {
                flush();
                set = (int) (i % sets.size());
                over = next();
                if (kept) {
                    keep();
                } else {
                    inWindow++;
                }
            }
            return over;
        }
    }

    /** So many sets that the caches do not hold them all, but not more than executions. */
    private static void rotate(Values values, List<IValue[]> sets, int runs) {
        long bytes = Math.max(1, values.bytes());
        while (sets.size() < Math.min(runs, MOST_SETS) && sets.size() * bytes < ROTATED_BYTES) {
            sets.add(values.copy());
        }
    }

    /** The time by which samples of power are joined, in ns since 1970. */
    private static long sinceEpoch() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    /** Enough runs, or enough time: whichever comes first, but a few in any case unless one takes very long. */
    private static int runs(long ns) {
        if (ns > SLOW_NS) {
            return 1;
        }
        return Math.clamp(ENOUGH_NS / Math.max(1, ns) + 1, FEWEST_RUNS, ENOUGH_RUNS);
    }

    private void execute(Callee callee, IValue[] values, Executions executions) {
        IValueVector stack = stack(values);
        try {
            clock.time(callee.body(), stack, executions.before);
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
        executions.outputs.keep(stack);
    }

    /** Values ready for a call, in a stack that no scope closes. */
    static IValueVector stack(IValue[] values) {
        try (PointerScope scope = new PointerScope()) {
            IValueVector stack = new IValueVector(values);
            stack.retainReference();
            return stack;
        }
    }

    private void flush() {
        if (settings.cache() != Cache.FLUSHED) {
            return;
        }
        if (flushed == null) {
            // On the device whose caches are meant.
            flushed = torch.empty(
                    new long[] {FLUSH_BYTES / Float.BYTES},
                    new TensorOptions().device(new DeviceOptional(device)),
                    new MemoryFormatOptional());
        }
        try (PointerScope scope = new PointerScope()) {
            flushed.fill_(new Scalar(1.0));
        }
    }
}
