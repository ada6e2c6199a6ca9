// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.kineto;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.goal.kineto.Plans.Launched;
import dev.lockstep.goal.nccl.NvtxMark;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what ranks of PyTorch traces did: collectives are matched across ranks by sequence number or by their order
 * in the group, and planned as the library would. What is not the same on all ranks is left out, and its time stays as a
 * gap.
 */
public final class KinetoRecording {
    private record Pair(int communicator, int from, int to) {}

    private static final long NETWORK_BYTES_PER_NS = 25;
    private static final long NODE_BYTES_PER_NS = 150;

    private final List<KinetoRank> ranks;
    private final boolean guesses;
    private final RecordingNotes notes = new RecordingNotes();
    private final CollectiveMatch match;
    private final KinetoCommunicators groups;
    private final String[] nodes;
    private final Exchanges exchanges;
    private final Plans plans;
    private final Roots roots;
    private final SharedClock clock;
    private final List<List<RecordedOperation>> operations = new ArrayList<>();
    private final Map<Integer, Long> collectives = new HashMap<>();
    private final Map<Pair, Long> messages = new HashMap<>();

    private KinetoRecording(List<KinetoRank> ranks, KinetoRules rules) {
        this.ranks = ranks;
        guesses = rules.sizesFromTimes();
        match = CollectiveMatch.of(ranks.stream().map(KinetoRank::collectives).toList());
        nodes = RankNodes.of(ranks, rules.gpusPerNode(), notes);
        groups = new KinetoCommunicators(match, nodes, rules, notes);
        plans = new Plans(rules, notes);
        roots = new Roots(match, notes);
        clock = SharedClock.of(ranks, match, rules, notes);
        exchanges = new Exchanges(match, roots, notes);
        ranks.forEach(rank -> operations.add(new ArrayList<>()));
    }

    /** The recording of these ranks, each of which is a GPU; in order of rank. */
    public static RecordedRun of(List<KinetoRank> ranks, KinetoRules rules) {
        List<KinetoRank> inOrder = ranks.stream()
                .sorted(Comparator.comparingInt(rank -> rank.collectives().rank()))
                .toList();
        return new KinetoRecording(inOrder, rules).build();
    }

    private RecordedRun build() {
        if (match.groups().stream().anyMatch(group -> group.basis() == Basis.KIND_AND_ORDER)) {
            notes.assumed(
                    "matched_by_order",
                    "collectives carry no process group; those of a kind are matched by their order on each rank, and"
                            + " all ranks are taken for one group");
        }
        for (int i = 0; i < match.size(); i++) {
            instance(i);
        }
        List<Gpu> gpus = new ArrayList<>();
        for (int place = 0; place < ranks.size(); place++) {
            gpus.add(gpu(place));
        }
        return new RecordedRun(gpus, groups.all(), clock.holds(), notes);
    }

    private Gpu gpu(int place) {
        KinetoRank rank = ranks.get(place);
        List<RecordedOperation> own = operations.get(place);
        own.sort(Comparator.comparingLong(RecordedOperation::start)
                .thenComparingLong(RecordedOperation::end)
                .thenComparing(RecordedOperation::stream)
                .thenComparingInt(RecordedOperation::communicator)
                .thenComparingLong(RecordedOperation::sequence));
        int device = 0;
        for (int before = 0; before < place; before++) {
            device += nodes[before].equals(nodes[place]) ? 1 : 0;
        }
        return new Gpu(
                nodes[place],
                device,
                rank.collectives().rank(),
                clock.common(place, rank.windowStart()),
                clock.common(place, rank.windowEnd()),
                own);
    }

