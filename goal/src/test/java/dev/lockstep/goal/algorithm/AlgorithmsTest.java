// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every algorithm, whatever the number of ranks, the order of the ring and the size. */
class AlgorithmsTest {
    private static final long TYPE = 4;

    private record Pair(int from, int to) {}

    /** Messages between pairs, in the order of each side. */
    private static final class Traffic implements Primitives {
        final Map<Pair, List<Long>> sent = new HashMap<>();
        final Map<Pair, List<Long>> received = new HashMap<>();
        private int self;
        private int depth;
        private int workers;

        private void out(int to, long bytes) {
            sent.computeIfAbsent(new Pair(self, to), p -> new ArrayList<>()).add(bytes);
        }

        private void in(int from, long bytes) {
            received.computeIfAbsent(new Pair(from, self), p -> new ArrayList<>())
                    .add(bytes);
        }

        @Override
        public void send(int to, long bytes) {
            out(to, bytes);
        }

        @Override
        public void copySend(int to, long bytes) {
            out(to, bytes);
        }

        @Override
        public void recv(int from, long bytes) {
            in(from, bytes);
        }

        @Override
        public void recvReduceSend(int from, int to, long bytes) {
            in(from, bytes);
            out(to, bytes);
        }

        @Override
        public void recvReduceCopySend(int from, int to, long bytes) {
            recvReduceSend(from, to, bytes);
        }

        @Override
        public void recvCopySend(int from, int to, long bytes) {
            recvReduceSend(from, to, bytes);
        }

        @Override
        public void recvReduce(int from, long bytes) {
            in(from, bytes);
        }

        @Override
        public void recvReduceCopy(int from, long bytes) {
            in(from, bytes);
        }

        @Override
        public void recvCopy(int from, long bytes) {
            in(from, bytes);
        }

        @Override
        public void copy(long bytes) {}

        @Override
        public void fetchSum(int[] from, long bytes) {
            IntStream.of(from).forEach(rank -> in(rank, bytes));
        }

        @Override
        public void multicast(int[] to, long bytes) {
            IntStream.of(to).forEach(rank -> out(rank, bytes));
        }

        @Override
        public void worker(int group) {
            assertThat(group).isBetween(0, workers - 1);
        }

        @Override
        public void largestSlice(long bytes) {}

        @Override
        public void sequence() {
            depth++;
        }

        @Override
        public void parallel() {
            depth++;
        }

        @Override
        public void close() {
            depth--;
        }

        long total() {
            return sent.values().stream()
                    .flatMap(List::stream)
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    static Stream<Arguments> cases() {
        return IntStream.of(2, 3, 4, 5, 7, 8, 13)
                .boxed()
                .flatMap(ranks -> LongCases.ALL.stream()
                        .flatMap(elements -> Kinds.ALL.stream()
                                .flatMap(k -> Stream.of(1, 2, 3, 13)
                                        .filter(perNode -> perNode <= ranks || perNode == 13)
                                        .map(perNode -> Arguments.of(k, ranks, elements, perNode)))));
    }

    private record Kinds(NcclFunction kind, NcclAlgorithm algorithm) {
        static final List<Kinds> ALL = Stream.of(NcclFunction.values())
                .filter(kind -> !kind.pairwise())
                .flatMap(kind -> Stream.of(NcclAlgorithm.values()).map(a -> new Kinds(kind, a)))
                .filter(k -> Algorithms.BUILT_IN.of(k.kind, k.algorithm) != null)
                .toList();
    }

    private static final class LongCases {
        static final List<Long> ALL = List.of(1L, 1000L, 1024L, 5000L, 20_001L);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void whatIsSentIsReceivedAndNothingIsLost(Kinds kinds, int ranks, long elements, int perNode) throws IOException {
        Traffic traffic = new Traffic();
        CollectiveAlgorithm algorithm = Algorithms.BUILT_IN.of(kinds.kind, kinds.algorithm);
        Communicator communicator = shuffled(ranks);
        long chunk = 1024;
        long rest = elements % (ranks * chunk);
        ChannelWork work = new ChannelWork(elements, chunk, Math.max(1, (rest + ranks - 1) / ranks), true);
        CollectivePlan plan = new CollectivePlan(
                kinds.algorithm, NcclProtocol.SIMPLE, ranks - 1, (int) TYPE, 2, 1, 2048, List.of(work));
        List<String> places = IntStream.range(0, ranks)
                .mapToObj(rank -> "node" + rank / perNode)
                .toList();
        traffic.workers = algorithm.workers();
        for (int rank = 0; rank < ranks; rank++) {
            traffic.self = rank;
            algorithm.expand(new ChannelJob(communicator, places, rank, perNode % 2, plan, work), traffic);
            assertThat(traffic.depth).isZero();
        }

        assertThat(traffic.sent).isEqualTo(traffic.received);
        assertThat(traffic.sent.keySet()).noneMatch(pair -> pair.from == pair.to);
        long bytes = elements * TYPE;
        long expected = switch (kinds.kind) {
            case ALL_REDUCE -> 2 * (ranks - 1) * bytes;
            case ALL_GATHER, REDUCE_SCATTER -> (long) ranks * (ranks - 1) * bytes;
            default -> (ranks - 1) * bytes;
        };
        assertThat(traffic.total()).isEqualTo(expected);
    }

    private static Communicator shuffled(int ranks) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.shuffle(order, new Random(ranks));
        int[] previous = new int[ranks];
        int[] next = new int[ranks];
        for (int i = 0; i < ranks; i++) {
            next[order.get(i)] = order.get((i + 1) % ranks);
            previous[order.get((i + 1) % ranks)] = order.get(i);
        }
        return new Communicator(
                "c",
                IntStream.range(0, ranks).toArray(),
                List.of(new Ring(previous, next)),
                List.of(Tree.heap(ranks).mirrored()));
    }
}
