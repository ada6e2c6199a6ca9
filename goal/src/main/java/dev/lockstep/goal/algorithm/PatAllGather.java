// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * Parallel trees, one for each rank's part: parts go far first and near last, so that there are as many steps as the number
 * of ranks has binary digits. Parts that have the same way go together as far as a chunk has room for them.
 */
final class PatAllGather implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_GATHER && algorithm == NcclAlgorithm.PAT;
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
                long most = atOnce(job, bytes) * bytes;
                for (long rest = parts(n, distance) * bytes; rest > 0; rest -= most) {
                    out.send((job.rank() + distance) % n, Math.min(most, rest));
                    out.recv((job.rank() + n - distance) % n, Math.min(most, rest));
                }
                out.close();
            }
            out.close();
        }
    }

    /** How many parts of so many bytes go together: a step of the buffer has room for a chunk. */
    static long atOnce(ChannelJob job, long bytes) {
        return Math.max(1, job.chunk() * job.typeBytes() / Math.max(1, bytes));
    }

    /** How many parts go a distance: those that came multiples of twice as far, and do not come around. */
    static long parts(int ranks, int distance) {
        return (ranks - distance + 2L * distance - 1) / (2L * distance);
    }
}
