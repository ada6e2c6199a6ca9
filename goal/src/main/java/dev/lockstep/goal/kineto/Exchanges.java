// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankNumbers;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collectives that are messages between pairs; equal plans are one object. */
final class Exchanges {
    private final CollectiveMatch match;
    private final Roots roots;
    private final RecordingNotes notes;
    private final Map<Plan, Plan> known = new HashMap<>();

    Exchanges(CollectiveMatch match, Roots roots, RecordingNotes notes) {
        this.match = match;
        this.roots = roots;
        this.notes = notes;
    }

    /** One side of a single message. */
    Plan one(boolean sent, int peer, long bytes, boolean oneNode) {
        return same(new PairwisePlan(List.of(Planning.part(sent, peer, bytes, oneNode))));
    }

    /**
     * The plans of all members in the order of the match; empty when sizes are not on record.
     *
     * @param movable what a member is taken to send where that is not on record; -1 for nothing
     */
    List<Plan> of(int instance, NcclFunction kind, Communicator communicator, boolean oneNode, long movable) {
        int n = communicator.size();
        int[] rankOfMember = new int[n];
        long[][] bytes = new long[n][];
        int root = kind == NcclFunction.ALL_TO_ALL ? 0 : roots.of(instance, communicator);
        for (int m = 0; m < n; m++) {
            rankOfMember[m] = communicator.rankOf(match.rank(instance, m));
            CollectiveCall call = call(instance, m);
            long[] sent = sent(call, kind, rankOfMember[m], root, n);
            if (sent == null && movable >= 0) {
                sent = guessed(kind, rankOfMember[m], root, n, movable);
            }
            if (sent == null) {
                return List.of();
            }
            bytes[rankOfMember[m]] = sent;
        }
        List<Plan> plans = new ArrayList<>();
        for (int m = 0; m < n; m++) {
            plans.add(plan(rankOfMember[m], bytes, oneNode));
        }
        return plans;
    }

    /** Beginning with the neighbour behind and before, so that not all send to the same rank at first. */
    private Plan plan(int rank, long[][] bytes, boolean oneNode) {
        List<Plan.Part> parts = new ArrayList<>();
        int n = bytes.length;
        for (int distance = 1; distance < n; distance++) {
            int to = (rank + distance) % n;
            int from = (rank + n - distance) % n;
            if (bytes[from][rank] > 0) {
                parts.add(Planning.part(false, from, bytes[from][rank], oneNode));
            }
            if (bytes[rank][to] > 0) {
                parts.add(Planning.part(true, to, bytes[rank][to], oneNode));
            }
        }
        return same(new PairwisePlan(parts));
    }

    private CollectiveCall call(int instance, int member) {
        return match.ranks().get(match.rank(instance, member)).call(match.row(instance, member));
    }

    /** Bytes that a member sends to each rank of its communicator, null when not on record. */
    private long @Nullable [] sent(CollectiveCall call, NcclFunction kind, int rank, int root, int n) {
        long[] bytes = new long[n];
        long all = Sizes.bytes(call, call.inElements());
        switch (kind) {
            case ALL_TO_ALL -> {
                return toAll(call, all, n);
            }
            case GATHER -> bytes[root] = rank == root ? 0 : all;
            default -> {
                long part = Sizes.bytes(call, call.outElements());
                Arrays.fill(bytes, rank != root ? 0 : part >= 0 ? part : all < 0 ? -1 : all / n);
            }
        }
        return Arrays.stream(bytes).anyMatch(b -> b < 0) ? null : bytes;
    }

    /** The same to all, where nothing is on record. */
    private static long[] guessed(NcclFunction kind, int rank, int root, int n, long movable) {
        long[] bytes = new long[n];
        long part = Math.max(1, movable / Math.max(1, n - 1));
        switch (kind) {
            case ALL_TO_ALL -> Arrays.fill(bytes, part);
            case GATHER -> bytes[root] = rank == root ? 0 : part;
            default -> Arrays.fill(bytes, rank == root ? part : 0);
        }
        return bytes;
    }

    private long @Nullable [] toAll(CollectiveCall call, long all, int n) {
        long[] split = RankNumbers.of(call.inSplit());
        long[] bytes = new long[n];
        if (split.length == n) {
            for (int i = 0; i < n; i++) {
                bytes[i] = Sizes.bytes(call, split[i]);
            }
            return Arrays.stream(bytes).anyMatch(b -> b < 0) ? null : bytes;
        }
        if (split.length > 0) {
            notes.assumed(
                    "split_assumed",
                    call.name() + ": the list of sizes is cut short; each rank is taken to get the same");
        }
        if (all < 0) {
            return null;
        }
        boolean withoutOwn = call.kind() == CollectiveKind.SEND_RECEIVE;
        Arrays.fill(bytes, all / Math.max(1, withoutOwn ? n - 1 : n));
        return bytes;
    }

    private Plan same(Plan plan) {
        return known.computeIfAbsent(plan, p -> p);
    }
}
