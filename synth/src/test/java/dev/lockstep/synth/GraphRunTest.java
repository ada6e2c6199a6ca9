// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.ParsedTrace.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose blocks are launched as graphs. */
class GraphRunTest {
    @TempDir
    Path directory;

    private static TraceRecipe recipe(Vendor vendor, String job) {
        TraceRecipe small = SmallRecipes.small().withVendor(vendor);
        return switch (job) {
            case "sharded" -> small;
            case "tensor" -> small.withParallelism(new Parallelism(2, 2, 4, 1, Schedule.ONE_F_ONE_B, List.of()));
            default -> small.withParallelism(new Parallelism(2, 2, 4, 1, Schedule.ZERO_BUBBLE, List.of()));
        };
    }

    private static Map<String, Long> kernels(ParsedTrace trace) {
        return trace.complete("kernel").stream()
                .collect(Collectors.groupingBy(Event::name, TreeMap::new, Collectors.counting()));
    }

    /** Kernels of graph launches, by correlation number. */
    private static Map<Long, List<Event>> nodes(ParsedTrace trace) {
        Map<Long, List<Event>> nodes = new TreeMap<>();
        for (Event call : trace.where(e -> e.is("cuda_runtime") && e.name().endsWith("GraphLaunch"))) {
            nodes.put(call.number("correlation"), new ArrayList<>());
        }
        for (Event kernel : trace.complete("kernel")) {
            List<Event> of = nodes.get(kernel.number("correlation"));
            if (of != null) {
                of.add(kernel);
            }
        }
        return nodes;
    }

    @ParameterizedTest
    @CsvSource({
        "CUDA, sharded",
        "CUDA, tensor",
        "CUDA, zero-bubble",
        "ROCM, sharded",
        "ROCM, tensor",
        "ROCM, zero-bubble"
    })
    void theSameKernelsAreLaunchedByFewerCalls(Vendor vendor, String job) {
        TraceRecipe alone = recipe(vendor, job);
        for (int rank : new int[] {0, 3}) {
            ParsedTrace trace = ParsedTrace.of(alone.withGraphs(true), rank);
            assertThat(kernels(trace)).isEqualTo(kernels(ParsedTrace.of(alone, rank)));
            Map<Long, List<Event>> graphs = nodes(trace);
            Map<Long, Long> launched = trace.complete("kernel", "gpu_memcpy", "gpu_memset").stream()
                    .collect(Collectors.groupingBy(e -> e.number("correlation"), Collectors.counting()));
            List<Event> calls = trace.where(e -> e.is("cuda_runtime")
                    && (e.name().contains("Launch") || e.name().contains("Mem")));
            assertThat(graphs).isNotEmpty();
            assertThat(calls).allSatisfy(call -> {
                boolean graph = call.name().equals(vendor == Vendor.CUDA ? "cudaGraphLaunch" : "hipGraphLaunch");
                Long activities = launched.getOrDefault(call.number("correlation"), 0L);
                assertThat(graph).isEqualTo(graphs.containsKey(call.number("correlation")));
                assertThat(activities).isBetween(1L, graph ? 100L : 1L);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"CUDA, sharded, 2", "CUDA, tensor, 8", "ROCM, sharded, 2", "ROCM, zero-bubble, 8"})
    void everyLaunchOfAGraphRunsTheSameInTheSameOrder(Vendor vendor, String job, int launches) {
        ParsedTrace trace = ParsedTrace.of(recipe(vendor, job).withGraphs(true), 1);
        Map<List<String>, Integer> seen = new HashMap<>();
        Map<Long, List<String>> byNumber = new HashMap<>();
        nodes(trace).forEach((correlation, nodes) -> {
            long before = 0;
            List<String> names = new ArrayList<>();
            for (Event node : nodes) {
                assertThat(node.start()).isGreaterThanOrEqualTo(before);
                before = node.start() + node.duration();
                names.add(node.name());
                if (vendor == Vendor.CUDA) {
                    long graph = node.number("graph id");
                    assertThat(node.number("graph node id")).isEqualTo((graph << Integer.SIZE) + names.size());
                } else {
                    assertThat(node.args())
                            .containsEntry("kind", "Dispatch Task")
                            .doesNotContainKey("grid");
                }
            }
            seen.merge(names, 1, Integer::sum);
            if (vendor == Vendor.CUDA) {
                long graph = nodes.getFirst().number("graph id");
                assertThat(byNumber.computeIfAbsent(graph, number -> names)).isEqualTo(names);
            }
        });
        assertThat(seen.values())
                .allSatisfy(times -> assertThat(times % launches).isZero());
    }

    @Test
    void aNodeIsDelayedByItsPlace() {
        TraceRecipe even = SmallRecipes.small().withTiming(Regularity.EVEN).withGraphs(true);
        Map<Long, List<Event>> before = nodes(ParsedTrace.of(even, 0));
        long call = before.keySet().iterator().next();
        List<Event> after = nodes(ParsedTrace.of(even.withDelay(new Delay(0, call, 3, 123_456)), 0))
                .get(call);

        for (int i = 0; i < after.size(); i++) {
            long longer = i == 2 ? 123_456 : 0;
            assertThat(after.get(i).duration())
                    .isEqualTo(before.get(call).get(i).duration() + longer);
        }
    }

    /** What a rank has to do more than others is in no graph, as graphs are captured once. */
    @Test
    void furtherWorkIsLaunchedAlone() {
        TraceRecipe small = SmallRecipes.small().withGraphs(true);
        ParsedTrace usual = ParsedTrace.of(small, 1);
        ParsedTrace more = ParsedTrace.of(small.withStraggler(new Straggler(1, Straggler.Kind.WORK, 1.5)), 1);

        assertThat(nodes(more).values().stream().map(List::size).toList())
                .isEqualTo(nodes(usual).values().stream().map(List::size).toList());
        assertThat(more.complete("kernel").size())
                .isGreaterThan(usual.complete("kernel").size() * 4 / 3);
    }

    @ParameterizedTest
    @CsvSource({"CUDA", "ROCM"})
    void theTruthNamesNodesByTheirPlace(Vendor vendor) throws IOException {
        TraceRecipe recipe =
                SmallRecipes.small().withVendor(vendor).withGraphs(true).withEdges(true);
        SyntheticRun.write(directory, recipe, Layout.flat());
        List<String> edges = Files.readAllLines(directory.resolve("rank0_edges.csv"));
        nodes(ParsedTrace.of(Files.readAllBytes(directory.resolve("rank0_trace.json"))))
                .forEach((call, nodes) -> {
                    for (int i = 1; i <= nodes.size(); i++) {
                        String node = "device " + call + '#' + i;
                        String launch = "launch,call " + call + ',' + node + ',';
                        assertThat(edges).anyMatch(line -> line.startsWith(launch));
                        String stream = "stream," + (i == 1 ? "device " : "device " + call + '#' + (i - 1) + ',');
                        assertThat(edges).anyMatch(line -> line.startsWith(stream) && line.contains(',' + node + ','));
                    }
                });
        assertThat(Files.readString(directory.resolve("truth.json"))).contains("\"graphs\": true");
    }
}
