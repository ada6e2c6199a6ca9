// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.synth.Delay;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.Regularity;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run would have taken, against runs that were made otherwise. */
class SyntheticDelaysTest {
    /** What is wrong with the rank itself in every step, or every other. */
    private static final List<Straggler.Kind> SLOW_ALL_ALONG = List.of(
            Straggler.Kind.DEVICE, Straggler.Kind.CLOCK, Straggler.Kind.WORK, Straggler.Kind.HOST, Straggler.Kind.GC);

    private static final int DELAYS = 20;
    private static final int DELAYED_RUNS = Integer.getInteger("delays.seeds", 10);

    /** What launching, following and waiting may take more or less than other such edges do, in ns. */
    private static final long LATENCIES = 2_000;

    private static TraceRecipe recipe(int seed) {
        TraceRecipe small = SyntheticTraces.smallRecipe(2)
                .withSeed(seed)
                .withSteps(1)
                .withSyncEvents(true)
                .withTiming(Regularity.EVEN);
        return switch (seed % 3) {
            case 0 -> small;
            case 1 -> small.withParallelism(new Parallelism(2, 1, 3, 1, Schedule.ONE_F_ONE_B, List.of()));
            default -> small.withHidden(2048).withStraggler(new Straggler(1, Straggler.Kind.DEVICE, 1.1));
        };
    }

