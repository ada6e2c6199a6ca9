// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Threads that share work with the one that asks. Those that have no time do not hold it up: it then does all by itself.
 *
 * @param pool runs what others take over
 * @param count how many may work together
 */
public record WorkerThreads(Executor pool, int count) {
    /** No others. */
    public static WorkerThreads none() {
        return new WorkerThreads(Runnable::run, 1);
    }

    /** Does one piece of work after the other. Used by one thread. */
    interface Worker {
        void work(int piece);
    }

    /**
     * Does all pieces of work, in any order, and returns when they are done.
     *
     * @param pieces how many
     * @param most how many threads at most
     * @param worker makes what each thread works with, once it has work
     */
    void share(int pieces, int most, Supplier<Worker> worker) {
        Shared shared = new Shared(pieces, worker);
        for (int other = 1; other < Math.min(pieces, Math.min(most, count)); other++) {
            pool.execute(shared);
        }
        shared.run();
        shared.await();
    }

    private static final class Shared implements Runnable {
        private final int pieces;
        private final Supplier<Worker> workers;
        private final AtomicInteger next = new AtomicInteger();
        private final CountDownLatch open;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        Shared(int pieces, Supplier<Worker> workers) {
            this.pieces = pieces;
            this.workers = workers;
            open = new CountDownLatch(pieces);
        }

        @Override
        public void run() {
            Worker worker = null;
            for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
                try {
                    worker = worker == null ? workers.get() : worker;
                    worker.work(piece);
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
                open.countDown();
            }
        }

        void await() {
            boolean interrupted = false;
            while (open.getCount() > 0) {
                try {
                    open.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            switch (failure.get()) {
                case null -> {}
                case Error e -> throw e;
                case RuntimeException e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }
}
