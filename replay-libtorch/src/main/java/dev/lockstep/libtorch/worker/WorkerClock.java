// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.cuda.CUDAEvent;
import org.bytedeco.pytorch.global.torch_cuda;

/**
 * Times calls. Of a thread that works alone on the CPU, time in which other programs had the processor does not count;
 * threads that share an operator, and devices, are timed by the wall.
 */
final class WorkerClock {
    private static final long NS_PER_MS = 1_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final boolean onCuda;
    private final boolean alone;

    /** What a call took last, in ns. */
    private long host;

    private long device;

    WorkerClock(WorkerSettings settings) {
        onCuda = settings.device().equals("cuda");
        alone = !onCuda && settings.threads() == 1 && THREADS.isCurrentThreadCpuTimeSupported();
    }

    boolean isOnCuda() {
        return onCuda;
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

    /** Calls once. */
    void time(Schemas.Body body, IValueVector stack) {
        if (onCuda) {
            timeOnCuda(body, stack);
            return;
        }
        long before = alone ? processor() : 0;
        long start = System.nanoTime();
        body.call(stack);
        host = System.nanoTime() - start;
        if (alone) {
            host = Math.min(host, processor() - before);
        }
    }

    private void timeOnCuda(Schemas.Body body, IValueVector stack) {
        CUDAEvent begin = new CUDAEvent(0);
        CUDAEvent end = new CUDAEvent(0);
        torch_cuda.device_synchronize();
        begin.record();
        long start = System.nanoTime();
        body.call(stack);
        host = System.nanoTime() - start;
        end.record();
        end.synchronize();
        device = (long) (begin.elapsed_time(end) * NS_PER_MS);
    }

    /** Times something that calls often. */
    void time(Runnable calls) {
        if (onCuda) {
            torch_cuda.device_synchronize();
        }
        long before = alone ? processor() : 0;
        long start = System.nanoTime();
        calls.run();
        if (onCuda) {
            torch_cuda.device_synchronize();
        }
        host = System.nanoTime() - start;
        if (alone) {
            host = Math.min(host, processor() - before);
        }
    }
}
