// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.algorithm.ChannelJob;
import dev.lockstep.goal.algorithm.CollectiveAlgorithm;
import dev.lockstep.goal.algorithm.Primitives;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/** The reference knows one cpu for each channel, whatever groups of warps there are. */
record OneWorker(CollectiveAlgorithm algorithm) implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm name) {
        return algorithm.carriesOut(kind, name);
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        algorithm.expand(job, out);
    }
}
