// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * A way to carry out a collective. Stateless. All ranks together must be sound: the k-th message that a rank sends to
 * another is the k-th that the other receives from it, with the same size.
 */
public interface CollectiveAlgorithm {
    /** Whether it carries out collectives of that kind under that name. */
    boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm);

    /** How many groups of warps of a channel work side by side. */
    default int workers() {
        return 1;
    }

    /** States what one rank does on one channel. */
    void expand(ChannelJob job, Primitives out) throws IOException;
}
