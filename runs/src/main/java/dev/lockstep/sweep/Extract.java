// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import java.io.IOException;

/**
 * Something that is taken from every trace while it is in memory. Stateless; asked by several threads at a time.
 *
 * @param <T> what outlives the trace
 */
public interface Extract<T> {
    /**
     * Takes it. May write files, to places that nobody sees yet.
     *
     * @throws IOException when a file cannot be written
     */
    T take(RankTrace trace) throws IOException;

    /** What was taken is not wanted: the trace turned out to be of another rank, and is read again. */
    default void discard(T taken) {}
}
