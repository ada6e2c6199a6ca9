// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkerThreadsTest {
    private static final int PIECES = 1000;

    @Test
    void everyPieceIsDoneOnceByNoMoreThanAsked() {
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            AtomicIntegerArray done = new AtomicIntegerArray(PIECES);
            AtomicInteger workers = new AtomicInteger();
            new WorkerThreads(pool, 8).share(PIECES, 3, () -> {
                workers.incrementAndGet();
                return done::incrementAndGet;
            });
            for (int i = 0; i < PIECES; i++) {
                assertThat(done.get(i)).isOne();
            }
            assertThat(workers.get()).isBetween(1, 3);
        }
    }

    /** As where all threads of a pool wait for one another. */
    @Test
    void threadsThatHaveNoTimeAreNotWaitedFor() {
        CountDownLatch busy = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            pool.execute(() -> {
                try {
                    busy.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            AtomicInteger done = new AtomicInteger();
            new WorkerThreads(pool, 2).share(PIECES, 2, () -> piece -> done.incrementAndGet());
            assertThat(done).hasValue(PIECES);
            busy.countDown();
        }
    }

    @Test
    void whatFailsFailsForTheOneThatAsked() {
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            WorkerThreads threads = new WorkerThreads(pool, 4);
            assertThatThrownBy(() -> threads.share(PIECES, 4, () -> piece -> {
                        if (piece == PIECES / 2) {
                            throw new ArithmeticException("no room");
                        }
                    }))
                    .isInstanceOf(ArithmeticException.class);
            assertThatThrownBy(() -> threads.share(2, 4, () -> {
                        throw new OutOfMemoryError("no room");
                    }))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }
}
