// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/** Sums go around the ring, each to the rank that keeps it. */
final class RingReduceScatter implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.REDUCE_SCATTER && algorithm == NcclAlgorithm.RING;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            out.send(job.next(), bytes);
            for (int j = 2; j < job.ranks(); j++) {
                out.recvReduceSend(job.previous(), job.next(), bytes);
            }
            out.recvReduceCopy(job.previous(), bytes);
        }
    }
}
