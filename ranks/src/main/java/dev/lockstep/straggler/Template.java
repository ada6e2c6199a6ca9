// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.straggler.OperationType.Meeting;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What waits for what within a step. The operations of data-parallel rank 0 in the first step are the vertices, and stand for
 * those of the same name in every step and rank: a name is a type, a place among the operations of that type, and a stage.
 * Operations that transfer together are one group: each starts when those before it have ended, and ends when the last of
 * the group has started and the transfer is done. Immutable.
 */
final class Template {
    /** What tells the operations of a step and a data-parallel rank apart. */
    record Name(OperationType type, int sequence, int stage) {
        @Override
        public String toString() {
            return type.spelling() + " " + sequence + " of stage " + stage;
        }
    }

    final List<Name> names;
    final int stages;
    /** Model chunks of a stage. */
    final int chunks;
    /** Those before vertex v lie from {@code firstBefore[v]} to {@code firstBefore[v + 1]}, exclusive. */
    final int[] firstBefore;

    final int[] before;
    /** Groups in an order in which they can be computed; members lie from {@code firstMember[g]} on. */
    final int[] firstMember;

    final int[] member;
    /** By group: whether all data-parallel ranks transfer together. */
    final boolean[] acrossRanks;
    /** Operations in the order in which a stage does them, by chain: those that every rank has to do in the same order. */
    final List<int[]> chains;

    private final Map<Name, Integer> byName;
    private final boolean dataParallel;
    /** By vertex: the model chunk within its stage, -1 where it has none. */
    private final int[] chunkOf;

    Template(Builder from) throws TraceFormatException {
        names = List.copyOf(from.names);
        byName = from.byName;
        stages = from.stages;
        chunks = from.chunks;
        dataParallel = from.dataParallel;
        chains = List.copyOf(from.chains);
        chunkOf = new int[names.size()];
        for (int v = 0; v < chunkOf.length; v++) {
            chunkOf[v] = from.table.chunk[from.rows.get(v)];
        }
        int edges = from.sources.size();
        firstBefore = new int[names.size() + 1];
        for (int e = 0; e < edges; e++) {
            firstBefore[from.targets.get(e) + 1]++;
        }
        for (int v = 0; v < names.size(); v++) {
            firstBefore[v + 1] += firstBefore[v];
        }
        before = new int[edges];
        int[] next = firstBefore.clone();
        for (int e = 0; e < edges; e++) {
            before[next[from.targets.get(e)]++] = from.sources.get(e);
        }
        int[] groupOf = new int[names.size()];
        for (int g = 0; g < from.groups.size(); g++) {
            for (int v : from.groups.get(g)) {
                groupOf[v] = g;
            }
        }
        int[] order = order(groupOf, from);
        firstMember = new int[order.length + 1];
        member = new int[names.size()];
        acrossRanks = new boolean[order.length];
        for (int g = 0; g < order.length; g++) {
            int[] members = from.groups.get(order[g]);
            System.arraycopy(members, 0, member, firstMember[g], members.length);
            firstMember[g + 1] = firstMember[g] + members.length;
            Meeting meeting = names.get(members[0]).type.meeting;
            acrossRanks[g] = meeting == Meeting.DATA_PARALLEL || meeting == Meeting.ALL;
        }
    }

    int size() {
        return names.size();
    }

    /** The vertex of that name, or -1. */
    int vertex(Name name) {
        return byName.getOrDefault(name, -1);
    }

    /** Whether operations of a type are part of the graph: ranks that nobody shares data with have nothing to wait for. */
    boolean has(OperationType type) {
        return dataParallel || type.meeting != Meeting.DATA_PARALLEL;
    }

    boolean isComputation(int vertex) {
        return names.get(vertex).type.isComputation();
    }

    /** The passes of one kind through a chunk, in the order of the micro-batches. */
    int[] passes(OperationType type, int stage, int chunk) {
        return IntStream.range(0, names.size())
                .filter(v -> names.get(v).type == type && names.get(v).stage == stage && chunkOf[v] == chunk)
                .toArray();
    }

