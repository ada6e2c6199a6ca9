// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.Plan.PairwisePlan;
import dev.lockstep.goal.recording.Plan.Part;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the ranks agree. Whatever one rank does with others, they do as well: the n-th collective of a communicator is the
 * same on all of its ranks, and what is sent is received. What has no counterpart, as happens at the ends of a recording,
 * is left out; plans that only some ranks recorded count for all.
 */
final class Agreement {
    private static final long LL_LIMIT = 16384;
    private static final long LL_CHUNK = 65536;
    private static final long SIMPLE_CHUNK = 131072;
    private static final Plan NOTHING_TO_MOVE = new PairwisePlan(List.of());

    private record Pair(int communicator, int from, int to) {}

    /** Operations of a rank that have to meet those of others, by their places in the list of the GPU. */
    private record Side(int gpu, int rank, IntList places) {
        Side(int gpu, int rank) {
            this(gpu, rank, new IntList(16));
        }
    }

    private final List<Gpu> gpus;
    private final List<Communicator> communicators;
    private final RecordingNotes notes;
    private final List<@Nullable RecordedOperation[]> agreed = new ArrayList<>();
    private final IdentityHashMap<Plan, Plan> shapes = new IdentityHashMap<>();
    private final Map<Plan, Plan> distinct = new HashMap<>();
    private long met;
    private long trimmed;

    Agreement(List<Gpu> gpus, List<Communicator> communicators, RecordingNotes notes) {
        this.gpus = gpus;
        this.communicators = communicators;
        this.notes = notes;
        gpus.forEach(gpu -> agreed.add(new RecordedOperation[gpu.operations().size()]));
    }

