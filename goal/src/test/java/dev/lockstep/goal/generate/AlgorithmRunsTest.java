// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.algorithm.Algorithms;
import dev.lockstep.goal.check.ScheduleVerification;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import dev.lockstep.goal.model.Network;
import dev.lockstep.goal.model.SimulatedTimes;
import dev.lockstep.goal.model.SimulationRules;
import dev.lockstep.goal.nccl.BinaryTrees;
import dev.lockstep.goal.recording.Communicator;
import dev.lockstep.goal.recording.Communicator.Ring;
import dev.lockstep.goal.recording.Communicator.Tree;
import dev.lockstep.goal.recording.Gpu;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.Plan.ChannelWork;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.goal.schedule.UsualCosts;
import dev.lockstep.goal.simulate.Simulation;
import dev.lockstep.goal.stored.GoalFile;
import dev.lockstep.goal.stored.Operations;
import dev.lockstep.goal.stored.StoredSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm as a schedule of its own: it is correct, runs to its end, and brings data to whom it is for. */
class AlgorithmRunsTest {
    private static final ExecutorService WORKERS = Executors.newFixedThreadPool(2);
    private static final long CHUNK = 512;
    private static final int MOST = 33;

    /** Beyond this number of ranks, only some are tried; with PAT all, as it depends on their binary digits. */
    private static final int EACH_UP_TO = 9;

    record Way(NcclFunction kind, NcclAlgorithm algorithm) {
        static final List<Way> ALL = Stream.of(NcclFunction.values())
                .filter(kind -> !kind.pairwise())
                .flatMap(kind -> Stream.of(NcclAlgorithm.values()).map(a -> new Way(kind, a)))
                .filter(way -> Algorithms.BUILT_IN.of(way.kind, way.algorithm) != null)
                .toList();

        boolean rooted() {
            return kind == NcclFunction.BROADCAST || kind == NcclFunction.REDUCE;
        }
    }

    record Case(Way way, int ranks, int perNode, int channels, NcclProtocol protocol, int root) {}

    @TempDir
    Path folder;

    @AfterAll
    static void stop() {
        WORKERS.shutdownNow();
    }

    static Stream<Case> cases() {
        Random random = new Random(7);
        List<Case> cases = new ArrayList<>();
        for (Way way : Way.ALL) {
            for (int ranks = 2; ranks <= MOST; ranks++) {
                if (way.algorithm != NcclAlgorithm.PAT && ranks > EACH_UP_TO && ranks % 5 != 0) {
                    continue;
                }
                int perNode = way.algorithm == NcclAlgorithm.PAT ? 1 : 1 + random.nextInt(Math.min(ranks, 9));
                NcclProtocol protocol =
                        simple(way.algorithm) ? NcclProtocol.SIMPLE : NcclProtocol.values()[random.nextInt(3)];
                int root = way.rooted() ? random.nextInt(ranks) : 0;
                cases.add(new Case(way, ranks, perNode, 1 + random.nextInt(2), protocol, root));
            }
        }
        return cases.stream();
    }