    private void instance(int i) {
        CollectiveCall call = match.call(i);
        int place = groups.of(match.group(i));
        Communicator communicator = groups.all().get(place);
        if (call.kind().pointToPoint()) {
            message(i, place, communicator);
            return;
        }
        NcclFunction kind = kindOf(call.kind());
        if (kind == null && guesses && call.kind() == CollectiveKind.SEND_RECEIVE) {
            kind = NcclFunction.ALL_TO_ALL;
            notes.assumed(
                    "pairs_assumed",
                    call.kernel()
                            + ": between whom is not on record; all ranks are taken to send as much to all others");
        }
        if (kind == null) {
            notes.lost("kind_unknown", call.name() + " is left out: it is not known what it moves");
        } else if (match.members(i) < communicator.size()) {
            notes.lost(
                    "members_missing",
                    call.name() + " number " + match.number(i) + " of group " + communicator.id() + " is left out: "
                            + match.members(i) + " of " + communicator.size() + " ranks have it, or agree on it");
        } else if (hasStranger(i, communicator)) {
            notes.lost(
                    "no_member",
                    call.name() + " of group " + communicator.id()
                            + " is left out: a rank that has it is no member of its group");
        } else if (communicator.size() > 1) {
            collective(i, kind, place, communicator);
        } else if (guesses) {
            notes.lost("members_missing", call.kernel() + " is left out: its other ranks were not recorded");
        }
    }

    private boolean hasStranger(int i, Communicator communicator) {
        for (int m = 0; m < match.members(i); m++) {
            if (communicator.rankOf(match.rank(i, m)) == Communicator.NONE) {
                return true;
            }
        }
        return false;
    }

    private void collective(int i, NcclFunction kind, int place, Communicator communicator) {
        boolean oneNode = groups.oneNode(place);
        Launched launched = launched(i, oneNode);
        List<Plan> byMember;
        if (kind.pairwise()) {
            byMember = exchanges.of(i, kind, communicator, oneNode, launched.movable());
        } else {
            boolean rooted = kind == NcclFunction.BROADCAST || kind == NcclFunction.REDUCE;
            int root = rooted ? roots.of(i, communicator) : 0;
            Plan plan = plans.of(match.call(i), kind, communicator.size(), root, launched);
            byMember = plan == null ? List.of() : java.util.Collections.nCopies(match.members(i), plan);
        }
        if (byMember.isEmpty()) {
            CollectiveCall call = match.call(i);
            notes.lost(
                    "size_missing",
                    call.name() + " is left out: its size or element type is not on record, or no GPU holds as much");
            return;
        }
        long sequence = collectives.merge(place, 1L, Long::sum) - 1;
        for (int m = 0; m < match.members(i); m++) {
            add(i, m, new Numbered(kind, place, sequence), Communicator.NONE, byMember.get(m));
        }
    }

    /** How a collective was launched: the largest of all ranks, and what the shortest has time for. */
    private Launched launched(int i, boolean oneNode) {
        int channels = -1;
        int threads = -1;
        long shortest = Long.MAX_VALUE;
        for (int m = 0; m < match.members(i); m++) {
            KinetoRank rank = ranks.get(match.rank(i, m));
            int row = match.row(i, m);
            channels = Math.max(channels, rank.blocks()[row] > NvtxMark.MOST_CHANNELS ? -1 : rank.blocks()[row]);
            threads = Math.max(threads, rank.threads()[row]);
            shortest = Math.min(
                    shortest, rank.collectives().end(row) - rank.collectives().ts(row));
        }
        if (!guesses) {
            return new Launched(channels, threads, -1);
        }
        long bytesPerNs = oneNode ? NODE_BYTES_PER_NS : NETWORK_BYTES_PER_NS;
        CollectiveCall call = match.call(i);
        if (Sizes.bytes(call, Math.max(call.inElements(), call.outElements())) < 0) {
            notes.assumed(
                    "size_assumed",
                    call.kernel()
                            + ": its size is not on record; it is taken to move what its shortest kernel has time for,"
                            + " " + bytesPerNs + " GB/s");
        }
        long time = Math.clamp(shortest, 0, NvtxMark.MOST_BYTES / bytesPerNs);
        return new Launched(channels, threads, time * bytesPerNs);
    }

