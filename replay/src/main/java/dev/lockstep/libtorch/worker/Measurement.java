// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.libtorch.worker.Schemas.Body;
import dev.lockstep.libtorch.worker.Schemas.Callee;
import dev.lockstep.replay.OperatorRun;
import dev.lockstep.replay.Timing;
import java.time.Instant;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.cuda.CUDAEvent;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch_cuda;
import org.jspecify.annotations.Nullable;

/** Warms up, chooses how often to run, and times every execution by itself. */
final class Measurement {
    /** Makes the values of a call. */
    interface Inputs {
        IValue[] make();
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

    private final WorkerSettings settings;
    private final boolean onCuda;
    private @Nullable Tensor flushed;

    Measurement(WorkerSettings settings) {
        this.settings = settings;
        onCuda = settings.device().equals("cuda");
    }

    /**
     * Runs an operator. The first execution decides whether it runs at all; what it throws goes to the caller.
     *
     * @param afresh whether every execution needs new inputs
     * @param ofHost whether there is nothing to time on the device
     */
    OperatorRun run(Callee callee, Inputs inputs, boolean afresh, boolean ofHost, @Nullable String substitution) {
        IValue[] values = inputs.make();
        long[] took = new long[2];
        execute(callee.body(), values, took);
        long warmups = 1;
        long spent = took[0];
        int wanted = settings.warmup() >= 0 ? settings.warmup() : DEFAULT_WARMUPS;
        while (warmups < wanted && (settings.warmup() >= 0 || spent < LONGEST_WARMUP_NS)) {
            execute(callee.body(), afresh ? inputs.make() : values, took);
            spent += took[0];
            warmups++;
        }
        int runs = settings.iterations() > 0 ? settings.iterations() : runs(took[0]);
        long[] host = new long[runs];
        long[] device = new long[runs];
        long start = sinceEpoch();
        for (int i = 0; i < runs; i++) {
            flush();
            execute(callee.body(), afresh ? inputs.make() : values, took);
            host[i] = took[0];
            device[i] = took[1];
        }
        return new OperatorRun(
                null,
                null,
                callee.text(),
                substitution,
                warmups,
                runs,
                Timing.of(host),
                onCuda && !ofHost ? Timing.of(device) : null,
                new OperatorRun.Window(start, Math.max(start + 1, sinceEpoch())));
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

    /** Runs once; puts the time on the host and that on the device into the array. */
    private void execute(Body body, IValue[] values, long[] took) {
        try (PointerScope scope = new PointerScope()) {
            IValueVector stack = new IValueVector(values);
            if (onCuda) {
                executeOnCuda(body, stack, took);
                return;
            }
            long start = System.nanoTime();
            body.call(stack);
            took[0] = System.nanoTime() - start;
        }
    }

    private static void executeOnCuda(Body body, IValueVector stack, long[] took) {
        CUDAEvent begin = new CUDAEvent(0);
        CUDAEvent end = new CUDAEvent(0);
        torch_cuda.device_synchronize();
        begin.record();
        long start = System.nanoTime();
        body.call(stack);
        took[0] = System.nanoTime() - start;
        end.record();
        end.synchronize();
        took[1] = (long) (begin.elapsed_time(end) * NS_PER_MS);
    }

    private void flush() {
        if (!settings.flushCache()) {
            return;
        }
        if (flushed == null) {
            flushed = torch.empty(FLUSH_BYTES / Float.BYTES);
        }
        try (PointerScope scope = new PointerScope()) {
            flushed.fill_(new Scalar(1.0));
        }
    }
}