    /** The GPUs with what they agree on. */
    List<Gpu> run() {
        Map<Integer, Map<Integer, Side>> collectives = new LinkedHashMap<>();
        Map<Pair, Side[]> messages = new LinkedHashMap<>();
        sort(collectives, messages);
        collectives.forEach((communicator, sides) -> collectives(communicators.get(communicator), sides));
        messages.forEach(this::messages);
        noteTrimmed();
        List<Gpu> all = new ArrayList<>();
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            List<RecordedOperation> kept = new ArrayList<>();
            for (RecordedOperation operation : agreed.get(gpu)) {
                if (operation != null) {
                    kept.add(operation);
                }
            }
            Gpu g = gpus.get(gpu);
            all.add(new Gpu(g.node(), g.device(), g.pid(), g.windowStart(), g.windowEnd(), kept));
        }
        return all;
    }

    private void noteTrimmed() {
        if (trimmed > 0) {
            long all = gpus.stream().mapToLong(gpu -> gpu.operations().size()).sum();
            notes.assumed(
                    "ends_trimmed",
                    trimmed + " of " + all + " operations have no counterpart on all ranks, as happens at the ends of"
                            + " recordings; they are left out");
        }
    }

    private void sort(Map<Integer, Map<Integer, Side>> collectives, Map<Pair, Side[]> messages) {
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            List<RecordedOperation> operations = gpus.get(gpu).operations();
            Map<Integer, Integer> ranks = new HashMap<>();
            for (int place = 0; place < operations.size(); place++) {
                RecordedOperation o = operations.get(place);
                int self = gpu;
                int rank = ranks.computeIfAbsent(
                        o.communicator(), c -> communicators.get(c).rankOf(self));
                if (o.message()) {
                    boolean sends = o.kind() == NcclFunction.SEND;
                    Pair pair = new Pair(o.communicator(), sends ? rank : o.peer(), sends ? o.peer() : rank);
                    Side[] sides = messages.computeIfAbsent(pair, p -> new Side[2]);
                    if (sides[sends ? 0 : 1] == null) {
                        sides[sends ? 0 : 1] = new Side(gpu, rank);
                    }
                    sides[sends ? 0 : 1].places.add(place);
                } else {
                    collectives
                            .computeIfAbsent(o.communicator(), c -> new LinkedHashMap<>())
                            .computeIfAbsent(rank, r -> new Side(self, rank))
                            .places
                            .add(place);
                }
            }
        }
    }

    private void collectives(Communicator communicator, Map<Integer, Side> sides) {
        if (!communicator.whole()) {
            notes.lost(
                    "communicator_partial",
                    "communicator " + communicator.id() + ": " + communicator.missing() + " of " + communicator.size()
                            + " ranks were not recorded; its collectives are left out");
            return;
        }
        if (communicator.shared()) {
            shared(communicator, "its collectives");
            return;
        }
        if (communicator.size() == 1) {
            sides.values().forEach(this::alone);
            return;
        }
        if (sides.size() < communicator.size()) {
            notes.assumed(
                    "operation_alone",
                    "communicator " + communicator.id() + ": only " + sides.size() + " of " + communicator.size()
                            + " ranks used it; its collectives are left out");
            return;
        }
        meet("communicator " + communicator.id(), List.copyOf(sides.values()), this::sameCollective, this::planned);
    }

    private void shared(Communicator communicator, String what) {
        notes.lost(
                "process_shared",
                "communicator " + communicator.id() + ": a process has several of its ranks, and nothing says which of"
                        + " them did what; " + what + " are left out");
    }

    /** With one rank there is nobody to exchange anything with; the time stays. */
    private void alone(Side side) {
        for (int i = 0; i < side.places.size(); i++) {
            int place = side.places.get(i);
            agreed.get(side.gpu)[place] =
                    gpus.get(side.gpu).operations().get(place).as(i, NOTHING_TO_MOVE);
        }
    }

    private void messages(Pair pair, Side[] sides) {
        Communicator communicator = communicators.get(pair.communicator);
        if (communicator.shared()) {
            shared(communicator, "its messages");
            return;
        }
        String what =
                "messages from rank " + pair.from + " to rank " + pair.to + " of communicator " + communicator.id();
        if (communicator.gpu(pair.from) == Communicator.NONE || communicator.gpu(pair.to) == Communicator.NONE) {
            notes.lost("communicator_partial", what + " are left out: one of the two was not recorded");
        } else if (sides[0] == null || sides[1] == null) {
            notes.assumed("operation_alone", what + " are left out: there is only one side of them");
        } else {
            meet(what, List.of(sides), (a, b) -> a.bytes() == b.bytes(), this::moved);
        }
    }

    private interface Same {
        boolean test(RecordedOperation a, RecordedOperation b);
    }

    private interface Meeting {
        void with(String what, List<Side> sides, int[] places, long sequence);
    }

    private boolean sameCollective(RecordedOperation a, RecordedOperation b) {
        return a.kind() == b.kind() && a.bytes() == b.bytes();
    }

    /** Lets operations meet by their number from the beginning; where that cannot be right, from the end. */
    private void meet(String what, List<Side> sides, Same same, Meeting meeting) {
        long[] shift = new long[sides.size()];
        long divergence = walk(sides, shift, same, null, Long.MAX_VALUE);
        if (divergence != Long.MAX_VALUE) {
            long[] fromEnd = new long[sides.size()];
            for (int i = 0; i < fromEnd.length; i++) {
                Side side = sides.get(i);
                fromEnd[i] = -sequence(side, side.places.size() - 1);
            }
            if (walk(sides, fromEnd, same, null, Long.MAX_VALUE) == Long.MAX_VALUE) {
                notes.assumed(
                        "counted_from_end",
                        what + ": the ranks agree when they are counted from the end; the beginning is cut off");
                shift = fromEnd;
                divergence = Long.MAX_VALUE;
            } else {
                notes.lost(
                        "ranks_diverge",
                        what + ": the ranks do different things from number " + divergence
                                + " on; everything from there is left out");
            }
        }
        long before = met;
        walk(sides, shift, same, (places, number) -> meeting.with(what, sides, places, number), divergence);
        if (divergence == Long.MAX_VALUE) {
            long all = sides.stream().mapToLong(side -> side.places.size()).sum();
            trimmed += all - (met - before);
        }
    }

    private long sequence(Side side, int i) {
        return gpus.get(side.gpu).operations().get(side.places.get(i)).sequence();
    }

    /**
     * Goes through the numbers that all sides have.
     *
     * @param meeting takes the places of operations that meet, and how many met before; null for nothing
     * @return the first number at which they differ, or the largest number
     */
    private long walk(List<Side> sides, long[] shift, Same same, @Nullable ObjLongConsumer<int[]> meeting, long until) {
        int[] at = new int[sides.size()];
        int[] places = new int[sides.size()];
        long first = 0;
        while (true) {
            long latest = Long.MIN_VALUE;
            boolean equal = true;
            for (int i = 0; i < at.length; i++) {
                if (at[i] >= sides.get(i).places.size()) {
                    return Long.MAX_VALUE;
                }
                long number = sequence(sides.get(i), at[i]) + shift[i];
                equal &= i == 0 || number == latest;
                latest = Math.max(latest, number);
            }
            if (!equal) {
                for (int i = 0; i < at.length; i++) {
                    while (at[i] < sides.get(i).places.size() && sequence(sides.get(i), at[i]) + shift[i] < latest) {
                        at[i]++;
                    }
                }
                continue;
            }
            if (latest >= until) {
                return until;
            }
            for (int i = 0; i < at.length; i++) {
                places[i] = sides.get(i).places.get(at[i]++);
                if (i > 0 && !same.test(operation(sides.get(0), places[0]), operation(sides.get(i), places[i]))) {
                    return latest;
                }
            }
            if (meeting != null) {
                met += places.length;
                meeting.accept(places, first++);
            }
        }
    }

    private RecordedOperation operation(Side side, int place) {
        return gpus.get(side.gpu).operations().get(place);
    }

    @SuppressWarnings("ReferenceEquality") // equal shapes are one object
    private void planned(String what, List<Side> sides, int[] places, long sequence) {
        Plan chosen = null;
        boolean alike = true;
        for (int i = 0; i < places.length; i++) {
            Plan plan = operation(sides.get(i), places[i]).plan();
            Plan shape = plan == null ? null : shape(plan);
            alike &= i == 0 || shape == chosen;
            chosen = chosen == null || (shape != null && size(shape) > size(chosen)) ? shape : chosen;
        }
        RecordedOperation first = operation(sides.getFirst(), places[0]);
        String collective = first.kind().word() + " number " + sequence;
        if (chosen == null) {
            notes.lost("plan_missing", what + ": no rank says how " + collective + " was carried out; it is left out");
            return;
        }
        if (chosen instanceof PairwisePlan && !exchanged(sides, places)) {
            notes.lost(
                    "plan_missing",
                    what + ": not all ranks say of " + collective
                            + " what they exchange, or they contradict each other; it is left out");
            return;
        }
        if (!alike && chosen instanceof CollectivePlan) {
            notes.assumed(
                    "plan_adopted", what + ": not all ranks have the same plan of number " + sequence + "; one counts");
        }
        for (int i = 0; i < places.length; i++) {
            RecordedOperation o = operation(sides.get(i), places[i]);
            boolean own = o.plan() != null && (chosen instanceof PairwisePlan || shape(o.plan()) == chosen);
            agreed.get(sides.get(i).gpu)[places[i]] = o.as(sequence, own ? o.plan() : chosen);
        }
    }

    /** Whether all ranks say what they send and receive, and each receives what others send to it. */
    private boolean exchanged(List<Side> sides, int[] places) {
        Map<Pair, List<Part>> sent = new HashMap<>();
        Map<Pair, List<Part>> received = new HashMap<>();
        for (int i = 0; i < places.length; i++) {
            RecordedOperation o = operation(sides.get(i), places[i]);
            if (!(o.plan() instanceof PairwisePlan plan)) {
                return false;
            }
            int self = sides.get(i).rank;
            for (Part p : plan.parts()) {
                if (p.peer() == self) {
                    continue;
                }
                Pair pair = new Pair(o.communicator(), p.sent() ? self : p.peer(), p.sent() ? p.peer() : self);
                (p.sent() ? sent : received)
                        .computeIfAbsent(pair, k -> new ArrayList<>())
                        .add(new Part(true, pair.to, p.protocol(), p.bytes(), p.chunkBytes()));
            }
        }
        return sent.equals(received);
    }

    private static int size(Plan plan) {
        return plan instanceof CollectivePlan c ? c.channels().size() : 0;
    }

    /** The plan without what may differ from rank to rank; equal ones are one object. */
    private Plan shape(Plan plan) {
        return shapes.computeIfAbsent(plan, p -> {
            Plan shape = p;
            if (p instanceof CollectivePlan c) {
                shape = new CollectivePlan(
                        c.algorithm(),
                        c.protocol(),
                        c.root(),
                        c.typeBytes(),
                        c.chunkSteps(),
                        c.sliceSteps(),
                        c.stepBytes(),
                        c.channels().stream()
                                .map(w -> new ChannelWork(w.work(), w.chunk(), w.lastChunk(), false))
                                .toList());
            }
            return distinct.computeIfAbsent(shape, s -> s);
        });
    }

    private void moved(String what, List<Side> sides, int[] places, long sequence) {
        RecordedOperation sent = operation(sides.get(0), places[0]);
        RecordedOperation received = operation(sides.get(1), places[1]);
        int from = sides.get(0).rank;
        int to = sides.get(1).rank;
        List<Part> parts = parts(sent.plan(), from, to);
        List<Part> others = parts(received.plan(), from, to);
        Plan sentPlan = sent.plan();
        Plan receivedPlan = received.plan();
        if (parts == null || !parts.equals(others)) {
            notes.assumed("plan_adopted", what + ": both sides have different parts of number " + sequence);
            if (parts == null) {
                parts = others != null ? others : List.of(part(to, sent.bytes()));
                sentPlan = distinct(new PairwisePlan(parts));
            }
            receivedPlan = distinct(new PairwisePlan(parts.stream()
                    .map(p -> new Part(false, from, p.protocol(), p.bytes(), p.chunkBytes()))
                    .toList()));
        }
        agreed.get(sides.get(0).gpu)[places[0]] = sent.as(sequence, sentPlan);
        agreed.get(sides.get(1).gpu)[places[1]] = received.as(sequence, receivedPlan);
    }

    /** The parts of one message as the sender has them; null when the plan is about something else. */
    private static @Nullable List<Part> parts(@Nullable Plan plan, int from, int to) {
        if (!(plan instanceof PairwisePlan pairwise)) {
            return null;
        }
        List<Part> parts = new ArrayList<>();
        for (Part p : pairwise.parts()) {
            if (p.peer() != (p.sent() ? to : from)) {
                return null;
            }
            parts.add(new Part(true, to, p.protocol(), p.bytes(), p.chunkBytes()));
        }
        return parts;
    }

    private static Part part(int to, long bytes) {
        boolean small = bytes <= LL_LIMIT;
        return new Part(
                true, to, small ? NcclProtocol.LL : NcclProtocol.SIMPLE, bytes, small ? LL_CHUNK : SIMPLE_CHUNK);
    }

    private Plan distinct(Plan plan) {
        return distinct.computeIfAbsent(plan, p -> p);
    }
}
