// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
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
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.Regularity;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run would have taken, against runs that were made otherwise. */
class SyntheticDelaysTest {
    private static final int DELAYS = 20;

    /** What launching, following and waiting may take more or less than other such edges do, in ns. */
    private static final long LATENCIES = 2_000;

    @TempDir
    Path directory;

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
                PathTrack track = graph.tracks.get(graph.track[v]);
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
            return WhatIf.lengthAfter(graph, Edit.parse(edit), window, ends);
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
            long[] at = graph.replay(weights, graph.residual);
            return Arrays.stream(at).max().orElseThrow() - end;
        }

        Set<Integer> onPath() {
            Set<Integer> vertices = new HashSet<>();
            path.pieces().forEach(piece -> vertices.add(piece.vertex()));
            return vertices;
        }
    }

    private long steps(TraceRecipe recipe) throws IOException {
        RunTruth truth = SyntheticRun.write(directory, recipe, Layout.flat().only(0));
        return truth.stepNanos().stream().mapToLong(Long::longValue).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aDelayCostsWhatIsLeftOfItWhenItsSlackIsUsedUp(int seed) throws IOException {
        TraceRecipe recipe = recipe(seed);
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
            long truth = steps(recipe.withDelay(new Delay(rank, slices.correlation(slice), delay))) - undisturbed;
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
     * A run with a slow rank, asked what it would be without, against the run that was made without. Either nothing varies,
     * or collectives run alone: what kernels suffer from a collective that waits beside them, no replay knows.
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
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withSeed(seed)
                .withHidden(2048)
                .withTiming(regularity)
                .withSyncEvents(true);
        if (regularity == Regularity.VARIED) {
            recipe = recipe.withParallelism(new Parallelism(1, 4, 2, 1, Schedule.ONE_F_ONE_B, List.of()));
        }
        Joined without = new Joined(recipe);
        Joined slow = new Joined(recipe.withStraggler(new Straggler(1, kind, amount)));

        assertThat(slow.length()).isGreaterThan(without.length() + without.length() / 50);
        assertThat(slow.after(edit)).isCloseTo(without.length(), within(without.length() / 100));
    }

    /** One setting of the collective library from another: communication as long as it takes there. */
    @ParameterizedTest
    @ValueSource(ints = {28, 42})
    void oneSettingIsToldFromAnother(int channels) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4).withHidden(2048);
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
