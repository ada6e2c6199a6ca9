// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import static dev.lockstep.goal.algorithm.NvlsAllReduce.others;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * All copy every part to their buffers, and who keeps it fetches the sum from the switch of its node. Between nodes, where
 * the library lets the network add, which schedules cannot say, sums go around rings of the GPUs at the same place.
 */
final class NvlsReduceScatter implements CollectiveAlgorithm {
    private static final int SCATTER = 0;
    private static final int REDUCE = 1;

    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.REDUCE_SCATTER && algorithm == NcclAlgorithm.NVLS;
    }

    @Override
    public int workers() {
        return 2;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            for (int rail = 0; rail < nodes.largest(); rail++) {
                rail(job, rail, bytes, out);
            }
        }
    }

    /** The sum that a node keeps begins at the node behind it and comes around to it. */
    private static void rail(ChannelJob job, int rail, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int n = nodes.count();
        int node = nodes.nodeOf()[job.rank()];
        int leader = nodes.on(rail, node);
        for (int step = 0; step < n; step++) {
            int keeper = (node + 2 * n - 1 - step) % n;
            if (rail >= nodes.members()[keeper].length) {
                continue;
            }
            if (job.rank() == leader) {
                add(job, rail, step, bytes, out);
            } else {
                out.worker(SCATTER);
                out.copySend(leader, bytes);
            }
        }
    }

    /** Adds the sum of its node to that of the nodes before, and gives it to the next one. */
    private static void add(ChannelJob job, int rail, int step, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int self = job.rank();
        int node = nodes.nodeOf()[self];
        int n = nodes.count();
        out.sequence();
        out.worker(SCATTER);
        out.copy(bytes);
        out.worker(REDUCE);
        out.parallel();
        out.fetchSum(others(nodes.around(self), self), bytes);
        if (step > 0) {
            out.recvReduce(nodes.on(rail, (node + n - 1) % n), bytes);
        }
        out.close();
        if (step < n - 1) {
            out.send(nodes.on(rail, (node + 1) % n), bytes);
        }
        out.close();
    }
}
