// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.nccl.Algorithm;
import dev.lockstep.goal.nccl.Collective;
import java.io.IOException;

/** Sums go around the ring, each to the rank that keeps it. */
final class RingReduceScatter implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(Collective kind, Algorithm algorithm) {
        return kind == Collective.REDUCE_SCATTER && algorithm == Algorithm.RING;
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
