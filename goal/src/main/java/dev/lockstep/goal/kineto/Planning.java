// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.goal.nccl.Algorithm;
import dev.lockstep.goal.nccl.Collective;
import dev.lockstep.goal.nccl.Plan.ChannelWork;
import dev.lockstep.goal.nccl.Plan.CollectivePlan;
import dev.lockstep.goal.nccl.Plan.Part;
import dev.lockstep.goal.nccl.Protocol;
import java.util.ArrayList;
import java.util.List;

/** How the library cuts collectives into channels and chunks; constants are those of NCCL 2.20. */
final class Planning {
    /** Up to here collectives, and up to a quarter of it messages, go with flags instead of whole slices. */
    static final long SMALL = 65_536;

    private static final long SMALL_MESSAGE = 16_384;
    private static final int STEPS = 8;
    private static final long SIMPLE_BUFFER = 4 << 20;
    private static final long LL_BUFFER = 524_288;
    private static final long LL128_BUFFER = 4_915_200;
    private static final int WARP = 32;
    private static final int USUAL_THREADS = 512;
    private static final int USUAL_WARPS = 20;
    private static final long NODE_CHUNK = 512 << 10;
    private static final long NETWORK_CHUNK = 128 << 10;
    private static final long LL_CHUNK = 65_536;
    private static final long SWITCH_CHUNK = 128 << 10;
    private static final int MOST_HEADS = 8;

    private Planning() {}

    /** By size, in bytes of all ranks' data together. */
    static Protocol protocol(long bytes) {
        return bytes <= SMALL ? Protocol.LL : Protocol.SIMPLE;
    }

    /**
     * A collective.
     *
     * @param count elements of all channels together
     * @param typeBytes size of an element
     * @param ranks of the communicator
     * @param threads of a block, -1 if unknown
     */
    static CollectivePlan collective(
            Collective kind,
            Algorithm algorithm,
            Protocol protocol,
            long count,
            int typeBytes,
            int ranks,
            int channels,
            int threads,
            int root) {
        boolean ring = algorithm == Algorithm.RING;
        boolean steps =
                ring && protocol == Protocol.SIMPLE && kind != Collective.BROADCAST && kind != Collective.REDUCE;
        int chunkSteps = steps ? 4 : 1;
        int sliceSteps = steps ? 2 : 1;
        long stepBytes = buffer(protocol) / STEPS;
        boolean inSwitch = algorithm == Algorithm.NVLS || algorithm == Algorithm.NVLS_TREE;
        long chunkBytes = inSwitch
                ? switchChunk(count * typeBytes, (long) channels * Math.min(ranks, MOST_HEADS))
                : chunkBytes(protocol, stepBytes * chunkSteps);
        long chunk = Math.max(1, chunkBytes / typeBytes);
        long align = Math.max(1, alignBytes(protocol, threads) / typeBytes);
        long share = roundUp(ceil(count, channels), align);
        List<ChannelWork> work = new ArrayList<>();
        for (long offset = 0; offset < count; offset += share) {
            long part = Math.min(share, count - offset);
            boolean shrinks = ring && kind == Collective.ALL_REDUCE;
            long last = shrinks ? roundUp(ceil(part % (ranks * chunk), ranks), align) : chunk;
            work.add(new ChannelWork(part, chunk, last, true));
        }
        return new CollectivePlan(algorithm, protocol, root, typeBytes, chunkSteps, sliceSteps, stepBytes, work);
    }

    /** Smaller where there would be too few chunks for all heads of all channels to be busy. */
    private static long switchChunk(long bytes, long atOnce) {
        long chunk = SWITCH_CHUNK;
        chunk = chunk > SWITCH_CHUNK / 2 && bytes < 64 * atOnce * chunk ? SWITCH_CHUNK / 2 : chunk;
        chunk = chunk > SWITCH_CHUNK / 4 && bytes < 8 * atOnce * chunk ? SWITCH_CHUNK / 4 : chunk;
        return chunk > SWITCH_CHUNK / 8 && bytes < 2 * atOnce * chunk ? SWITCH_CHUNK / 8 : chunk;
    }

    /** One direction of a message. */
    static Part part(boolean sent, int peer, long bytes, boolean oneNode) {
        if (bytes <= SMALL_MESSAGE) {
            return new Part(sent, peer, Protocol.LL, bytes, LL_CHUNK);
        }
        long chunk = oneNode ? NODE_CHUNK : NETWORK_CHUNK;
        if (!oneNode) {
            chunk = bytes < chunk ? chunk / 4 : bytes < 8 * chunk ? chunk / 2 : chunk;
        }
        return new Part(sent, peer, Protocol.SIMPLE, bytes, chunk);
    }

    private static long buffer(Protocol protocol) {
        return switch (protocol) {
            case SIMPLE -> SIMPLE_BUFFER;
            case LL -> LL_BUFFER;
            case LL128 -> LL128_BUFFER;
        };
    }

    /** Flags take half of what LL moves, and a sixteenth of what LL128 moves. */
    private static long chunkBytes(Protocol protocol, long bytes) {
        return switch (protocol) {
            case SIMPLE -> bytes;
            case LL -> bytes / 2;
            case LL128 -> bytes / 16 * 15;
        };
    }

    private static long alignBytes(Protocol protocol, int threads) {
        return switch (protocol) {
            case SIMPLE -> 4096;
            case LL -> 8L * (threads > 0 ? threads : USUAL_THREADS);
            case LL128 -> 480L * (threads > 0 ? Math.max(1, threads / WARP) : USUAL_WARPS);
        };
    }

    private static long ceil(long value, long divisor) {
        return (value + divisor - 1) / divisor;
    }

    private static long roundUp(long value, long to) {
        return ceil(value, to) * to;
    }
}
