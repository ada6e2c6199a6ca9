// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.nccl.BinaryTrees;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * The switch of each node adds and multiplies. A round has a chunk for each head, which are the GPUs of a node: all copy it
 * to their buffers, the head fetches the sum, and what comes of it goes to all at once. Between nodes, the heads at the
 * same place form a binary tree, on every second channel the other one of two. Four groups of warps work side by side: those
 * that hand out data, that collect it, that reduce, and that pass results on.
 *
 * <p>Facts: {@code src/device/all_reduce.h} and {@code src/graph/connect.cc} of NCCL.
 */
final class NvlsAllReduce implements CollectiveAlgorithm {
    static final int SCATTER = 0;
    static final int GATHER = 1;
    static final int REDUCE = 2;
    static final int PASS_ON = 3;
    static final int WORKERS = 4;

    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_REDUCE
                && (algorithm == NcclAlgorithm.NVLS || algorithm == NcclAlgorithm.NVLS_TREE);
    }

    @Override
    public int workers() {
        return WORKERS;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        Tree tree = Tree.of(BinaryTrees.parents(nodes.count(), job.channel() % 2 != 0));
        int heads = nodes.smallest();
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += heads * job.chunk()) {
            for (int head = 0; head < heads; head++) {
                long bytes = Math.min(job.chunk(), work - offset - head * job.chunk()) * job.typeBytes();
                if (bytes > 0) {
                    chunk(job, head, tree, bytes, out);
                }
            }
        }
    }

    private static void chunk(ChannelJob job, int head, Tree tree, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int leader = nodes.on(head, nodes.nodeOf()[job.rank()]);
        if (job.rank() == leader) {
            lead(job, head, tree, bytes, out);
        } else {
            out.worker(SCATTER);
            out.copySend(leader, bytes);
            out.worker(GATHER);
            out.recvCopy(leader, bytes);
        }
    }

    private static void lead(ChannelJob job, int head, Tree tree, long bytes, Primitives out) throws IOException {
        NodeGroups nodes = job.nodes();
        int node = nodes.nodeOf()[job.rank()];
        int[] others = others(nodes.around(job.rank()), job.rank());
        int parent = tree.parent()[node];
        out.sequence();
        out.worker(SCATTER);
        out.copy(bytes);
        out.worker(REDUCE);
        out.parallel();
        out.fetchSum(others, bytes);
        for (int child : tree.children()[node]) {
            out.recvReduce(nodes.on(head, child), bytes);
        }
        out.close();
        if (parent != Communicator.NONE) {
            out.send(nodes.on(head, parent), bytes);
            out.worker(PASS_ON);
            out.recv(nodes.on(head, parent), bytes);
        }
        out.parallel();
        for (int child : tree.children()[node]) {
            out.send(nodes.on(head, child), bytes);
        }
        out.multicast(others, bytes);
        out.close();
        out.worker(GATHER);
        out.copy(bytes);
        out.close();
    }

    /** All but one. */
    static int[] others(int[] ranks, int self) {
        int[] others = new int[ranks.length - 1];
        int at = 0;
        for (int rank : ranks) {
            if (rank != self) {
                others[at++] = rank;
            }
        }
        return others;
    }
}