    /** A delay of the activity that a slice is. */
    private static Delay delay(int rank, Trace trace, int slice, long nanos) {
        Slices slices = trace.slices();
        long call = slices.correlation(slice);
        int place = 0;
        boolean graph = false;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.correlation(i) == call) {
                graph |= trace.name(i).endsWith("GraphLaunch");
                place += slices.kind(i) == SliceKind.KERNEL && slices.ts(i) <= slices.ts(slice) ? 1 : 0;
            }
        }
        return new Delay(rank, call, graph ? place : 0, nanos);
    }

    /** The graph of a run, and where to find things in it. */
    private static final class Joined {
        private final List<Trace> traces;
        private final DependencyGraph graph;
        private final CriticalPath path;
        private final PathWindow window;
        private final long end;
        private final int[] ends;
        private final Map<List<Long>, Integer> byEnd = new HashMap<>();

        Joined(TraceRecipe recipe) {
            traces = SyntheticTraces.synthetic(recipe);
            List<RankPart> parts = new ArrayList<>();
            List<RankCollectives> collectives = new ArrayList<>();
            for (Trace trace : traces) {
                DerivedCache cache = new DerivedCache(trace);
                parts.add(RankPart.of(cache, AnalysisRules.standard()));
                collectives.add(cache.get(RankCollectives.Key.standard()));
            }
            RunDependencies run =
                    RunDependencies.joined(parts, Collectives.of(collectives, CollectiveOptions.standard()));
            graph = run.graph();
            path = CriticalPath.of(graph, run.window());
            window = run.window();
            end = window.end();
            ends = run.ends();
            for (int v = 0; v < graph.size(); v++) {
                PathTrack track = graph.track(v);
                if (track.onDevice() && run(v) >= 0) {
                    byEnd.put(List.of((long) track.rank(), graph.time[v]), v);
                }
            }
        }

        long length() {
            return window.length();
        }

        /** Length of the run after an edit. */
        long after(String edit) {
            return WhatIf.of(graph, List.of(edit), window, ends).getFirst().after();
        }

        /** By kind, group and size of collectives: the median of their transfers, ns. */
        Map<String, Long> transfers() {
            Map<Integer, Transfer> byMeeting = new HashMap<>();
            graph.transfers.forEach(transfer -> byMeeting.put(transfer.met(), transfer));
            Map<String, List<Long>> all = new TreeMap<>();
            for (int e = 0; e < graph.source.length; e++) {
                Transfer transfer = byMeeting.get(graph.source[e]);
                if (transfer != null) {
                    all.computeIfAbsent(
                                    transfer.kind() + ':' + transfer.group() + ':' + transfer.bytes(),
                                    place -> new ArrayList<>())
                            .add(graph.weight[e]);
                }
            }
            Map<String, Long> medians = new TreeMap<>();
            all.forEach((place, times) ->
                    medians.put(place, times.stream().sorted().toList().get(times.size() / 2)));
            return medians;
        }

        private int run(int vertex) {
            for (int e = graph.firstEdge[vertex]; e < graph.firstEdge[vertex + 1]; e++) {
                if (graph.kind[e] == EdgeKind.RUN.ordinal()) {
                    return e;
                }
            }
            return -1;
        }

        /** How much later the run ends if an activity takes longer. */
        long lengthened(int vertex, long delay) {
            long[] weights = graph.weight.clone();
            weights[run(vertex)] += delay;
            long[] at = graph.replay(weights, graph.residuals());
            return Arrays.stream(at).max().orElseThrow() - end;
        }

        Set<Integer> onPath() {
            Set<Integer> vertices = new HashSet<>();
            path.pieces().forEach(piece -> vertices.add(piece.vertex()));
            return vertices;
        }
    }

    private static long steps(TraceRecipe recipe) {
        return SyntheticRun.stepNanos(recipe).stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "1, false",
        "2, false",
        "3, false",
        "4, false",
        "5, false",
        "6, false",
        "7, false",
        "8, false",
        "9, false",
        "10, false",
        "11, true",
        "12, true",
        "13, true",
        "14, true",
        "15, true",
        "16, true"
    })
    void aDelayCostsWhatIsLeftOfItWhenItsSlackIsUsedUp(int seed, boolean graphs) {
        TraceRecipe recipe = recipe(seed).withGraphs(graphs);
        Joined run = new Joined(recipe);
        long undisturbed = steps(recipe);
        Random random = new Random(seed);
        Set<Integer> onPath = run.onPath();
        int on = 0;
        int off = 0;
        for (int i = 0; i < DELAYS; i++) {
            int rank = random.nextInt(run.traces.size());
            Slices slices = run.traces.get(rank).slices();
            int slice = kernel(run.traces.get(rank), random);
            int vertex = run.byEnd.get(List.of((long) rank, slices.end(slice)));
            long delay = 1_000L + random.nextInt(2_000_000);
            long truth = steps(recipe.withDelay(delay(rank, run.traces.get(rank), slice, delay))) - undisturbed;
            if (onPath.contains(vertex)) {
                on++;
                assertThat(truth).isEqualTo(delay);
                assertThat(run.lengthened(vertex, delay)).isEqualTo(delay);
            } else {
                off++;
                long slack = delay - run.lengthened(vertex, delay);
                assertThat(truth).isCloseTo(Math.max(0, delay - slack), within(LATENCIES));
            }
        }
        assertThat(on + off).isEqualTo(DELAYS);
        assertThat(on).isPositive();
    }

    /** A compute kernel that something follows on all ranks. */
    private static int kernel(Trace trace, Random random) {
        Slices slices = trace.slices();
        int last = -1;
        for (int i = 0; i < slices.size(); i++) {
            if (trace.name(i).startsWith("nccl")) {
                last = i;
            }
        }
        while (true) {
            int i = random.nextInt(last);
            if (slices.kind(i) == SliceKind.KERNEL && !trace.name(i).startsWith("nccl")) {
                return i;
            }
        }
    }

    /**
     * The same where collectives run beside computations and slow them down, all the longer the longer they wait for a slow rank. What
     * chance made of the slow rank's own kernels the median takes away with the rest.
     */
    @Test
    void mendingASlowRankAlsoMendsWhatOthersSufferedFromWaitingCollectives() {
        List<Double> apart = new ArrayList<>();
        for (int seed = 1; seed <= DELAYED_RUNS; seed++) {
            apart.add(Math.abs(apartWithoutSlowRank(seed)));
        }
        assertThat(apart).allSatisfy(part -> assertThat(part).isLessThan(0.03));
        assertThat(apart.stream().filter(part -> part > 0.01)).hasSizeLessThanOrEqualTo(1);
    }

    /** By which part of the run the replay without its slow rank differs from the run made without. */
    private static double apartWithoutSlowRank(int seed) {
        Random random = new Random(31L * seed);
        Straggler.Kind kind = SLOW_ALL_ALONG.get(seed % SLOW_ALL_ALONG.size());
        double amount = switch (kind) {
            case DEVICE, WORK -> 1.1 + 0.3 * random.nextDouble();
            case CLOCK -> 0.7 + 0.2 * random.nextDouble();
            case HOST -> 6_000 + random.nextInt(15_000);
            case GC -> 15_000 + random.nextInt(20_000);
            case LINK, START, STALL, CHECKPOINT, LOADER, THROTTLE, TAIL, ITEM -> throw new IllegalStateException();
        };
        boolean host = kind == Straggler.Kind.HOST || kind == Straggler.Kind.GC;
        int slowRank = random.nextInt(4);
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withSeed(1_000L + seed)
                .withHidden(2048)
                .withCommunication(512, 28 + 14 * random.nextInt(3))
                .withSyncEvents(true);
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(new Straggler(slowRank, kind, amount)));

        assertThat(slow.graph.contention.isKnown()).isTrue();
        assertThat(slow.length()).isGreaterThan(without.length() + without.length() / 50);
        long after = slow.after("rank:" + slowRank + (host ? ":host" : "") + "=median");
        return (double) (after - without.length()) / without.length();
    }

    /**
     * Stages of a pipeline are roles: a stage of one rank has no like, and stays as it is whatever other stages take; of several ranks the
     * slow one becomes as its likes.
     */
    @ParameterizedTest
    @CsvSource({"4, 3", "4, 0", "8, 3", "8, 6", "8, 7"})
    void theMedianOfAStageIsNotThatOfAllStages(int ranks, int slowRank) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks)
                .withSeed(3_000L + ranks)
                .withLayers(8)
                .withParallelism(new Parallelism(4, 1, 4, 1, Schedule.ONE_F_ONE_B, List.of(1, 3, 2, 2)));
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(new Straggler(slowRank, Straggler.Kind.DEVICE, 1.2)));
        long after = slow.after("rank:" + slowRank + "=median;rank:" + slowRank + ":host=median");

        long wanted = ranks == 4 ? slow.length() : without.length();
        assertThat(after).isCloseTo(wanted, within(ranks == 4 ? 0 : without.length() / 100));
    }

    /** One operator launches kernels of one name that do more and less work: which is which their places in the graph say. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void contentionIsToldFromWorkInsideOfGraphs(int seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withSeed(2_000L + seed)
                .withHidden(2048)
                .withGraphs(true)
                .withSyncEvents(true);
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(new Straggler(1, Straggler.Kind.DEVICE, 1.25)));

        assertThat(slow.graph.contention.isKnown()).isTrue();
        assertThat(slow.after("rank:1=x0.8")).isCloseTo(without.length(), within(without.length() / 200));
    }

    /** The same where waits have to be inferred, also those that held nothing up as long as the slow rank was slow. */
    @ParameterizedTest
    @CsvSource({
        "2, ROCM, true",
        "4, ROCM, true",
        "8, ROCM, true",
        "10, CUDA, true",
        "4, CUDA, true",
        "10, CUDA, false",
        "8, ROCM, false"
    })
    void waitsThatHeldNothingUpAreKnownToo(int seed, Vendor vendor, boolean graphs) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withModel(new TraceRecipe.Model(4, 2048, 1024, 2, graphs))
                .withVendor(vendor)
                .withSeed(2_000L + seed);
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(new Straggler(1, Straggler.Kind.DEVICE, 1.25)));

        assertThat(slow.after("rank:1=x0.8")).isCloseTo(without.length(), within(without.length() * 3 / 1_000));
    }

    /** Where nothing runs beside collectives, or they take nothing from what does, no contention is made up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void noContentionIsSeenWhereThereIsNone(int seed) {
        TraceRecipe even =
                SyntheticTraces.smallRecipe(4).withSeed(seed).withHidden(2048).withTiming(Regularity.EVEN);

        assertThat(new Joined(even).graph.contention.isKnown()).isFalse();
    }

    /**
     * Durations that differ from place to place by chance alone, alike on all ranks, with a collective beside every other one: a false
     * alarm is one in a thousand. Where no shapes were recorded nothing is concluded.
     */
    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, true, 1",
        "4, 1, 0.001, true, 1",
        "4, 1, 0, true, 1",
        "4, 1.2, 0.01, true, 200",
        "4, 1.2, 0.01, false, 0"
    })
    void chanceIsNotTakenForContention(int ranks, double longer, double noise, boolean shapes, int alarms) {
        int found = 0;
        for (int seed = 1; seed <= 200; seed++) {
            GraphBuilder all = new GraphBuilder();
            for (int rank = 0; rank < ranks; rank++) {
                GraphBuilder one = new GraphBuilder();
                Random chance = new Random(1_000_000L * rank + seed);
                DerivedCache trace = new DerivedCache(TestTraces.of(places(seed, chance, noise, longer, shapes)));
                RankGraph.of(trace, AnalysisRules.standard(), new int[0], one);
                all.append(one, time -> time, rank, new BitSet());
            }
            found += all.build().contention.isKnown() ? 1 : 0;
        }
        if (alarms > 1) {
            assertThat(found).isGreaterThanOrEqualTo(alarms - 2);
        } else {
            assertThat(found).isLessThanOrEqualTo(alarms);
        }
    }

    private static EventText places(int seed, Random chance, double noise, double longer, boolean shapes) {
        Random random = new Random(seed);
        EventText events = new EventText();
        for (long i = 1; i <= 60; i++) {
            long at = 100_000 * i;
            boolean beside = random.nextBoolean();
            double duration = 50_000 * (1 + 0.05 * random.nextGaussian() + noise * chance.nextGaussian());
            events.op("aten::mm", at - 100, 3_000, shapes ? "\"Input Dims\": [[64, 64], [64, 64]]" : "")
                    .launch("gemm", at, at + 5_000, Math.round(beside ? duration * longer : duration), 2 * i, 7);
            if (beside) {
                events.launch("ncclDevKernel_AllGather_RING_LL", at + 3_000, at + 4_000, 70_000, 2 * i + 1, 13);
            }
        }
        return events;
    }

    /** At times since 1970, which a double does not tell to the nanosecond, and with kernels that nothing disturbs among the others. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_661_938_466_000_000_000L})
    void contentionGivesBackWhatWasRecorded(long origin) {
        Random random = new Random(5);
        EventText events = new EventText();
        long at = origin + 1_000;
        for (int i = 1; i <= 100; i++) {
            boolean beside = random.nextBoolean();
            long duration = Math.round((beside ? 70_000 : 50_000) * (1 + 0.01 * random.nextGaussian()));
            events.op("aten::mm", at - 100, 3_000, "\"Input Dims\": [[64, 64], [64, 64]]");
            events.launch("gemm", at, at + 5_000, duration, 3L * i, 7);
            events.op("aten::fill_", at + 4_000, 3_000, "\"Input Dims\": [[1]]");
            events.launch("steady", at + 4_500, at + 80_000, 1, 3L * i + 1, 7);
            if (beside) {
                events.launch("ncclDevKernel_AllGather_RING_LL", at + 1_000, at + 6_001, 90_003, 3L * i + 2, 13);
            }
            at += 100_007;
        }
        GraphBuilder builder = new GraphBuilder();
        RankGraph.of(new DerivedCache(TestTraces.of(events)), AnalysisRules.standard(), new int[0], builder);
        DependencyGraph graph = builder.build();

        assertThat(graph.contention.isKnown()).isTrue();
        assertThatCode(graph::proveIdentity).doesNotThrowAnyException();
    }

    /**
     * A run with a slow rank, asked what it would be without, against the run that was made without. Either nothing varies,
     * or collectives run alone.
     */
    @ParameterizedTest
    @CsvSource({
        "11, EVEN, DEVICE, 1.3, rank:1=median",
        "12, EVEN, DEVICE, 1.1, rank:1=median",
        "13, EVEN, CLOCK, 0.7, rank:1=median",
        "14, EVEN, HOST, 9000, rank:1:host=median",
        "15, EVEN, GC, 20000, rank:1:host=median",
        "16, VARIED, DEVICE, 1.3, rank:1=median",
        "17, VARIED, CLOCK, 0.8, rank:1=median",
        "18, VARIED, HOST, 9000, rank:1:host=median",
        "19, VARIED, GC, 20000, rank:1:host=median"
    })
    void mendingASlowRankGainsWhatItHadCost(
            int seed, Regularity regularity, Straggler.Kind kind, double amount, String edit) {
        mendingGainsWhatItHadCost(
                SyntheticTraces.smallRecipe(4), seed, regularity, new Straggler(1, kind, amount), edit);
    }

    /** The same where blocks are launched as graphs, inside of which nothing is recorded but the order; for both vendors. */
    @ParameterizedTest
    @CsvSource({
        "11, CUDA, EVEN, DEVICE, 1.3, rank:1=median",
        "12, ROCM, EVEN, CLOCK, 0.7, rank:1=median",
        "13, CUDA, EVEN, WORK, 1.3, rank:1=median",
        "14, ROCM, EVEN, HOST, 9000, rank:1:host=median",
        "15, CUDA, EVEN, GC, 20000, rank:1:host=median",
        "16, CUDA, VARIED, DEVICE, 1.3, rank:1=x0.769231",
        "17, ROCM, VARIED, DEVICE, 1.25, rank:1=x0.8",
        "18, CUDA, VARIED, HOST, 9000, rank:1:host=median",
        "19, ROCM, VARIED, GC, 20000, rank:1:host=median"
    })
    void mendingASlowRankGainsWhatItHadCostAlsoWithGraphs(
            int seed, Vendor vendor, Regularity regularity, Straggler.Kind kind, double amount, String edit) {
        TraceRecipe graphs = SyntheticTraces.smallRecipe(4).withVendor(vendor).withGraphs(true);
        mendingGainsWhatItHadCost(graphs, seed, regularity, new Straggler(1, kind, amount), edit);
    }

    private static void mendingGainsWhatItHadCost(
            TraceRecipe of, int seed, Regularity regularity, Straggler straggler, String edit) {
        TraceRecipe recipe =
                of.withSeed(seed).withHidden(2048).withTiming(regularity).withSyncEvents(of.vendor() == Vendor.CUDA);
        if (regularity == Regularity.VARIED) {
            recipe = recipe.withParallelism(new Parallelism(1, 4, 2, 1, Schedule.ONE_F_ONE_B, List.of()));
        }
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(straggler));

        assertThat(slow.length()).isGreaterThan(without.length() + without.length() / 50);
        assertThat(slow.after(edit)).isCloseTo(without.length(), within(without.length() / 100));
    }

    /** The same for slow ranks of every kind in runs of many shapes, each of whose ranks has two peers or more. */
    @Test
    void mendingASlowRankGainsWhatItHadCostInRunsOfManyShapes() {
        Random random = new Random(1);
        for (int trial = 0; trial < 15; trial++) {
            Straggler.Kind kind = List.of(
                            Straggler.Kind.DEVICE,
                            Straggler.Kind.CLOCK,
                            Straggler.Kind.WORK,
                            Straggler.Kind.HOST,
                            Straggler.Kind.GC)
                    .get(trial % 5);
            double amount = switch (kind) {
                case DEVICE, WORK -> 1.1 + 0.3 * random.nextDouble();
                case CLOCK -> 0.6 + 0.25 * random.nextDouble();
                case HOST -> 4_000 + 8_000 * random.nextDouble();
                default -> 15_000 + 25_000 * random.nextDouble();
            };
            int shape = random.nextInt(6);
            int slow = random.nextInt(shape == 0 ? 4 : 8);
            TraceRecipe recipe = SyntheticTraces.smallRecipe(shape == 0 ? 4 : 8)
                    .withModel(new TraceRecipe.Model(4, 2048, 1024, 2))
                    .withSeed(1_000 + trial)
                    .withClocks(200_000, 0)
                    .withSyncEvents(random.nextInt(3) > 0)
                    .withTiming(random.nextInt(3) > 0 ? Regularity.VARIED : Regularity.EVEN);
            Parallelism parallelism = switch (shape) {
                case 0, 1 -> Parallelism.none();
                case 2 -> new Parallelism(2, 4, 4, 1, Schedule.ONE_F_ONE_B, List.of());
                case 3 -> new Parallelism(2, 2, 4, 2, Schedule.INTERLEAVED, List.of(1, 1, 1, 1));
                case 4 -> new Parallelism(2, 1, 4, 1, Schedule.ZERO_BUBBLE, List.of(1, 3));
                default -> new Parallelism(1, 4, 2, 1, Schedule.ONE_F_ONE_B, List.of());
            };
            recipe = recipe.withParallelism(parallelism);
            boolean host = kind == Straggler.Kind.HOST || kind == Straggler.Kind.GC;
            long without = new Joined(recipe).length();
            Joined run = new Joined(recipe.withStraggler(new Straggler(slow, kind, amount)));
            long predicted = run.after("rank:" + slow + (host ? ":host" : "") + "=median");
            assertThat(predicted)
                    .as("%s of rank %d, %.2f, shape %d, trial %d", kind, slow, amount, shape, trial)
                    .isCloseTo(without, within(without / 100));
        }
    }

    /** One setting of the collective library from another: communication as long as it takes there. */
    @ParameterizedTest
    @CsvSource({"28, 4, 1", "42, 4, 1", "28, 8, 2", "42, 4, 3", "14, 4, 4", "56, 8, 5", "42, 4, 6"})
    void oneSettingIsToldFromAnother(int channels, int ranks, long seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks)
                .withHidden(2048)
                .withSeed(seed)
                .withClocks(200_000, 0);
        Joined few = new Joined(recipe.withCommunication(256, channels));
        Joined many = new Joined(recipe.withCommunication(512, channels));
        List<String> edits = new ArrayList<>();
        many.transfers().forEach((place, time) -> edits.add("collective:" + place + "=" + time + "ns"));

        assertThat(few.length()).isGreaterThan(many.length() + many.length() / 100);
        assertThat(few.after(String.join(";", edits))).isCloseTo(many.length(), within(many.length() / 20));
    }

    @Test
    void sixtyFourRanksComeOutAsRecordedAndTheirPathHasNoHoles() {
        Joined run = new Joined(SyntheticTraces.smallRecipe(64)
                .withSteps(1)
                .withClocks(300_000, 0)
                .withLayers(4)
                .withParallelism(new Parallelism(4, 4, 8, 1, Schedule.ONE_F_ONE_B, List.of())));
        long at = run.window.start();
        for (CriticalPath.Piece piece : run.path.pieces()) {
            assertThat(piece.start()).isEqualTo(at);
            at = piece.end();
        }
        assertThat(at).isEqualTo(run.window.end());
        assertThat(run.after("host=x1")).isEqualTo(run.length());
    }
}
