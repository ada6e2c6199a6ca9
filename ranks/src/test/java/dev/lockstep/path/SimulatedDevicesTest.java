// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.DeviceSimulation.Scenario;
import dev.lockstep.path.DeviceSimulation.Step;
import dev.lockstep.path.DeviceSimulation.Vendor;
import dev.lockstep.path.DeviceSimulation.Work;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What-ifs on traces of simulated devices, against the simulation with other durations. */
class SimulatedDevicesTest {
    private static final long US = 1_000;
    private static final long MS = 1_000_000;
    private static final int NO_ROOM = Integer.MAX_VALUE;

    private static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

    static {
        SCENARIOS.put("host=x1", Scenario.RECORDED);
        SCENARIOS.put("host=x0", new Scenario(0, 1, name -> false));
        SCENARIOS.put("host=x0.5", new Scenario(0.5, 1, name -> false));
        SCENARIOS.put("kernel:*=x0.5", new Scenario(1, 0.5, name -> true));
        SCENARIOS.put("kernel:*=x0", new Scenario(1, 0, name -> true));
        SCENARIOS.put("kernel:gemm*=x0", new Scenario(1, 0, name -> name.startsWith("gemm")));
        SCENARIOS.put("kernel:add=x0.3", new Scenario(1, 0.3, "add"::equals));
        SCENARIOS.put("class:copy=x0", new Scenario(1, 0, name -> name.startsWith("Memcpy")));
        SCENARIOS.put("kernel:*=x2", new Scenario(1, 2, name -> true));
    }

    /** What a program does. */
    private static final class Program {
        private final Vendor vendor;
        private final Random random;
        private final List<Step> steps = new ArrayList<>();
        private int room = NO_ROOM;

        Program(Vendor vendor, long seed) {
            this.vendor = vendor;
            random = new Random(seed);
        }

        private long between(long low, long high) {
            return low + random.nextLong(high - low + 1);
        }

        private String launch() {
            return vendor.launches.get(random.nextInt(vendor.launches.size()));
        }

        Work kernel(int stream, long low, long high, double share) {
            String name = random.nextInt(3) == 0 ? "add" : "gemm" + random.nextInt(3);
            return new Work("kernel", name, stream, between(low, high), share, between(0, 300));
        }

        Program host(long low, long high) {
            steps.add(new Step(null, between(low, high), List.of(), false, -1));
            return this;
        }

        Program launches(long length, Work... work) {
            steps.add(new Step(work.length > 1 ? vendor.graph : launch(), length, List.of(work), false, -1));
            return this;
        }

        Program copies(int stream, long length) {
            Work copy = new Work("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", stream, length, 0, 0);
            steps.add(new Step(vendor.copy, between(5 * US, 9 * US), List.of(copy), true, stream));
            return this;
        }

        Program waits(int stream) {
            String call = vendor.waits.get(stream < 0 ? 1 : 0);
            steps.add(new Step(call, between(2 * US, 4 * US), List.of(), true, stream));
            return this;
        }

        Program frees(long length) {
            steps.add(new Step(vendor.free, length, List.of(), true, -1));
            return this;
        }

        DeviceSimulation made() {
            return new DeviceSimulation(vendor.category, steps, room);
        }
    }

    /** Calls that load their kernels first, once or often, by any vendor's name. */
    private static Program lazyLoading(Vendor vendor, long seed) {
        Program program = new Program(vendor, seed);
        for (int i = 0; i < 120; i++) {
            boolean loads = i % 7 == 3;
            long length = loads ? program.between(300 * US, 15 * MS) : program.between(4 * US, 12 * US);
            program.host(2 * US, 20 * US).launches(length, program.kernel(7, 5 * US, 200 * US, 0));
        }
        return program.waits(7);
    }

