// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.simulate.algorithm;

import dev.lockstep.simulate.nccl.Algorithm;
import dev.lockstep.simulate.nccl.Collective;
import java.io.IOException;

/**
 * Parallel trees, one for each rank's part: parts go far first and near last, all that have the same way together, so that
 * there are as many steps as the number of ranks has binary digits.
 */
final class PatAllGather implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(Collective kind, Algorithm algorithm) {
        return kind == Collective.ALL_GATHER && algorithm == Algorithm.PAT;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        int n = job.ranks();
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            out.sequence();
            for (int distance = Integer.highestOneBit(Math.max(1, n - 1)); distance > 0 && n > 1; distance /= 2) {
                out.parallel();
                out.send((job.rank() + distance) % n, parts(n, distance) * bytes);
                out.recv((job.rank() + n - distance) % n, parts(n, distance) * bytes);
                out.close();
            }
            out.close();
        }
    }

    /** How many parts go a distance: those that came multiples of twice as far, and do not come around. */
    static long parts(int ranks, int distance) {
        return (ranks - distance + 2L * distance - 1) / (2L * distance);
    }
}
