// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The graph of a trace against the dependencies by which the trace was made. */
class SyntheticEdgesTest {
    private static final int RANKS = 4;

    /** When calls begin and device activities end, in the words of the truth. */
    private final Map<String, Long> moments = new HashMap<>();

    @TempDir
    Path directory;

    private static TraceRecipe recipe(String job, boolean graphs) {
        TraceRecipe small = SyntheticTraces.smallRecipe(RANKS).withEdges(true).withGraphs(graphs);
        return switch (job) {
            case "sharded" -> small;
            case "hybrid" -> small.withShardRanks(2);
            case "pipeline" -> small.withParallelism(new Parallelism(2, 2, 4, 1, Schedule.ONE_F_ONE_B, List.of()));
            case "tensor" ->
                small.withLayers(4).withParallelism(new Parallelism(2, 2, 4, 1, Schedule.ZERO_BUBBLE, List.of()));
            case "interleaved" ->
                small.withLayers(4).withParallelism(new Parallelism(2, 1, 4, 2, Schedule.INTERLEAVED, List.of()));
            default ->
                small.withLayers(4).withParallelism(new Parallelism(4, 1, 6, 1, Schedule.ZERO_BUBBLE, List.of()));
        };
    }

    @ParameterizedTest
    @CsvSource({
        "sharded, false, 1",
        "hybrid, false, 2",
        "pipeline, false, 3",
        "interleaved, false, 4",
        "zero-bubble, false, 5",
        "sharded, true, 1",
        "hybrid, true, 2",
        "pipeline, true, 3",
        "tensor, true, 4"
    })
    void everyDependencyIsFoundAndNoneIsMadeUpWhereWaitsAreRecorded(String job, boolean graphs, long seed)
            throws IOException {
        SyntheticRun.write(directory, recipe(job, graphs).withSeed(seed).withSyncEvents(true), Layout.flat());
        for (int rank = 0; rank < RANKS; rank++) {
            Set<String> found = found(rank);
            Set<String> truth = truth(rank, Set.of("launch", "stream", "wait", "sync"));
            assertThat(truth).hasSizeGreaterThan(200);
            assertThat(without(found, truth)).as("made up").isEmpty();
            assertThat(without(truth, found)).as("missing").isEmpty();
        }
    }

    /** Without records, streams that wait for others can be told from times alone. */
    @ParameterizedTest
    @CsvSource({
        "sharded, CUDA, false, 1",
        "sharded, CUDA, false, 6",
        "hybrid, CUDA, false, 2",
        "hybrid, ROCM, false, 7",
        "pipeline, CUDA, false, 3",
        "pipeline, ROCM, false, 8",
        "interleaved, CUDA, false, 4",
        "zero-bubble, CUDA, false, 5",
        "sharded, CUDA, true, 1",
        "hybrid, ROCM, true, 6",
        "pipeline, CUDA, true, 3",
        "interleaved, ROCM, true, 4",
        "tensor, CUDA, true, 5",
        "tensor, ROCM, true, 7"
    })
    void dependenciesAreInferredWhereTheyAreNotRecorded(String job, Vendor vendor, boolean graphs, long seed)
            throws IOException {
        SyntheticRun.write(directory, recipe(job, graphs).withVendor(vendor).withSeed(seed), Layout.flat());
        int found = 0;
        int truth = 0;
        int both = 0;
        int heldUp = 0;
        int heldUpAndFound = 0;
        for (int rank = 0; rank < RANKS; rank++) {
            Set<String> all = truth(rank, Set.of("launch", "stream", "wait", "sync"));
            Set<String> here = new TreeSet<>();
            found(rank).forEach(edge -> here.add(edge.replace("inferred", "wait")));
            found += here.size();
            truth += all.size();
            both += here.size() - without(here, all).size();
            for (String binding : binding(rank)) {
                heldUp += binding.startsWith("wait") ? 1 : 0;
                heldUpAndFound += binding.startsWith("wait") && here.contains(binding) ? 1 : 0;
            }
        }
        assertThat(both).isGreaterThanOrEqualTo(found * 95 / 100).isGreaterThanOrEqualTo(truth * 95 / 100);
        assertThat(heldUp).isGreaterThan(30);
        assertThat(heldUpAndFound).isGreaterThanOrEqualTo(heldUp * 95 / 100);
    }

