// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * Every rank reduces one chunk of each round and then hands it around. A round has as many chunks as there are ranks; those
 * of the last round are smaller, and some may be short or empty.
 */
final class RingAllReduce implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_REDUCE && algorithm == NcclAlgorithm.RING;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        int[] positions = job.ring().positions();
        if (positions == null) {
            throw new IllegalStateException("the ring of a communicator is none");
        }
        int n = job.ranks();
        int own = positions[job.rank()];
        long work = job.work().work();
        long round = n * job.chunk();
        for (long offset = 0; offset < work; offset += round) {
            long rest = work - offset;
            long chunk = rest < round ? job.work().lastChunk() : job.chunk();
            out.send(job.next(), size(job, chunk, rest, own + n - 1));
            for (int j = 2; j < n; j++) {
                out.recvReduceSend(job.previous(), job.next(), size(job, chunk, rest, own + n - j));
            }
            out.recvReduceCopySend(job.previous(), job.next(), size(job, chunk, rest, own));
            for (int j = 1; j < n - 1; j++) {
                out.recvCopySend(job.previous(), job.next(), size(job, chunk, rest, own + n - j));
            }
            out.recv(job.previous(), size(job, chunk, rest, own + 1));
        }
    }

    private static long size(ChannelJob job, long chunk, long rest, int place) {
        long before = place % job.ranks() * chunk;
        return Math.min(chunk, Math.max(0, rest - before)) * job.typeBytes();
    }
}
