// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/** What the library's marks say. Communicators are named by their hash as it is written. */
public sealed interface NvtxMark {
    /** More bytes than a GPU has. */
    long MOST_BYTES = 1L << 39;

    /** Into more pieces than that no channel cuts its data. */
    long MOST_PIECES = 1 << 17;

    /** More channels than any library has. */
    int MOST_CHANNELS = 1 << 10;

    /** Whether so much can be cut into such pieces. */
    private static boolean cut(long all, long piece) {
        return all == 0 || (piece > 0 && piece <= Integer.MAX_VALUE && all / piece <= MOST_PIECES);
    }

    /** Whether elements can be that large. */
    static boolean element(int bytes) {
        return bytes >= 1 && bytes <= 16;
    }

    /** Whether a channel can have such a number. */
    static boolean channel(int number) {
        return number >= 0 && number < MOST_CHANNELS;
    }

    /** Whether there can be so many bytes. */
    static boolean size(long bytes) {
        return bytes >= 0 && bytes <= MOST_BYTES;
    }

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
            implements NvtxMark {
        private static final int MOST_STEPS = 64;

        /** Stands for a plan that cannot be, so that nothing else is taken for what its channels did. */
        static final PlanMark IMPOSSIBLE = new PlanMark(-1, 0, -1, -1, "", 0, 1, 0, 0, 0);

        /** Whether there can be such numbers. */
        boolean possible() {
            return type >= 0
                    && size(bytes)
                    && element(typeBytes)
                    && steps(chunkSteps)
                    && steps(sliceSteps)
                    && size(stepBytes);
        }

        private static boolean steps(int steps) {
            return steps >= 0 && steps <= MOST_STEPS;
        }
    }

    /**
     * What a channel does for a collective ({@code nWarps}); counts are elements.
     *
     * @param distance where the input begins, counted from where the output begins; bytes
     */
    record WorkMark(long count, long chunk, long work, long lastChunk, long offset, long distance) implements NvtxMark {
        /** Stands for work that cannot be: its collective has no plan. */
        static final WorkMark IMPOSSIBLE = new WorkMark(0, 0, -1, 0, 0, 0);

        /** Whether there can be such numbers: a channel does no more than there is, in pieces that are some. */
        boolean possible() {
            return size(count) && work >= 0 && work <= count && chunk >= 0 && cut(work, chunk);
        }
    }

    /** What a channel moves between two ranks ({@code Bytes}). */
    record PartMark(boolean sent, int peer, int protocol, long bytes, long chunkBytes) implements NvtxMark {
        /** Stands for the same with numbers that cannot be: its message has no plan. */
        PartMark impossible() {
            return new PartMark(sent, peer, protocol, -1, 0);
        }

        /** Whether there can be such numbers. */
        boolean possible() {
            return size(bytes) && cut(bytes, chunkBytes);
        }
    }

    /** That a process has a rank in a communicator. */
    record MemberMark(String communicator, String id, int rank, int ranks) implements NvtxMark {
        private static final int MOST_RANKS = 1 << 20;

        /** Whether there can be so many. */
        boolean possible() {
            return ranks <= MOST_RANKS;
        }
    }

    /** A rank's neighbours on the ring of a channel. */
    record RingMark(String communicator, int channel, int previous, int rank, int next) implements NvtxMark {}

    /** A rank's neighbours on the tree of a channel; -1 is none. */
    record TreeMark(String communicator, int channel, int child1, int child2, int child3, int rank, int parent)
            implements NvtxMark {}

    /** The beginning of a group of calls, or its end. */
    record GroupMark(boolean begins) implements NvtxMark {}
}