    /** For each activity, the dependency that held it up by the truth. */
    private Collection<String> binding(int rank) throws IOException {
        Map<String, String> last = new HashMap<>();
        Map<String, Long> when = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve("rank" + rank + "_edges.csv"))) {
            String[] cells = line.split(",");
            if (Set.of("launch", "stream", "wait").contains(cells[0])) {
                long at = moments.get(cells[1]) + Long.parseLong(cells[3]);
                if (at > when.getOrDefault(cells[2], Long.MIN_VALUE)) {
                    when.put(cells[2], at);
                    last.put(cells[2], cells[0] + ' ' + cells[1] + " > " + cells[2]);
                }
            }
        }
        return last.values();
    }

    private static Set<String> without(Set<String> all, Set<String> some) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private Set<String> truth(int rank, Set<String> kinds) throws IOException {
        Set<String> edges = new HashSet<>();
        for (String line : Files.readAllLines(directory.resolve("rank" + rank + "_edges.csv"))) {
            String[] cells = line.split(",");
            if (kinds.contains(cells[0])) {
                edges.add(cells[0] + ' ' + cells[1] + " > " + cells[2]);
            }
        }
        return edges;
    }

    /** The edges of a rank's graph between calls and activities, in the words of the truth. */
    private Set<String> found(int rank) throws IOException {
        Trace trace = TestTraces.read(Files.readAllBytes(directory.resolve("rank" + rank + "_trace.json")));
        DerivedCache cache = new DerivedCache(trace);
        GraphBuilder builder = new GraphBuilder();
        RankGraph graph = RankGraph.of(cache, AnalysisRules.standard(), new int[0], builder, true);
        RankPart part = graph.part();
        Slices slices = trace.slices();
        Set<Long> graphs = new HashSet<>();
        for (int i = 0; i < slices.size(); i++) {
            if (trace.name(i).endsWith("GraphLaunch")) {
                graphs.add(slices.correlation(i));
            }
        }
        Map<Long, Integer> places = new HashMap<>();
        Map<Integer, String> devices = new HashMap<>();
        for (int a = 0; a < graph.activity.size(); a++) {
            long launch = slices.correlation(graph.activity.slice(a));
            int node = graphs.contains(launch) ? places.merge(launch, 1, Integer::sum) : 0;
            String name = "device " + launch + (node == 0 ? "" : "#" + node);
            moments.put(name, graph.end(a));
            devices.put(graph.startVertex(a), name);
            devices.put(graph.endVertex(a), name);
        }
        Map<Integer, String> calls = new HashMap<>();
        Map<Long, String> ends = new HashMap<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall()) {
                moments.put("call " + slices.correlation(i), slices.ts(i));
                calls.put(slices.index(i), "call " + slices.correlation(i));
                ends.put(slices.end(i), "call " + slices.correlation(i));
            }
        }
        Set<String> edges = new HashSet<>();
        for (int e = 0; e < builder.targets.size(); e++) {
            int source = builder.sources.get(e);
            int target = builder.targets.get(e);
            EdgeKind kind = EdgeKind.of(builder.kinds.get(e));
            switch (kind) {
                case NODE -> edges.add("stream " + devices.get(source) + " > " + devices.get(target));
                case STREAM, WAIT, INFERRED ->
                    edges.add(kind.spelling() + ' ' + devices.get(source) + " > " + devices.get(target));
                case LAUNCH -> edges.add("launch " + calls.get(part.event(source)) + " > " + devices.get(target));
                case SYNC -> edges.add("sync " + devices.get(source) + " > " + ends.get(builder.time(target)));
                default -> {}
            }
        }
        return edges;
    }
}
