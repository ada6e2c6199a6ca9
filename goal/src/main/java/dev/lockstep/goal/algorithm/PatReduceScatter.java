// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * The way of {@link PatAllGather} backwards: sums go near first and far last.
 */
final class PatReduceScatter implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.REDUCE_SCATTER && algorithm == NcclAlgorithm.PAT;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        int n = job.ranks();
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            out.sequence();
            for (int distance = 1; distance < n; distance *= 2) {
                out.parallel();
                long most = PatAllGather.atOnce(job, bytes) * bytes;
                for (long rest = PatAllGather.parts(n, distance) * bytes; rest > 0; rest -= most) {
                    out.send((job.rank() + n - distance) % n, Math.min(most, rest));
                    out.recvReduce((job.rank() + distance) % n, Math.min(most, rest));
                }
                out.close();
            }
            out.close();
        }
    }
}