    /** Groups, each behind all that its members wait for. */
    private int[] order(int[] groupOf, Builder from) throws TraceFormatException {
        int groups = from.groups.size();
        int[] open = new int[groups];
        List<IntList> after = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            after.add(new IntList(4));
        }
        for (int e = 0; e < from.sources.size(); e++) {
            after.get(groupOf[from.sources.get(e)]).add(groupOf[from.targets.get(e)]);
            open[groupOf[from.targets.get(e)]]++;
        }
        int[] order = new int[groups];
        int placed = 0;
        for (int g = 0; g < groups; g++) {
            if (open[g] == 0) {
                order[placed++] = g;
            }
        }
        for (int done = 0; done < placed; done++) {
            IntList targets = after.get(order[done]);
            for (int i = 0; i < targets.size(); i++) {
                if (--open[targets.get(i)] == 0) {
                    order[placed++] = targets.get(i);
                }
            }
        }
        if (placed < groups) {
            int stuck = 0;
            while (open[stuck] == 0) {
                stuck++;
            }
            throw from.refusal(names.get(from.groups.get(stuck)[0]) + " would have to wait for itself");
        }
        return order;
    }

    /** The edges of one stage after another, then the groups. Confined to one thread. */
    static final class Builder {
        private static final double LIVE_MARGIN_SECONDS = 5e-5;

        private final OperationTable table;
        private final int stages;
        private final boolean dataParallel;
        private final boolean separate;
        private final double margin;
        private final int chunks;
        private final List<Name> names = new ArrayList<>();
        private final Map<Name, Integer> byName = new HashMap<>();
        /** The row of each vertex. */
        private final IntList rows = new IntList(64);

        private final IntList sources = new IntList(64);
        private final IntList targets = new IntList(64);
        /** A row of the step. */
        private final int replayed;

        private final List<int[]> groups = new ArrayList<>();
        private final List<int[]> chains = new ArrayList<>();
        /** The transfers that wait for somebody, by type and stage. */
        private final Map<Name, int[]> meeting = new LinkedHashMap<>();

        /**
         * @param first rows of the step
         * @param second units of time in a second
         * @param dataParallel whether there is more than one data-parallel rank
         */
        Builder(OperationTable table, int[] first, double second, boolean dataParallel) {
            this.table = table;
            this.margin = LIVE_MARGIN_SECONDS * second;
            this.dataParallel = dataParallel;
            int mostStage = 0;
            boolean found = false;
            for (int row = 0; row < table.rows; row++) {
                mostStage = Math.max(mostStage, table.stage[row]);
                found |= table.type[row] == OperationType.SEPARATE_GRADS_ALL_REDUCE;
            }
            stages = mostStage + 1;
            separate = found;
            int mostChunk = 0;
            replayed = first[0];
            for (int row : first) {
                if (table.dpRank[row] == 0) {
                    mostChunk = Math.max(mostChunk, table.chunk[row]);
                }
            }
            chunks = mostChunk + 1;
        }

        Template build(int[] first) throws TraceFormatException {
            for (int row : sorted(first)) {
                boolean known = dataParallel || table.type[row].meeting != Meeting.DATA_PARALLEL;
                if (table.dpRank[row] == 0 && known) {
                    Name name = new Name(table.type[row], table.sequence[row], table.stage[row]);
                    if (byName.putIfAbsent(name, names.size()) != null) {
                        throw refusal(table.named(row) + ", stands in two rows");
                    }
                    names.add(name);
                    rows.add(row);
                }
            }
            for (int stage = 0; stage < stages; stage++) {
                stage(stage);
            }
            if (names.stream().noneMatch(name -> name.type == OperationType.OPTIMIZER)) {
                throw refusal("no optimizer ends the step");
            }
            group();
            return new Template(this);
        }

        TraceFormatException refusal(String problem) {
            return new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT,
                    table.source,
                    -1,
                    "step " + table.step[replayed] + ", which says what waits for what, cannot be replayed: " + problem,
                    "Where a part may be missing, another step is taken.");
        }

        /** By start, then place among its type, then the order of the types. */
        private int[] sorted(int[] unsorted) {
            return Arrays.stream(unsorted)
                    .boxed()
                    .sorted((a, b) -> {
                        int order = Double.compare(table.start[a], table.start[b]);
                        order = order != 0 ? order : Integer.compare(table.sequence[a], table.sequence[b]);
                        return order != 0 ? order : Integer.compare(table.typeOrder[a], table.typeOrder[b]);
                    })
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        private void stage(int stage) throws TraceFormatException {
            int[] computations = of(stage, OperationType.FORWARD_COMPUTE, OperationType.BACKWARD_COMPUTE);
            if (computations.length == 0) {
                throw refusal("stage " + stage + " computes nothing");
            }
            chain(computations);
            for (OperationType type : OperationType.values()) {
                if (type.meeting == Meeting.PEER) {
                    chain(of(stage, type));
                }
            }
            firstBackward(stage, computations);
            if (dataParallel) {
                chain(of(stage, OperationType.PARAMS_ALL_GATHER, OperationType.GRADS_REDUCE_SCATTER));
                parameters(stage);
            }
            ending(stage, computations);
            for (OperationType type : OperationType.values()) {
                if (type.meeting == Meeting.PEER) {
                    transfers(stage, type);
                }
            }
        }

        /** The vertices of some types on a stage, in their order. */
        private int[] of(int stage, OperationType... types) {
            List<OperationType> wanted = Arrays.asList(types);
            IntList found = new IntList(16);
            for (int v = 0; v < names.size(); v++) {
                if (names.get(v).stage == stage && wanted.contains(names.get(v).type)) {
                    found.add(v);
                }
            }
            return found.toArray();
        }

        private void chain(int[] vertices) {
            chains.add(vertices);
            for (int i = 1; i < vertices.length; i++) {
                edge(vertices[i - 1], vertices[i]);
            }
        }

        private void edge(int source, int target) {
            sources.add(source);
            targets.add(target);
        }

        private int vertex(OperationType type, int sequence, int stage) {
            return byName.getOrDefault(new Name(type, sequence, stage), -1);
        }

        /** The first transfers of gradients wait for the last but one forward pass before them. */
        private void firstBackward(int stage, int[] computations) {
            int first = 0;
            while (first < computations.length
                    && names.get(computations[first]).type.isForward()) {
                first++;
            }
            if (first < 2 || first == computations.length) {
                return;
            }
            for (OperationType type : List.of(OperationType.BACKWARD_RECV, OperationType.BACKWARD_SEND)) {
                int transfer = vertex(type, 0, stage);
                if (transfer >= 0) {
                    edge(computations[first - 2], transfer);
                }
            }
        }

        /** The parameters of a chunk are gathered before it is first computed. */
        private void parameters(int stage) {
            int[] gathers = bySequence(of(stage, OperationType.PARAMS_ALL_GATHER));
            boolean[] seen = new boolean[chunks];
            for (int i = gathers.length - 1; i >= 0; i--) {
                int chunk = table.chunk[rows.get(gathers[i])];
                int first = chunk < 0 || seen[chunk] ? -1 : earliest(stage, chunk);
                if (first >= 0) {
                    seen[chunk] = true;
                    edge(gathers[i], first);
                }
            }
        }

        private int earliest(int stage, int chunk) {
            for (int v : of(stage, OperationType.FORWARD_COMPUTE)) {
                if (table.chunk[rows.get(v)] == chunk) {
                    return v;
                }
            }
            return -1;
        }

        private int latestBackward(int stage, int chunk) {
            int latest = -1;
            for (int v : of(stage, OperationType.BACKWARD_COMPUTE)) {
                if (table.chunk[rows.get(v)] == chunk
                        && (latest < 0 || table.end[rows.get(v)] > table.end[rows.get(latest)])) {
                    latest = v;
                }
            }
            return latest;
        }

        private int[] bySequence(int[] vertices) {
            return Arrays.stream(vertices)
                    .boxed()
                    .sorted((a, b) -> Integer.compare(names.get(a).sequence, names.get(b).sequence))
                    .mapToInt(Integer::intValue)
                    .toArray();
        }

        /** What follows the last computation. */
        private void ending(int stage, int[] computations) {
            int last = computations[0];
            for (int v : computations) {
                if (table.end[rows.get(v)] > table.end[rows.get(last)]) {
                    last = v;
                }
            }
            int collection = vertex(OperationType.GC, 0, stage);
            int norm = vertex(OperationType.LAYERNORM_GRADS_ALL_REDUCE, 0, stage);
            int embedding =
                    stage == 0 || stage == stages - 1 ? vertex(OperationType.EMBEDDING_GRADS_ALL_REDUCE, 0, stage) : -1;
            int clip = vertex(OperationType.OPTIMIZER_CLIP_MAIN_GRAD, 0, stage);
            int optimizer = vertex(OperationType.OPTIMIZER, 0, stage);
            int[] scatters = dataParallel ? bySequence(of(stage, OperationType.GRADS_REDUCE_SCATTER)) : new int[0];
            IntList tail = new IntList(8);
            if (dataParallel && separate) {
                int rest = vertex(OperationType.SEPARATE_GRADS_ALL_REDUCE, 0, stage);
                add(tail, norm, embedding, rest, clip, optimizer);
                if (scatters.length > 0 && tail.size() > 0) {
                    edge(scatters[scatters.length - 1], tail.get(0));
                }
                overlapped(stage, scatters);
            } else {
                add(tail, norm, embedding);
                add(tail, scatters);
                add(tail, clip, optimizer);
            }
            for (int i = 1; i < tail.size(); i++) {
                edge(tail.get(i - 1), tail.get(i));
            }
            if (collection >= 0) {
                edge(last, collection);
            }
            if (tail.size() > 0) {
                edge(collection >= 0 ? collection : last, tail.get(0));
            }
        }

        private static void add(IntList chain, int... vertices) {
            for (int v : vertices) {
                if (v >= 0) {
                    chain.add(v);
                }
            }
        }

        /** Gradients of a chunk are summed as soon as its last backward pass is done. */
        private void overlapped(int stage, int[] scatters) {
            boolean[] seen = new boolean[chunks];
            for (int v : scatters) {
                int chunk = table.chunk[rows.get(v)];
                if (chunk >= 0 && !seen[chunk]) {
                    seen[chunk] = true;
                    int last = latestBackward(stage, chunk);
                    if (last >= 0) {
                        edge(last, v);
                    }
                }
            }
        }

        /** Ties the transfers of a type to the computations that they serve, and notes which of them wait for a peer. */
        private void transfers(int stage, OperationType type) throws TraceFormatException {
            OperationType served = type.isForward() ? OperationType.FORWARD_COMPUTE : OperationType.BACKWARD_COMPUTE;
            int[] computations = of(stage, served);
            int[] live = live(of(stage, type), computations, type.isReceive());
            int n = live.length;
            int m = computations.length;
            boolean end = stage == 0 || stage == stages - 1;
            if (n != m && !(end && (n == 0 || n == m - 1))) {
                throw refusal("stage " + stage + " has " + n + " of " + type.spelling() + " for " + m
                        + (m == 1 ? " computation" : " computations"));
            }
            int shift = n == m - 1 && type.isReceive() ? 1 : 0;
            boolean next = type == OperationType.FORWARD_SEND || type == OperationType.BACKWARD_RECV;
            IntList waiting = new IntList(8);
            for (int k = 0; k < n; k++) {
                int computation = vertex(served, k + shift, stage);
                if (computation < 0) {
                    throw refusal(served.spelling() + " of stage " + stage + " lacks number " + (k + shift));
                }
                if (type.isReceive()) {
                    edge(live[k], computation);
                    int earlier = vertex(served, k + shift - 1, stage);
                    if (earlier >= 0) {
                        edge(earlier, live[k]);
                    }
                } else {
                    edge(computation, live[k]);
                }
                int chunk = table.modelChunk[rows.get(computation)] + (next ? 1 : -1);
                if (chunk >= 0 && chunk < chunks * stages) {
                    waiting.add(live[k]);
                }
            }
            meeting.put(new Name(type, 0, stage), waiting.toArray());
        }

        /** Those that are more than records of nothing: receives that somebody waits for, sends of something computed. */
        private int[] live(int[] transfers, int[] computations, boolean receive) {
            double lastStart = Double.NEGATIVE_INFINITY;
            double firstEnd = Double.POSITIVE_INFINITY;
            for (int v : computations) {
                lastStart = Math.max(lastStart, table.start[rows.get(v)]);
                firstEnd = Math.min(firstEnd, table.end[rows.get(v)]);
            }
            IntList live = new IntList(transfers.length);
            for (int v : transfers) {
                int row = rows.get(v);
                if (receive ? table.start[row] <= lastStart + margin : table.end[row] >= firstEnd - margin) {
                    live.add(v);
                }
            }
            return live.toArray();
        }

        private void group() throws TraceFormatException {
            int[] peer = pairs();
            int[] ends = new int[0];
            int[] all = new int[0];
            for (int v = 0; v < names.size(); v++) {
                Name name = names.get(v);
                switch (name.type.meeting) {
                    case NOBODY, DATA_PARALLEL -> groups.add(new int[] {v});
                    case PEER -> {
                        if (peer[v] < 0) {
                            groups.add(new int[] {v});
                        } else if (peer[v] > v) {
                            groups.add(new int[] {v, peer[v]});
                        }
                    }
                    case ENDS -> ends = first(name, v, ends);
                    case ALL -> all = first(name, v, all);
                }
            }
            for (int[] one : List.of(ends, all)) {
                if (one.length > 0) {
                    groups.add(one);
                }
            }
        }

        /** The first of its kind joins those of other stages; what follows it stands alone. */
        private int[] first(Name name, int vertex, int[] joined) {
            boolean joins = name.sequence == 0
                    && (name.type.meeting == Meeting.ALL || name.stage == 0 || name.stage == stages - 1);
            if (!joins) {
                groups.add(new int[] {vertex});
                return joined;
            }
            int[] more = Arrays.copyOf(joined, joined.length + 1);
            more[joined.length] = vertex;
            return more;
        }

        /** By vertex: the other end of the transfer, or -1. */
        private int[] pairs() throws TraceFormatException {
            int[] peer = new int[names.size()];
            Arrays.fill(peer, -1);
            for (Map.Entry<Name, int[]> entry : meeting.entrySet()) {
                Name side = entry.getKey();
                boolean next = side.type == OperationType.FORWARD_SEND || side.type == OperationType.BACKWARD_RECV;
                int stage = Math.floorMod(side.stage + (next ? 1 : -1), stages);
                OperationType opposite = side.type.opposite();
                int[] others = Objects.requireNonNull(meeting.get(new Name(opposite, 0, stage)));
                int[] own = entry.getValue();
                if (own.length != others.length) {
                    throw refusal("stage " + side.stage + " has " + own.length + " of " + side.type.spelling()
                            + " that wait for stage " + stage + ", which has " + others.length + " of "
                            + opposite.spelling());
                }
                for (int j = 0; j < own.length; j++) {
                    peer[own[j]] = others[j];
                }
            }
            return peer;
        }
    }

    /** The label under which the price of a vertex's start counts, which differs for what starts a stage. */
    String launchLabel(int vertex) {
        Name name = names.get(vertex);
        boolean starts = name.sequence == 0
                && (name.stage == 0
                        ? name.type == OperationType.FORWARD_COMPUTE
                        : name.type == OperationType.FORWARD_RECV);
        return starts ? "first-op" : name.type.label();
    }
}