    private static boolean simple(NcclAlgorithm algorithm) {
        return algorithm != NcclAlgorithm.RING && algorithm != NcclAlgorithm.TREE;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void runsToItsEndAndReachesEveryone(Case c) throws IOException {
        StoredSchedule schedule = schedule(c, c.ranks > 9 ? CHUNK + 7 : 5000);

        assertThat(ScheduleVerification.check(schedule).count()).isZero();
        for (long eager : new long[] {0, 1 << 20}) {
            Network network = new Network(3700, 200, 5, 0, 0.04, eager);
            assertThat(run(schedule, network).stuck()).isZero();
        }
        BitSet all = new BitSet();
        all.set(0, c.ranks);
        BitSet[] reached = reached(schedule);
        for (int rank = 0; rank < c.ranks; rank++) {
            switch (c.way.kind) {
                case BROADCAST -> assertThat(reached[rank].get(c.root)).isTrue();
                case REDUCE ->
                    assertThat(rank != c.root || reached[rank].equals(all)).isTrue();
                default -> assertThat(reached[rank]).isEqualTo(all);
            }
        }
    }

    @Test
    void treesTakeSumsUpWhileResultsComeDown() throws IOException {
        Case tree = new Case(new Way(NcclFunction.ALL_REDUCE, NcclAlgorithm.TREE), 8, 1, 1, NcclProtocol.SIMPLE, 0);
        StoredSchedule schedule = schedule(tree, 64 * CHUNK);

        BitSet cpus = new BitSet();
        for (Operations rank : schedule.ranks()) {
            for (int i = 0; i < rank.size(); i++) {
                cpus.set(rank.cpu(i));
            }
        }
        assertThat(cpus.cardinality()).isEqualTo(2);
    }

    /** Data leaves a GPU once, however many get it: with more GPUs in a node, an all-reduce takes hardly longer. */
    @Test
    void theSwitchMultipliesAndAdds() throws IOException {
        Way nvls = new Way(NcclFunction.ALL_REDUCE, NcclAlgorithm.NVLS);
        Way ring = new Way(NcclFunction.ALL_REDUCE, NcclAlgorithm.RING);
        long elements = 40_000;

        long four = makespan(new Case(nvls, 4, 4, 1, NcclProtocol.SIMPLE, 0), elements);
        long eight = makespan(new Case(nvls, 8, 8, 1, NcclProtocol.SIMPLE, 0), elements);
        long around = makespan(new Case(ring, 8, 8, 1, NcclProtocol.SIMPLE, 0), elements);

        assertThat(eight).isLessThan(four + four / 4);
        assertThat(eight).isLessThan(around);
    }

    /** Between nodes only heads talk, and each byte crosses once up and once down the tree. */
    @Test
    void onlyHeadsTalkBetweenNodes() throws IOException {
        Case c = new Case(new Way(NcclFunction.ALL_REDUCE, NcclAlgorithm.NVLS_TREE), 12, 4, 2, NcclProtocol.SIMPLE, 0);
        long elements = 50_000;

        StoredSchedule schedule = schedule(c, elements);

        long crossing = 0;
        for (int rank = 0; rank < c.ranks; rank++) {
            Operations operations = schedule.ranks().get(rank);
            for (int i = 0; i < operations.size(); i++) {
                if (operations.kind(i) == Operations.SEND) {
                    boolean near = operations.peer(i) / 4 == rank / 4;
                    assertThat(operations.amount(i) == 0).isEqualTo(near);
                    assertThat(near || operations.peer(i) % 4 == rank % 4).isTrue();
                    crossing += operations.amount(i);
                }
            }
        }
        // Up and down, on two connections, two channels, two operations.
        assertThat(crossing).isEqualTo(16 * elements * 4);
    }

    private long makespan(Case c, long elements) throws IOException {
        return run(schedule(c, elements), Network.DEFAULT).makespanNs();
    }

    private static SimulatedTimes run(StoredSchedule schedule, Network network) {
        return Simulation.run(schedule, network, SimulationRules.OWN, (rank, kind, from, to) -> {});
    }

    private StoredSchedule schedule(Case c, long elements) throws IOException {
        RecordedRun recording = recording(c, elements);
        ScheduleRules rules = ScheduleRules.of(recording, WireRules.Real.USUAL, Algorithms.BUILT_IN, UsualCosts.get());
        TimelineStyle style =
                new TimelineStyle(recording, rules, new TimelineOptions(false, false, false, false, TagLabel.NONE));
        Files.deleteIfExists(folder.resolve(ScheduleWriter.TEXT));
        new ScheduleWriter(folder, false, false, 1 << 16)
                .text(
                        GoalGenerator.prepare(c.ranks, style, null, WrittenSchedules.budget(), WORKERS),
                        true,
                        false,
                        WORKERS);
        return new GoalFile(folder.resolve(ScheduleWriter.TEXT)).read(10);
    }

    private static RecordedRun recording(Case c, long elements) {
        List<ChannelWork> channels = new ArrayList<>();
        boolean ringAllReduce = c.way.kind == NcclFunction.ALL_REDUCE && c.way.algorithm == NcclAlgorithm.RING;
        long last = (elements % (c.ranks * CHUNK) + c.ranks - 1) / c.ranks;
        for (int channel = 0; channel < c.channels; channel++) {
            channels.add(new ChannelWork(elements, CHUNK, ringAllReduce ? Math.max(1, last) : CHUNK, channel % 2 == 0));
        }
        CollectivePlan plan = new CollectivePlan(c.way.algorithm, c.protocol, c.root, 4, 1, 1, CHUNK * 4, channels);
        List<Gpu> gpus = new ArrayList<>();
        for (int rank = 0; rank < c.ranks; rank++) {
            List<RecordedOperation> operations = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                operations.add(new RecordedOperation(
                        c.way.kind, 0, i, "s", -1, 1000L * i, 1000L * i + 500, -1, elements * 4, plan));
            }
            gpus.add(new Gpu("node" + rank / c.perNode, rank % c.perNode, rank, 0, 2000, operations));
        }
        return new RecordedRun(gpus, List.of(communicator(c)), false, new RecordingNotes());
    }

