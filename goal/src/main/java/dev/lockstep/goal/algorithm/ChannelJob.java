// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one rank has to do on one channel.
 *
 * @param places for each GPU of the recording the name of its node
 * @param rank of the communicator
 * @param channel counted from 0
 * @param work its part of the collective
 */
public record ChannelJob(
        Communicator communicator, List<String> places, int rank, int channel, CollectivePlan plan, ChannelWork work) {
    public int ranks() {
        return communicator.size();
    }

    /** Who shares a node. */
    public NodeGroups nodes() {
        return NodeGroups.of(IntStream.range(0, ranks())
                .mapToObj(member -> places.get(communicator.gpu(member)))
                .toList());
    }

    /** Size of an element. */
    public long typeBytes() {
        return plan.typeBytes();
    }

    public Ring ring() {
        return communicator.ring(channel);
    }

    public Tree tree() {
        return communicator.tree(channel);
    }

    public int previous() {
        return ring().previous()[rank];
    }

    public int next() {
        return ring().next()[rank];
    }

    /** Elements of a chunk; never 0, so that loops over chunks end. */
    public long chunk() {
        return Math.max(1, work.chunk());
    }
}
