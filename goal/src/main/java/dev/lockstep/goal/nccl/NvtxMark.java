// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/** What the library's marks say. Communicators are named by their hash as it is written. */
public sealed interface NvtxMark {
    /** How a collective was planned ({@code collType}). */
    record PlanMark(
            int type,
            int root,
            int algorithm,
            int protocol,
            String communicator,
            long bytes,
            int typeBytes,
            int chunkSteps,
            int sliceSteps,
            long stepBytes)
            implements NvtxMark {}

    /**
     * What a channel does for a collective ({@code nWarps}); counts are elements.
     *
     * @param distance where the input begins, counted from where the output begins; bytes
     */
    record WorkMark(long count, long chunk, long work, long lastChunk, long offset, long distance)
            implements NvtxMark {}

    /** What a channel moves between two ranks ({@code Bytes}). */
    record PartMark(boolean sent, int peer, int protocol, long bytes, long chunkBytes) implements NvtxMark {}

    /** That a process has a rank in a communicator. */
    record MemberMark(String communicator, String id, int rank, int ranks) implements NvtxMark {}

    /** A rank's neighbours on the ring of a channel. */
    record RingMark(String communicator, int channel, int previous, int rank, int next) implements NvtxMark {}

    /** A rank's neighbours on the tree of a channel; -1 is none. */
    record TreeMark(String communicator, int channel, int child1, int child2, int child3, int rank, int parent)
            implements NvtxMark {}

    /** The beginning of a group of calls, or its end. */
    record GroupMark(boolean begins) implements NvtxMark {}
}
