// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.goal.kineto.Planning.Launch;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.nccl.NvtxMark;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans of collectives; equal ones are one object. */
final class Plans {
    private static final long BYTES_PER_CHANNEL = 512 << 10;
    private static final int MOST_ASSUMED_CHANNELS = 8;
    private static final int BARRIER_BYTES = 4;

    private final KinetoRules rules;
    private final RecordingNotes notes;
    private final Map<Launch, Plan> known = new HashMap<>();

    Plans(KinetoRules rules, RecordingNotes notes) {
        this.rules = rules;
        this.notes = notes;
    }

    /**
     * The plan of a collective, null when its size is not on record, or when no GPU can hold as much.
     *
     * @param root of a broadcast or a reduction
     * @param launched how its kernels were launched
     */
    @Nullable
    Plan of(CollectiveCall call, NcclFunction kind, int ranks, int root, Launched launched) {
        int typeBytes = call.kind() == CollectiveKind.BARRIER ? BARRIER_BYTES : Sizes.element(call);
        long count = count(call, kind, ranks);
        if ((typeBytes < 0 || count < 0) && launched.movable >= 0) {
            typeBytes = 1;
            count = inTime(kind, ranks, launched.movable);
        }
        if (typeBytes < 0 || count < 0 || count > NvtxMark.MOST_BYTES / typeBytes) {
            return null;
        }
        if (kind == NcclFunction.ALL_GATHER || kind == NcclFunction.BROADCAST) {
            count *= typeBytes;
            typeBytes = 1;
        }
        boolean all = kind == NcclFunction.ALL_GATHER || kind == NcclFunction.REDUCE_SCATTER;
        long bytes = count * typeBytes * (all ? ranks : 1);
        NcclAlgorithm algorithm = algorithm(call, kind);
        boolean inSwitch = algorithm == NcclAlgorithm.NVLS_TREE;
        NcclProtocol protocol = inSwitch ? NcclProtocol.SIMPLE : protocol(bytes);
        int channels = channels(bytes, launched.channels);
        if (kind == NcclFunction.ALL_GATHER) {
            notes.assumed(
                    "in_place_assumed", call.name() + ": each rank's part is taken to lie where it belongs already");
        }
        Launch launch =
                new Launch(kind, algorithm, protocol, count, typeBytes, ranks, channels, launched.threads, root);
        return known.computeIfAbsent(launch, Planning::collective);
    }

    /**
     * How the kernels of a collective were launched.
     *
     * @param channels blocks of the largest, -1 if unknown
     * @param threads of a block, -1 if unknown
     * @param movable bytes that a rank could send while the shortest ran, where these are to stand for sizes that are not on
     *     record; else -1
     */
    record Launched(int channels, int threads, long movable) {}

    /** Bytes of a collective, in the terms of {@link #count}, of which a ring has every rank send so many. */
    private static long inTime(NcclFunction kind, int ranks, long sent) {
        return Math.max(
                1,
                switch (kind) {
                    case ALL_REDUCE -> sent * ranks / (2L * (ranks - 1));
                    case ALL_GATHER, REDUCE_SCATTER -> sent / (ranks - 1);
                    default -> sent;
                });
    }

    /** Elements of all channels together, in the library's own terms; -1 when not on record. */
    private static long count(CollectiveCall call, NcclFunction kind, int ranks) {
        long in = call.inElements();
        long out = call.outElements();
        if (call.kind() == CollectiveKind.BARRIER) {
            return 1;
        }
        return switch (kind) {
            case ALL_GATHER -> in >= 0 ? in : out < 0 ? -1 : out / ranks;
            case REDUCE_SCATTER -> out >= 0 ? out : in < 0 ? -1 : in / ranks;
            default -> in >= 0 ? in : out;
        };
    }

    private NcclAlgorithm algorithm(CollectiveCall call, NcclFunction kind) {
        if (kind != NcclFunction.ALL_REDUCE) {
            return NcclAlgorithm.RING;
        }
        if (rules.allReduce() != null) {
            return rules.allReduce();
        }
        String kernel = call.kernel();
        if (kernel.contains("NVLS")) {
            return NcclAlgorithm.NVLS_TREE;
        }
        if (kernel.contains("TREE")) {
            return NcclAlgorithm.TREE;
        }
        if (!kernel.contains("RING")) {
            notes.assumed(
                    "algorithm_assumed", kernel + ": its name says no algorithm that is modelled; a ring is taken");
        }
        return NcclAlgorithm.RING;
    }

    private NcclProtocol protocol(long bytes) {
        if (rules.protocol() != null) {
            return rules.protocol();
        }
        notes.assumed(
                "protocol_assumed",
                "protocols are chosen by size: LL up to " + Planning.SMALL + " bytes, Simple beyond");
        return Planning.protocol(bytes);
    }

    private int channels(long bytes, int launched) {
        if (rules.channels() > 0) {
            return rules.channels();
        }
        if (launched > 0) {
            return launched;
        }
        notes.assumed(
                "channels_assumed",
                "the number of channels is not on record; one for each 512 KiB is taken, eight at most");
        return Math.clamp(bytes / BYTES_PER_CHANNEL, 1, MOST_ASSUMED_CHANNELS);
    }
}
