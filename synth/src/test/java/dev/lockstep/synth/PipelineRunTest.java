// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.ParsedTrace.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineRunTest {
    @TempDir
    Path directory;

    private static TraceRecipe recipe(int ranks, Parallelism parallelism, int layers) {
        return TraceRecipe.standard()
                .withRanks(ranks)
                .withModel(new TraceRecipe.Model(layers, 1024, 512, 1))
                .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                .withClocks(0, 0)
                .withSteps(2)
                .withParallelism(parallelism);
    }

    private RunTruth run(TraceRecipe recipe) throws IOException {
        return SyntheticRun.write(directory, recipe, Layout.flat());
    }

    private static long length(RankTruth.Pass pass) {
        return pass.endNanos() - pass.startNanos();
    }

    /** Bubbles of equal stages, as papers have them: what a stage does not compute of the time that all take. */
    @ParameterizedTest
    @CsvSource({
        "2, 2, 1, ONE_F_ONE_B", "4, 8, 1, ONE_F_ONE_B", "4, 2, 1, ONE_F_ONE_B", "3, 7, 1, ONE_F_ONE_B",
        "2, 4, 2, INTERLEAVED", "4, 4, 2, INTERLEAVED", "4, 8, 2, INTERLEAVED", "4, 8, 3, INTERLEAVED",
        "4, 6, 2, INTERLEAVED", "4, 10, 2, INTERLEAVED"
    })
    void bubblesOfEqualStagesAreWhatTheFormulaSays(int stages, int microBatches, int chunks, Schedule schedule)
            throws IOException {
        Parallelism parallelism = new Parallelism(stages, 1, microBatches, chunks, schedule, List.of());
        RunTruth truth = run(recipe(stages, parallelism, stages * chunks).withTiming(Regularity.IDEAL));

        for (int step = 1; step <= 2; step++) {
            int at = step;
            List<RankTruth.Pass> all = truth.ranks().stream()
                    .flatMap(rank -> rank.passes().stream())
                    .filter(pass -> pass.step() == at)
                    .toList();
            long span = all.stream().mapToLong(RankTruth.Pass::endNanos).max().orElseThrow()
                    - all.stream().mapToLong(RankTruth.Pass::startNanos).min().orElseThrow();
            for (RankTruth rank : truth.ranks()) {
                long bubble = span
                        - rank.passes().stream()
                                .filter(pass -> pass.step() == at)
                                .mapToLong(PipelineRunTest::length)
                                .sum();
                assertThat(bubble * (chunks * microBatches + stages - 1L)).isEqualTo(span * (stages - 1));
            }
        }
    }

    @Test
    void gradientsOfWeightsFillBubbles() throws IOException {
        Parallelism parallelism = new Parallelism(4, 1, 8, 1, Schedule.ZERO_BUBBLE, List.of());
        RunTruth truth = run(recipe(4, parallelism, 4).withTiming(Regularity.IDEAL));
        List<RankTruth.Pass> passes = truth.ranks().getFirst().passes();
        Map<String, Long> lengths = new HashMap<>();
        passes.forEach(pass -> lengths.merge(pass.pass(), length(pass), Math::max));
        long forward = lengths.get("forward");
        long backward = lengths.get("backward");
        long weights = lengths.get("weights");
        List<RankTruth.Pass> first = passes.stream().filter(p -> p.step() == 1).toList();

        long span = first.getLast().endNanos() - first.getFirst().startNanos();
        assertThat(span - 8 * (forward + backward + weights)).isEqualTo(3 * (forward + backward - weights));
    }

    @ParameterizedTest
    @CsvSource({"ONE_F_ONE_B, 1", "INTERLEAVED, 2", "ZERO_BUBBLE, 1"})
    void everyMicroBatchPassesEveryStageInOrder(Schedule schedule, int chunks) throws IOException {
        Parallelism parallelism = new Parallelism(2, 2, 4, chunks, schedule, List.of());
        RunTruth truth = run(recipe(8, parallelism, 4));
        Map<String, Long> ends = new TreeMap<>();
        for (RankTruth rank : truth.ranks()) {
            for (RankTruth.Pass pass : rank.passes()) {
                int stage = pass.chunk() * 2 + rank.rank() / 4;
                ends.put(
                        pass.step() + pass.pass() + pass.microBatch() + '@' + stage + '/' + rank.rank() % 4,
                        pass.endNanos());
            }
        }
        int kinds = schedule == Schedule.ZERO_BUBBLE ? 3 : 2;
        assertThat(ends).hasSize(2 * kinds * 4 * 2 * chunks * 4);
        ends.forEach((key, end) -> {
            Long next = ends.get(key.replaceFirst("@\\d", "@" + (key.charAt(key.indexOf('@') + 1) - '0' + 1)));
            if (next != null && !key.contains("weights")) {
                assertThat(end < next).isEqualTo(key.contains("forward"));
            }
        });
    }

    @Test
    void stagesMayHoldDifferentNumbersOfLayers() throws IOException {
        Parallelism parallelism = new Parallelism(3, 1, 3, 1, Schedule.ONE_F_ONE_B, List.of(1, 3, 2));
        RunTruth truth = run(recipe(3, parallelism, 6).withTiming(Regularity.IDEAL));

        long one = length(truth.ranks().get(0).passes().getFirst());
        assertThat(length(truth.ranks().get(1).passes().getFirst())).isEqualTo(3 * one);
        assertThat(length(truth.ranks().get(2).passes().getFirst())).isEqualTo(2 * one);
    }

    @Test
    void transfersNameTheirPeersAndGroups() throws IOException {
        run(recipe(8, new Parallelism(2, 2, 2, 1, Schedule.ONE_F_ONE_B, List.of()), 2));
        ParsedTrace second = ParsedTrace.of(Files.readAllBytes(directory.resolve("rank5_trace.json")));

        List<Event> transfers = second.collectives().stream()
                .filter(e -> e.name().contains("SendRecv"))
                .toList();
        assertThat(transfers).hasSize(2 * 2 * 2);
        assertThat(transfers).allSatisfy(e -> {
            assertThat(e.args().get("Process Group Ranks")).isEqualTo("[1, 5]");
            assertThat(e.args().get("Process Group Description")).isEqualTo("mesh_pp");
            assertThat(e.number(e.args().get("Collective name").equals("send") ? "Dst Rank" : "Src Rank"))
                    .isEqualTo(1);
        });
        assertThat(second.collectives())
                .extracting(e -> e.args().get("Process Group Ranks"))
                .contains("[4, 5]", "[5, 7]", "[0, 1, 2, 3, 4, 5, 6, 7]");
    }

    @Test
    void waitsAreRecordedWhereTheyAreAskedFor() throws IOException {
        TraceRecipe recipe = SmallRecipes.small().withSyncEvents(true).withEdges(true);
        run(recipe);
        ParsedTrace trace = ParsedTrace.of(Files.readAllBytes(directory.resolve("rank0_trace.json")));
        Map<Long, String> calls = new HashMap<>();
        trace.complete("cuda_runtime").forEach(e -> calls.put(e.number("correlation"), e.name()));
        List<Event> waits = trace.where(e -> e.is("cuda_sync") && e.name().equals("Stream Wait Event"));

        assertThat(waits).isNotEmpty().allSatisfy(e -> {
            assertThat(calls).containsEntry(e.number("correlation"), "cudaStreamWaitEvent");
            assertThat(calls).containsEntry(e.number("wait_on_cuda_event_record_corr_id"), "cudaEventRecord");
        });
        assertThat(trace.where(e -> e.is("cuda_sync"))).extracting(Event::name).contains("Context Sync", "Stream Sync");
        assertThat(Files.readAllLines(directory.resolve("rank0_edges.csv")))
                .contains("edge,from,to,cost_ns")
                .anyMatch(line -> line.startsWith("wait,device "))
                .anyMatch(line -> line.startsWith("hand_over,call "));
    }

    @ParameterizedTest
    @CsvSource({"DEVICE, 1.5", "CLOCK, 0.5", "WORK, 1.5", "HOST, 20000", "GC, 40000"})
    void everyKindOfStragglerCostsWhatTheTruthSays(Straggler.Kind kind, double amount) throws IOException {
        TraceRecipe even = SmallRecipes.small().withStraggler(TraceRecipe.NO_STRAGGLER, 1);
        RunTruth truth = run(even.withStraggler(new Straggler(1, kind, amount)));
        RunTruth without = run(even);
        for (RankTruth rank : truth.ranks()) {
            long excess = sum(rank.excessNanosByStep());
            long paused = sum(rank.pausedNanosByStep());
            boolean host = kind == Straggler.Kind.HOST || kind == Straggler.Kind.GC;
            if (rank.rank() != 1) {
                assertThat(excess + paused).isZero();
            } else if (host) {
                assertThat(paused).isEqualTo(kind == Straggler.Kind.GC ? 40_000_000 : 2 * 20_000_000);
            } else {
                assertThat(excess)
                        .isCloseTo(
                                sum(rank.computeNanosByStep())
                                        - sum(without.ranks().get(1).computeNanosByStep()),
                                org.assertj.core.data.Percentage.withPercentage(10));
            }
        }
        assertThat(truth.meanStepNanos()).isGreaterThan(without.meanStepNanos());
    }

    private static long sum(List<Long> nanos) {
        return nanos.stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void aDelayLengthensOneActivity() {
        TraceRecipe even = SmallRecipes.small().withTiming(Regularity.EVEN);
        ParsedTrace before = ParsedTrace.of(even, 0);
        Event kernel = before.complete("kernel").stream()
                .filter(e -> !e.name().startsWith("nccl"))
                .toList()
                .get(40);
        ParsedTrace after = ParsedTrace.of(even.withDelay(new Delay(0, kernel.number("correlation"), 123_456)), 0);

        assertThat(after.complete("kernel"))
                .filteredOn(e -> e.number("correlation") == kernel.number("correlation"))
                .singleElement()
                .satisfies(e -> assertThat(e.duration()).isEqualTo(kernel.duration() + 123_456));
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recipe(4, new Parallelism(3, 1, 3, 1, Schedule.ONE_F_ONE_B, List.of()), 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recipe(2, new Parallelism(2, 1, 3, 1, Schedule.ONE_F_ONE_B, List.of()), 3));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Parallelism(2, 1, 5, 2, Schedule.INTERLEAVED, List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Parallelism(2, 1, 4, 2, Schedule.ONE_F_ONE_B, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Schedule.of("gpipe"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Straggler(1, Straggler.Kind.CLOCK, 2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SmallRecipes.small().withVendor(Vendor.ROCM).withSyncEvents(true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SmallRecipes.small().withStraggler(new Straggler(9, Straggler.Kind.HOST, 5)));
    }
}
