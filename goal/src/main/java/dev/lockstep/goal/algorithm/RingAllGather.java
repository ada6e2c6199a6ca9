// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/** Every rank's part goes around the ring. */
final class RingAllGather implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_GATHER && algorithm == NcclAlgorithm.RING;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            if (job.work().inPlace()) {
                out.send(job.next(), bytes);
            } else {
                out.copySend(job.next(), bytes);
            }
            for (int j = 2; j < job.ranks(); j++) {
                out.recvCopySend(job.previous(), job.next(), bytes);
            }
            out.recv(job.previous(), bytes);
        }
    }
}
