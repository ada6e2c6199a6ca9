// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;

/**
 * Sums go up the tree, results come down. Chunks do not wait for each other, so that the tree is a pipeline: one group of
 * warps takes sums up while another hands results down; the root does both with one. The library's double binary trees are
 * two trees on different channels.
 */
final class TreeAllReduce implements CollectiveAlgorithm {
    private static final int UP = 0;
    private static final int DOWN = 1;

    @Override
    public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
        return kind == NcclFunction.ALL_REDUCE && algorithm == NcclAlgorithm.TREE;
    }

    @Override
    public int workers() {
        return 2;
    }

    @Override
    public void expand(ChannelJob job, Primitives out) throws IOException {
        int parent = job.tree().parent()[job.rank()];
        int[] children = job.tree().children()[job.rank()];
        long work = job.work().work();
        for (long offset = 0; offset < work; offset += job.chunk()) {
            long bytes = Math.min(job.chunk(), work - offset) * job.typeBytes();
            out.sequence();
            if (parent == Communicator.NONE) {
                root(children, bytes, out);
            } else {
                inner(parent, children, bytes, out);
            }
            out.close();
        }
    }

    private static void root(int[] children, long bytes, Primitives out) throws IOException {
        if (children.length == 0) {
            return;
        }
        out.parallel();
        for (int i = 0; i < children.length - 1; i++) {
            out.recvReduce(children[i], bytes);
        }
        out.recvReduceCopy(children[children.length - 1], bytes);
        out.close();
        sendDown(children, bytes, out);
    }

    private static void inner(int parent, int[] children, long bytes, Primitives out) throws IOException {
        out.worker(UP);
        if (children.length > 0) {
            out.parallel();
            for (int child : children) {
                out.recvReduce(child, bytes);
            }
            out.close();
        }
        out.send(parent, bytes);
        out.worker(DOWN);
        out.recv(parent, bytes);
        if (children.length > 0) {
            sendDown(children, bytes, out);
        }
    }

    private static void sendDown(int[] children, long bytes, Primitives out) throws IOException {
        out.parallel();
        for (int child : children) {
            out.send(child, bytes);
        }
        out.close();
    }
}
