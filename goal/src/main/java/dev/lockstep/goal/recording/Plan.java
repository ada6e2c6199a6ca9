// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.recording;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import java.util.List;

/** How an operation is carried out by one GPU. */
public sealed interface Plan {
    /**
     * A collective.
     *
     * @param root rank in the communicator
     * @param typeBytes size of the elements that the counts of channels count
     * @param chunkSteps steps of the buffer that a chunk takes
     * @param sliceSteps steps of the buffer that a slice takes
     * @param stepBytes size of a step
     * @param channels what each channel does, in their order
     */
    record CollectivePlan(
            NcclAlgorithm algorithm,
            NcclProtocol protocol,
            int root,
            int typeBytes,
            int chunkSteps,
            int sliceSteps,
            long stepBytes,
            List<ChannelWork> channels)
            implements Plan {
        public CollectivePlan {
            channels = List.copyOf(channels);
        }
    }

    /**
     * The part of a collective that a channel carries out; counts are elements.
     *
     * @param work elements of this channel
     * @param chunk elements of a chunk
     * @param lastChunk elements of a chunk of the last round
     * @param inPlace whether the input lies where the rank's part of the output goes
     */
    record ChannelWork(long work, long chunk, long lastChunk, boolean inPlace) {}

    /** Messages with other ranks, each in one part or several. */
    record PairwisePlan(List<Part> parts) implements Plan {
        public PairwisePlan {
            parts = List.copyOf(parts);
        }
    }

    /**
     * What one channel moves between this rank and another.
     *
     * @param sent whether it goes to the peer, else it comes from there
     * @param peer rank in the communicator
     * @param chunkBytes the most that is moved at once
     */
    record Part(boolean sent, int peer, NcclProtocol protocol, long bytes, long chunkBytes) {}
}
