// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Writes each rank on a thread of its own while the caller prepares the next one; at most one is being written. What goes
 * wrong with a rank is thrown by the call that follows. Confined to one thread.
 */
public final class WriteBehind implements TimelineOutput {
    private final TimelineOutput file;
    private @Nullable FutureTask<Void> writing;

    /** @param file what is written to; belongs to this object, and is used by one thread at a time */
    public WriteBehind(TimelineOutput file) {
        this.file = file;
    }

    @Override
    public void add(RankTimeline rank) throws IOException {
        await();
        FutureTask<Void> task = new FutureTask<>(() -> {
            file.add(rank);
            return null;
        });
        writing = task;
        Thread writer = new Thread(task, "lockstep-write-behind");
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public void finish(Map<String, String> metadata) throws IOException {
        await();
        file.finish(metadata);
    }

    @Override
    public void close() throws IOException {
        try (file) {
            await();
        }
    }

    /** Waits until nothing is being written. */
    private void await() throws IOException {
        FutureTask<Void> last = writing;
        writing = null;
        if (last == null) {
            return;
        }
        try {
            last.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while writing", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException exception -> throw exception;
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }
}
