// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Trace;
import java.io.IOException;

/**
 * Takes the traces of a run one after another while they are in memory for something else, too: in the order, and with the
 * ranks, of {@link RankSet#readInOrder}. Called by one thread at a time, which need not be the same each time.
 *
 * @hidden for the program's own modules
 */
public interface OrderedTraceSink {
    /**
     * Takes the next trace, which holds everything that its file says.
     *
     * @param trace a trace with its final rank
     * @throws IOException when it cannot be taken, for instance written
     */
    void add(Trace trace) throws IOException;

    /**
     * The numbers of ranks turned out to depend on files that were not read yet. No more traces come, and those that came may be
     * wrong.
     */
    void giveUp();
}