    private void message(int i, int place, Communicator communicator) {
        int sender = -1;
        int receiver = -1;
        for (int m = 0; m < match.members(i); m++) {
            CollectiveKind kind = ranks.get(match.rank(i, m))
                    .collectives()
                    .call(match.row(i, m))
                    .kind();
            sender = kind == CollectiveKind.SEND ? m : sender;
            receiver = kind == CollectiveKind.RECEIVE ? m : receiver;
        }
        if (sender < 0 || receiver < 0) {
            notes.lost(
                    "message_alone",
                    match.call(i).name() + " number " + match.number(i) + " of group " + communicator.id()
                            + " is left out: its other side is not on record");
            return;
        }
        long bytes = Sizes.bytes(call(i, sender), call(i, sender).inElements());
        if (bytes < 0) {
            bytes = Sizes.bytes(call(i, receiver), call(i, receiver).outElements());
        }
        if (bytes < 0) {
            notes.lost(
                    "size_missing",
                    match.call(i).name()
                            + " is left out: its size or element type is not on record, or no GPU holds as much");
            return;
        }
        int from = communicator.rankOf(match.rank(i, sender));
        int to = communicator.rankOf(match.rank(i, receiver));
        if (from < 0 || to < 0 || from == to) {
            notes.lost("message_alone", match.call(i).name() + " is left out: one side is no member of its group");
            return;
        }
        long sequence = messages.merge(new Pair(place, from, to), 1L, Long::sum) - 1;
        boolean oneNode = groups.oneNode(place);
        add(i, sender, new Numbered(NcclFunction.SEND, place, sequence), to, exchanges.one(true, to, bytes, oneNode));
        add(
                i,
                receiver,
                new Numbered(NcclFunction.RECV, place, sequence),
                from,
                exchanges.one(false, from, bytes, oneNode));
    }

    private CollectiveCall call(int i, int member) {
        return ranks.get(match.rank(i, member)).collectives().call(match.row(i, member));
    }

    /**
     * An operation of a communicator.
     *
     * @param place of the communicator among all
     * @param sequence its number there, among those of its kind
     */
    private record Numbered(NcclFunction kind, int place, long sequence) {}

    private void add(int i, int member, Numbered what, int peer, Plan plan) {
        int rank = match.rank(i, member);
        RankCollectives kernels = ranks.get(rank).collectives();
        int row = match.row(i, member);
        CollectiveCall call = kernels.call(row);
        operations
                .get(rank)
                .add(new RecordedOperation(
                        what.kind,
                        what.place,
                        what.sequence,
                        kernels.stream(row) < 0 ? "?" : Long.toString(kernels.stream(row)),
                        -1,
                        clock.common(rank, kernels.ts(row)),
                        clock.common(rank, kernels.end(row)),
                        peer,
                        Math.max(0, Sizes.bytes(call, Math.max(call.inElements(), call.outElements()))),
                        plan));
    }

    private static @Nullable NcclFunction kindOf(CollectiveKind kind) {
        return switch (kind) {
            case ALL_REDUCE, BARRIER -> NcclFunction.ALL_REDUCE;
            case REDUCE_SCATTER -> NcclFunction.REDUCE_SCATTER;
            case ALL_GATHER -> NcclFunction.ALL_GATHER;
            case ALL_TO_ALL, ALL_TO_ALL_V -> NcclFunction.ALL_TO_ALL;
            case BROADCAST -> NcclFunction.BROADCAST;
            case REDUCE -> NcclFunction.REDUCE;
            case GATHER -> NcclFunction.GATHER;
            case SCATTER -> NcclFunction.SCATTER;
            case SEND -> NcclFunction.SEND;
            case RECEIVE -> NcclFunction.RECV;
            case SEND_RECEIVE, OTHER -> null;
        };
    }
}
