// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who does the writing and who watches; neither changes a byte.
 *
 * @param executor writes ranks side by side; null writes them one after the other on the calling thread
 * @param written is told now and then, on the calling thread, how many bytes of text exist so far over all ranks
 */
public record Workers(@Nullable ExecutorService executor, LongConsumer written) {

    /** The calling thread, and nobody watches. */
    public static Workers none() {
        return new Workers(null, bytes -> {});
    }

    public static Workers of(ExecutorService executor) {
        return new Workers(executor, bytes -> {});
    }

    /** Work on one of several things. */
    @FunctionalInterface
    interface Task<T> {
        void run(T subject) throws IOException;
    }

    /** Runs the task for all subjects and returns when all are done. */
    <T> void forEach(List<T> subjects, Task<? super T> task) throws IOException {
        ExecutorService pool = executor;
        if (pool == null || subjects.size() == 1) {
            for (T subject : subjects) {
                task.run(subject);
            }
            return;
        }
        List<Callable<Boolean>> calls = new ArrayList<>();
        for (T subject : subjects) {
            calls.add(() -> {
                task.run(subject);
                return true;
            });
        }
        try {
            for (Future<Boolean> future : pool.invokeAll(calls)) {
                future.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing traces", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException exception -> throw exception;
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw new IOException("writing a trace failed: " + e.getCause(), e);
            }
        }
    }
}
