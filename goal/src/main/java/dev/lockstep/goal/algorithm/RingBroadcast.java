// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.nccl.Algorithm;
import dev.lockstep.goal.nccl.Collective;
import java.io.IOException;

/** The root's data goes along the ring, which is a chain that ends before the root. */
final class RingBroadcast implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(Collective kind, Algorithm algorithm) {
        return kind == Collective.BROADCAST && algorithm == Algorithm.RING;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            if (job.rank() == job.plan().root()) {
                out.send(job.next(), bytes);
            } else if (job.next() == job.plan().root()) {
                out.recv(job.previous(), bytes);
            } else {
                out.recvCopySend(job.previous(), job.next(), bytes);
            }
        }
    }
}