    /** Rings in any order, and the library's two trees. */
    private static Communicator communicator(Case c) {
        List<Ring> rings = new ArrayList<>();
        List<Tree> trees = new ArrayList<>();
        for (int channel = 0; channel < c.channels; channel++) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, c.ranks).boxed().toList());
            Collections.shuffle(order, new Random(channel + c.ranks));
            int[] previous = new int[c.ranks];
            int[] next = new int[c.ranks];
            for (int i = 0; i < c.ranks; i++) {
                next[order.get(i)] = order.get((i + 1) % c.ranks);
                previous[order.get((i + 1) % c.ranks)] = order.get(i);
            }
            rings.add(new Ring(previous, next));
            trees.add(Tree.of(BinaryTrees.parents(c.ranks, channel % 2 != 0)));
        }
        return new Communicator("c", IntStream.range(0, c.ranks).toArray(), rings, trees);
    }

    private record Message(int from, int to, int tag) {}

    /** For each rank, whose data may have come to it, by dependencies and messages. */
    private static BitSet[] reached(StoredSchedule schedule) {
        int n = schedule.ranks().size();
        BitSet[][] data = new BitSet[n][];
        int[][] waits = new int[n][];
        Map<Message, int[]> receives = new HashMap<>();
        Deque<int[]> ready = new ArrayDeque<>();
        for (int rank = 0; rank < n; rank++) {
            Operations operations = schedule.ranks().get(rank);
            waits[rank] = operations.waitsFor();
            data[rank] = new BitSet[operations.size()];
            for (int i = 0; i < operations.size(); i++) {
                data[rank][i] = new BitSet();
                data[rank][i].set(rank);
                if (operations.kind(i) == Operations.RECV) {
                    receives.put(new Message(operations.peer(i), rank, operations.tag(i)), new int[] {rank, i});
                    waits[rank][i]++;
                }
                if (waits[rank][i] == 0) {
                    ready.add(new int[] {rank, i});
                }
            }
        }
        BitSet[] reached = new BitSet[n];
        Stream.iterate(0, i -> i < n, i -> i + 1).forEach(i -> reached[i] = new BitSet());
        while (!ready.isEmpty()) {
            int[] at = ready.poll();
            Operations operations = schedule.ranks().get(at[0]);
            BitSet own = data[at[0]][at[1]];
            reached[at[0]].or(own);
            List<int[]> later = new ArrayList<>();
            for (int k = operations.afterEnd().from(at[1]);
                    k < operations.afterEnd().to(at[1]);
                    k++) {
                later.add(new int[] {at[0], operations.afterEnd().target(k)});
            }
            if (operations.kind(at[1]) == Operations.SEND) {
                later.add(receives.get(new Message(at[0], operations.peer(at[1]), operations.tag(at[1]))));
            }
            for (int[] next : later) {
                data[next[0]][next[1]].or(own);
                if (--waits[next[0]][next[1]] == 0) {
                    ready.add(next);
                }
            }
        }
        return reached;
    }
}
