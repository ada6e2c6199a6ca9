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
        Pace pace = new Pace(repeats.limitNs());
        try (PointerScope scope = new PointerScope();
                Outputs outputs = new Outputs(settings.cache() == Cache.ROTATED ? ROTATED_BYTES : 0)) {
            List<IValue[]> sets = new ArrayList<>();
            sets.add(values.make());
            long start = sinceEpoch();
            pace.lap();
            execute(callee, sets.getFirst(), outputs);
            boolean over = pace.isOver();
            long warmups = 1;
            long spent = clock.host();
            int wanted = repeats.warmup() >= 0 ? repeats.warmup() : DEFAULT_WARMUPS;
            while (!over && warmups < wanted && (repeats.warmup() >= 0 || spent < LONGEST_WARMUP_NS)) {
                start = sinceEpoch();
                execute(callee, afresh ? null : sets.getFirst(), values, outputs);
                over = pace.isOver();
                spent += clock.host();
                warmups++;
            }
            TimeSamples host = new TimeSamples();
            TimeSamples onDevice = new TimeSamples();
            if (over) { // there is no time for another one
                warmups--;
                host.add(clock.host());
                onDevice.add(clock.device());
            }
            int runs = repeats.iterations() > 0 ? repeats.iterations() : runs(clock.host());
            if (settings.cache() == Cache.ROTATED && !afresh && !over) {
                rotate(values, sets, repeats.windowNs() > 0 ? MOST_SETS : runs);
            }
            start = over ? start : sinceEpoch();
            long began = System.nanoTime();
            pace.lap();
            while (!over && (host.seen() < runs || System.nanoTime() - began < repeats.windowNs())) {
                flush();
                int set = (int) ((host.seen() + 1) % sets.size());
                execute(callee, afresh ? null : sets.get(set), values, outputs);
                host.add(clock.host());
                onDevice.add(clock.device());
                over = pace.isOver();
            }
            return new OperatorRun(
                    null,
                    null,
                    callee.text(),
                    substitution,
                    warmups,
                    host.seen(),
                    host.timing(),
                    clock.isOnCuda() && !ofHost ? onDevice.timing() : null,
                    new OperatorRun.Window(start, Math.max(start + 1, sinceEpoch())));
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

    /** With new values where none are given. What a call leaves behind goes with it, however many follow. */
    private void execute(Callee callee, IValue @Nullable [] given, Values values, Outputs outputs) {
        try (PointerScope scope = new PointerScope()) {
            execute(callee, given == null ? values.make() : given, outputs);
        }
    }

    private void execute(Callee callee, IValue[] values, Outputs outputs) {
        IValueVector stack = stack(values);
        try {
            clock.time(callee.body(), stack);
        } catch (RuntimeException e) {
            stack.close();
            throw e;
        }
        outputs.keep(stack);
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
