// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.model.Trace;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Merged files that are being written. Used by one thread at a time. */
public interface RankMerge extends Closeable {
    /**
     * A merged file.
     *
     * @param file where it will lie
     * @param ranks ranks in it
     * @param events slices, instants and ends of arrows that were written
     */
    record Merged(Path file, List<Integer> ranks, long events) {
        public Merged {
            ranks = List.copyOf(ranks);
        }
    }

    /** Adds a rank, with everything that its file says. Ranks come in ascending order. */
    void add(Trace trace) throws IOException;

    /**
     * As {@link #add}, for readers of ranks.
     *
     * @return true
     * @throws UncheckedIOException when writing fails
     */
    default boolean take(Trace trace) {
        try {
            add(trace);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the files. */
    List<Merged> finish() throws IOException;
}
