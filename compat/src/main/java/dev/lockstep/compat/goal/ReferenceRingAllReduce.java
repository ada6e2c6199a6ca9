// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.algorithm.ChannelJob;
import dev.lockstep.goal.algorithm.CollectiveAlgorithm;
import dev.lockstep.goal.algorithm.Primitives;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * The ring as the reference has it: a rank's place on the ring is its number, whatever the ring's order, and the largest
 * slice changes from step to step, so that small messages are cut differently by sender and receiver.
 */
final class ReferenceRingAllReduce implements CollectiveAlgorithm {
    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_REDUCE && algorithm == NcclAlgorithm.RING;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        Steps steps = new Steps(job, out);
        int n = job.ranks();
        int own = job.rank();
        long round = n * job.chunk();
        for (long offset = 0; offset < job.work().work(); offset += round) {
            steps.round(job.work().work() - offset, round);
            out.send(job.next(), steps.first(own + n - 1));
            for (int j = 2; j < n; j++) {
                out.recvReduceSend(job.previous(), job.next(), steps.next(own + n - j));
            }
            out.recvReduceCopySend(job.previous(), job.next(), steps.next(own));
            for (int j = 1; j < n - 1; j++) {
                out.recvCopySend(job.previous(), job.next(), steps.next(own + n - j));
            }
            out.recv(job.previous(), steps.next(own + 1));
        }
    }

    /** Sizes of the steps, and the largest slice that shrinks with them. */
    private static final class Steps {
        private final ChannelJob job;
        private final Primitives out;
        private final int slices;
        private long slice;
        private long chunk;
        private long rest;

        Steps(ChannelJob job, Primitives out) {
            this.job = job;
            this.out = out;
            this.slices = job.plan().chunkSteps() / Math.max(1, job.plan().sliceSteps());
            this.slice = job.plan().sliceSteps() * job.plan().stepBytes();
            this.chunk = job.chunk();
        }

        void round(long left, long round) {
            rest = left;
            chunk = left < round ? job.work().lastChunk() : chunk;
        }

        long first(int place) {
            out.largestSlice(slice);
            return elements(place) * job.typeBytes();
        }

        long next(int place) {
            long elements = elements(place);
            slice = Math.max((long) Math.ceil(elements / 16.0 * slices) * 16, slice / 32);
            out.largestSlice(slice);
            return elements * job.typeBytes();
        }

        private long elements(int place) {
            long before = place % job.ranks() * chunk;
            return Math.min(chunk, Math.max(0, rest - before));
        }
    }
}
