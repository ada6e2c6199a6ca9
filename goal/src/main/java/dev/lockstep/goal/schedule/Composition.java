// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import java.io.IOException;

/**
 * Turns nested blocks into dependencies. Parts of a sequence come one after the other; parts of a parallel block all begin
 * when the block begins, and the block ends with the last of them. What lies in no block is one sequence.
 */
public interface Composition {
    /** Opens a block whose parts come one after the other. */
    void sequence();

    /**
     * Opens a block whose parts run side by side.
     *
     * @param cpu where the block itself lives, should it need operations of its own
     */
    void parallel(int cpu) throws IOException;

    /** Closes the innermost block. */
    void close() throws IOException;

    /** Adds an operation of the sink to the innermost block. */
    void add(int operation) throws IOException;
}
