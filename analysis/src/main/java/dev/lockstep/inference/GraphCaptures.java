// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the captures of graphs are found. */
public interface GraphCaptures {
    /**
     * The graphs that were captured for an iteration, in the order in which it launches them.
     *
     * @param batch size of the iteration's batch; graphs are captured for some sizes and used for smaller batches, too
     * @param launches how many graphs the iteration launches
     * @return null when there is no such capture
     * @throws IOException if the capture cannot be read
     */
    @Nullable
    List<CapturedGraph> of(long batch, int launches) throws IOException;
}
