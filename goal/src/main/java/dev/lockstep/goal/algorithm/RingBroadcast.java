// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/** The root's data goes along the ring, which is a chain that ends before the root. */
final class RingBroadcast implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.BROADCAST && algorithm == NcclAlgorithm.RING;
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
