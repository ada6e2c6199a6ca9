// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Trace;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads files one after the other, each while the caller works on the one before. Confined to one thread. */
final class ReadAhead implements AutoCloseable {
    private final Session session;
    private final List<Path> files;
    private final ReadOptions.Keep keep;
    private final LongConsumer progress;
    private int place;
    private long finished;
    private @Nullable FutureTask<List<Trace>> reading;
    private @Nullable Thread reader;

    ReadAhead(Session session, List<Path> files, ReadOptions.Keep keep, LongConsumer progress) {
        this.session = session;
        this.files = files;
        this.keep = keep;
        this.progress = progress;
        begin();
    }

    boolean hasNext() {
        return place < files.size();
    }

    /** The file that {@link #next} gives. */
    Path file() {
        return files.get(place);
    }

    /** The ranks in the file; the file behind it is begun. */
    List<Trace> next() throws IOException {
        FutureTask<List<Trace>> current = reading;
        if (current == null) {
            throw new IllegalStateException("nothing is left to read");
        }
        try {
            return current.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading " + file(), e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException exception -> throw exception;
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> throw new IOException(e.getCause());
            }
        } finally {
            place++;
            begin();
        }
    }

    private void begin() {
        reading = null;
        if (!hasNext()) {
            return;
        }
        Path file = file();
        long before = finished;
        FutureTask<List<Trace>> task = new FutureTask<>(
                () -> session.read(TraceInput.of(file), bytes -> progress.accept(before + bytes), keep));
        finished += sizeOf(file);
        reading = task;
        reader = new Thread(task, "lockstep-read-ahead");
        reader.setDaemon(true);
        reader.start();
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Waits for what is being read, so that nobody reads when the session ends. */
    @Override
    public void close() {
        Thread last = reader;
        if (last != null) {
            try {
                last.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
