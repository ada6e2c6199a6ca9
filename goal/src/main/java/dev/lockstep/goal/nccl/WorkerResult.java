// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** What workers return. */
public final class WorkerResult {
    private WorkerResult() {}

    /**
     * Waits for a result.
     *
     * @throws IOException what the worker threw; so are unchecked exceptions
     */
    public static <T> T of(Future<T> worker) throws IOException {
        try {
            return worker.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException io -> throw io;
                case RuntimeException runtime -> throw runtime;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
