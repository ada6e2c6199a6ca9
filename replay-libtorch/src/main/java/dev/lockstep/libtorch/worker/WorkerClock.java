// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.bytedeco.pytorch.IValueVector;
import org.jspecify.annotations.Nullable;

/**
 * Times calls. A device is kept busy meanwhile, so that its time holds no launch, see {@link QueuedWork}. Of a thread that works alone on the CPU, time in which other programs had the processor does not count;
 * threads that share an operator, and devices, are timed by the wall.
 */
final class WorkerClock {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final @Nullable DeviceQueue queue;
    private final boolean alone;

    /** What a call took last, in ns. */
    private long host;

    private long device;

    WorkerClock(WorkerSettings settings) {
        this(settings, settings.device().equals("cuda") ? new CudaQueue() : null);
    }

    /** @param queue of the device that works; null where the host does */
    WorkerClock(WorkerSettings settings, @Nullable DeviceQueue queue) {
        this.queue = queue;
        alone = queue == null && settings.threads() == 1 && THREADS.isCurrentThreadCpuTimeSupported();
    }

    boolean isOfDevice() {
        return queue != null;
    }

    long host() {
        return host;
    }

    /** 0 where there is no device. */
    long device() {
        return device;
    }

    /** How long this thread had a processor since it began, in ns. */
    static long processor() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /**
     * Calls once.
     *
     * @param before what a device is given to do before the call
     */
    void time(Schemas.Body body, IValueVector stack, QueuedWork before) {
        if (queue != null) {
            timeOnDevice(queue, body, stack, before);
            return;
        }
        long begun = alone ? processor() : 0;
        long start = System.nanoTime();
        body.call(stack);
        host = System.nanoTime() - start;
        if (alone) {
            host = Math.min(host, processor() - begun);
        }
    }

    private void timeOnDevice(DeviceQueue queue, Schemas.Body body, IValueVector stack, QueuedWork before) {
        long busy = queue.spins() ? before.ns() : 0;
        queue.synchronize();
        if (busy > 0) {
            queue.spin(busy);
        }
        queue.begin();
        long start = System.nanoTime();
        body.call(stack);
        host = System.nanoTime() - start;
        queue.end();
        before.called(host, busy, busy > 0 && !queue.hasBegun());
        device = queue.elapsed();
    }

    /** Times something that calls often. */
    void time(Runnable calls) {
        if (queue != null) {
            queue.synchronize();
        }
        long before = alone ? processor() : 0;
        long start = System.nanoTime();
        calls.run();
        if (queue != null) {
            queue.synchronize();
        }
        host = System.nanoTime() - start;
        if (alone) {
            host = Math.min(host, processor() - before);
        }
    }
}
