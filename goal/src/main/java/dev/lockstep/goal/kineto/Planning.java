// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.Part;
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
    static NcclProtocol protocol(long bytes) {
        return bytes <= SMALL ? NcclProtocol.LL : NcclProtocol.SIMPLE;
    }

    /**
     * A collective of which all is known but how it is cut.
     *
     * @param count elements of all channels together
     * @param typeBytes size of an element
     * @param ranks of the communicator
     * @param threads of a block, -1 if unknown
     */
    record Launch(
            NcclFunction kind,
            NcclAlgorithm algorithm,
            NcclProtocol protocol,
            long count,
            int typeBytes,
            int ranks,
            int channels,
            int threads,
            int root) {}

    /** Cuts a collective. */
    static CollectivePlan collective(Launch launch) {
        NcclFunction kind = launch.kind;
        NcclAlgorithm algorithm = launch.algorithm;
        NcclProtocol protocol = launch.protocol;
        int ranks = launch.ranks;
        boolean ring = algorithm == NcclAlgorithm.RING;
        boolean steps = ring
                && protocol == NcclProtocol.SIMPLE
                && kind != NcclFunction.BROADCAST
                && kind != NcclFunction.REDUCE;
        int chunkSteps = steps ? 4 : 1;
        int sliceSteps = steps ? 2 : 1;
        long stepBytes = buffer(protocol) / STEPS;
        boolean inSwitch = algorithm == NcclAlgorithm.NVLS || algorithm == NcclAlgorithm.NVLS_TREE;
        long chunkBytes = inSwitch
                ? switchChunk(launch.count * launch.typeBytes, (long) launch.channels * Math.min(ranks, MOST_HEADS))
                : chunkBytes(protocol, stepBytes * chunkSteps);
        long chunk = Math.max(1, chunkBytes / launch.typeBytes);
        long align = Math.max(1, alignBytes(protocol, launch.threads) / launch.typeBytes);
        long share = roundUp(ceil(launch.count, launch.channels), align);
        List<ChannelWork> work = new ArrayList<>();
        for (long offset = 0; offset < launch.count; offset += share) {
            long part = Math.min(share, launch.count - offset);
            boolean shrinks = ring && kind == NcclFunction.ALL_REDUCE;
            long last = shrinks ? roundUp(ceil(part % (ranks * chunk), ranks), align) : chunk;
            work.add(new ChannelWork(part, chunk, last, true));
        }
        return new CollectivePlan(
                algorithm, protocol, launch.root, launch.typeBytes, chunkSteps, sliceSteps, stepBytes, work);
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
            return new Part(sent, peer, NcclProtocol.LL, bytes, LL_CHUNK);
        }
        long chunk = oneNode ? NODE_CHUNK : NETWORK_CHUNK;
        if (!oneNode) {
            chunk = bytes < chunk ? chunk / 4 : bytes < 8 * chunk ? chunk / 2 : chunk;
        }
        return new Part(sent, peer, NcclProtocol.SIMPLE, bytes, chunk);
    }

    private static long buffer(NcclProtocol protocol) {
        return switch (protocol) {
            case SIMPLE -> SIMPLE_BUFFER;
            case LL -> LL_BUFFER;
            case LL128 -> LL128_BUFFER;
        };
    }

    /** Flags take half of what LL moves, and a sixteenth of what LL128 moves. */
    private static long chunkBytes(NcclProtocol protocol, long bytes) {
        return switch (protocol) {
            case SIMPLE -> bytes;
            case LL -> bytes / 2;
            case LL128 -> bytes / 16 * 15;
        };
    }

    private static long alignBytes(NcclProtocol protocol, int threads) {
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