    /** Kernels of one stream that overlap, in graphs and launched one by one, from 1 ns to 50 us. */
    private static Program overlaps(Vendor vendor, long seed, boolean graphs) {
        Program program = new Program(vendor, seed);
        for (int i = 0; i < 40; i++) {
            List<Work> nodes = new ArrayList<>();
            for (int n = 0; n < 8; n++) {
                long before = nodes.isEmpty() ? 0 : nodes.getLast().length();
                long shared = Math.round(Math.pow(10, program.random.nextDouble() * 4.7));
                boolean overlaps = program.random.nextInt(3) > 0 && before > 0;
                nodes.add(program.kernel(7, 20 * US, 900 * US, overlaps ? Math.min(0.9, (double) shared / before) : 0));
            }
            program.host(5 * US, 50 * US);
            if (graphs) {
                program.launches(program.between(20 * US, 60 * US), nodes.toArray(Work[]::new));
            } else {
                nodes.forEach(node -> program.launches(program.between(4 * US, 9 * US), node));
            }
            if (i % 10 == 9) {
                program.waits(7);
            }
        }
        return program;
    }

    /** Memory is freed now and then, for which the host waits; it computes on two streams. */
    private static Program frees(Vendor vendor, long seed) {
        Program program = new Program(vendor, seed);
        for (int i = 0; i < 200; i++) {
            int stream = 7 + program.random.nextInt(2);
            program.host(5 * US, 60 * US)
                    .launches(program.between(4 * US, 9 * US), program.kernel(stream, 30 * US, 400 * US, 0));
            if (i % 10 == 9) {
                program.host(2 * US, 10 * US).frees(program.between(90 * US, 110 * US));
                program.host(2 * US, 10 * US).frees(program.between(90 * US, 110 * US));
            }
        }
        return program.waits(-1);
    }

    private static Program copies(Vendor vendor, long seed) {
        Program program = new Program(vendor, seed);
        for (int i = 0; i < 150; i++) {
            program.host(5 * US, 60 * US)
                    .launches(program.between(4 * US, 9 * US), program.kernel(7, 10 * US, 150 * US, 0));
            if (i % 5 == 4) {
                program.copies(7, program.between(2 * US, 900 * US));
            }
        }
        return program;
    }

    /** The host runs ahead until the queue is full. */
    private static Program fullQueue(Vendor vendor, long seed) {
        Program program = new Program(vendor, seed);
        program.room = 128;
        for (int i = 0; i < 800; i++) {
            program.host(US, 6 * US).launches(program.between(4 * US, 9 * US), program.kernel(7, 15 * US, 60 * US, 0));
        }
        return program.host(9 * MS, 12 * MS).waits(7);
    }

    static Stream<Arguments> programs() {
        return Stream.of(Vendor.values())
                .flatMap(vendor -> LongStream.rangeClosed(1, 3)
                        .boxed()
                        .flatMap(seed -> Stream.of(
                                Arguments.of("lazy loading", vendor, seed, lazyLoading(vendor, seed)),
                                Arguments.of("overlaps", vendor, seed, overlaps(vendor, seed, false)),
                                Arguments.of("overlaps in graphs", vendor, seed, overlaps(vendor, seed, true)),
                                Arguments.of("frees", vendor, seed, frees(vendor, seed)),
                                Arguments.of("copies", vendor, seed, copies(vendor, seed)),
                                Arguments.of("full queue", vendor, seed, fullQueue(vendor, seed)))));
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("programs")
    void whatIfsComeOutAsTheSimulationDoes(String kind, Vendor vendor, long seed, Program program) {
        DeviceSimulation simulation = program.made();
        Dependencies.Result result = new Dependencies(
                        WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("A100")),
                        null,
                        new ReportOptions.Paths("all", List.copyOf(SCENARIOS.keySet())))
                .run(new DerivedCache(TestTraces.of(simulation.trace())));
        long span = simulation.length(Scenario.RECORDED);
        assertThat(result.length()).isEqualTo(span);
        Table whatIf = result.tables().stream()
                .filter(table -> table.name().equals("what_if"))
                .findFirst()
                .orElseThrow();
        int row = 0;
        for (Map.Entry<String, Scenario> scenario : SCENARIOS.entrySet()) {
            long after = whatIf.longs(whatIf.schema().indexOf("after_us")).get(row++);
            long truth = simulation.length(scenario.getValue());
            long tolerance = scenario.getKey().equals("host=x1") ? 0 : Math.max(truth, span) / 100;
            assertThat(after).as(scenario.getKey()).isCloseTo(truth, within(tolerance));
        }
    }
}
