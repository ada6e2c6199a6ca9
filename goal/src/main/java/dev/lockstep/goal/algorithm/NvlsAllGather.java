// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import static dev.lockstep.goal.algorithm.NvlsAllReduce.others;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * Every rank's part leaves it once, and the switch of its node gives it to all others there. Between nodes, where the
 * library lets the network multiply data, which schedules cannot say, parts go around rings of the GPUs at the same place.
 */
final class NvlsAllGather implements CollectiveAlgorithm {
    private static final int GATHER = 0;
    private static final int PASS_ON = 1;

    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_GATHER && algorithm == NcclAlgorithm.NVLS;
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

    private static void rail(ChannelJob job, int rail, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int n = nodes.count();
        int node = nodes.nodeOf()[job.rank()];
        int leader = nodes.on(rail, node);
        for (int step = 0; step < n; step++) {
            int origin = (node + n - step) % n;
            if (rail >= nodes.members()[origin].length) {
                continue;
            }
            if (job.rank() == leader) {
                pass(job, rail, step, bytes, out);
            } else {
                out.worker(GATHER);
                out.recvCopy(leader, bytes);
            }
        }
    }

    /** Gets a part from the node before, gives it to the next one and to its own. */
    private static void pass(ChannelJob job, int rail, int step, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int self = job.rank();
        int node = nodes.nodeOf()[self];
        int n = nodes.count();
        out.worker(PASS_ON);
        out.sequence();
        if (step > 0) {
            out.recv(nodes.on(rail, (node + n - 1) % n), bytes);
        }
        out.parallel();
        if (step < n - 1) {
            out.send(nodes.on(rail, (node + 1) % n), bytes);
        }
        out.multicast(others(nodes.around(self), self), bytes);
        out.close();
        out.worker(GATHER);
        out.copy(bytes);
        out.close();
    }
}
