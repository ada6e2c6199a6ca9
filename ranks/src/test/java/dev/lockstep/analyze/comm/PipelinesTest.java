// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.analyze.comm.PipelineStep.Pass;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.path.PipelineCauses;
import dev.lockstep.path.PipelineCauses.Cause;
import dev.lockstep.path.PipelineSheets;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.Omission;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.Parallelism.Schedule;
import dev.lockstep.synth.RankTruth;
import dev.lockstep.synth.Regularity;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelinesTest {
    @TempDir
    Path directory;

    private static TraceRecipe recipe(int ranks, Parallelism parallelism) {
        int layers = parallelism.pipeline() * parallelism.chunks();
        return SyntheticTraces.smallRecipe(ranks)
                .withModel(new TraceRecipe.Model(24 % layers == 0 ? 24 : layers, 512, 512, 1))
                .withParallelism(parallelism);
    }

    private static Collectives collectives(List<Trace> traces) {
        List<RankCollectives> ranks = new ArrayList<>();
        for (Trace trace : traces) {
            ranks.add(new DerivedCache(trace).get(RankCollectives.Key.standard()));
        }
        return Collectives.of(ranks, CollectiveOptions.standard());
    }

    private static Pipelines pipelines(TraceRecipe recipe) {
        return Pipelines.of(collectives(SyntheticTraces.synthetic(recipe)));
    }

    /** Stages, micro-batches and chunks of many sizes: micro-batches need not be a multiple of the stages. */
    @Test
    void bubblesOfEqualStagesAreThoseOfTheFormula() {
        Random random = new Random(20);
        for (int trial = 0; trial < 24; trial++) {
            int stages = 2 + random.nextInt(trial < 20 ? 3 : 7);
            int chunks = 1 + random.nextInt(3);
            int rounds = 1 + random.nextInt(3);
            int microBatches = chunks == 1 ? 1 + random.nextInt(12) : rounds * stages + rounds * random.nextInt(2);
            if (chunks > 1 && microBatches % (microBatches / stages) != 0) {
                microBatches = rounds * stages;
            }
            Schedule schedule = chunks == 1 ? Schedule.ONE_F_ONE_B : Schedule.INTERLEAVED;
            Parallelism parallelism = new Parallelism(stages, 1, microBatches, chunks, schedule, List.of());
            List<PipelineStep> found = equal(parallelism);

            for (PipelineStep pipeline : found) {
                assertThat(pipeline.microBatches()).as(parallelism.toString()).isEqualTo(microBatches);
                assertThat(pipeline.chunks()).isEqualTo(chunks);
                assertThat(pipeline.expectedShare())
                        .isCloseTo((stages - 1.0) / (chunks * microBatches + stages - 1), within(1e-12));
                for (int stage = 0; stage < stages; stage++) {
                    assertThat(pipeline.bubble(stage) * (chunks * microBatches + stages - 1L))
                            .as(parallelism.toString())
                            .isEqualTo(pipeline.span() * (stages - 1));
                }
                fillingAndDrainingIsAll(pipeline, found);
            }
        }
    }

    /** Gradients of weights fill the bubbles: (p - 1) (F + B - W) is left of them. */
    @ParameterizedTest
    @CsvSource({"2, 2", "2, 5", "3, 3", "3, 8", "4, 4", "4, 9", "6, 12", "8, 16"})
    void bubblesOfZeroBubbleSchedulesAreThoseOfTheirFormula(int stages, int microBatches) {
        List<PipelineStep> found = equal(new Parallelism(stages, 1, microBatches, 1, Schedule.ZERO_BUBBLE, List.of()));
        for (PipelineStep pipeline : found) {
            Map<Kind, Long> length = new EnumMap<>(Kind.class);
            for (Pass pass : pipeline.stages().getFirst().passes()) {
                assertThat(pass.duration()).isEqualTo(length.computeIfAbsent(pass.kind(), kind -> pass.duration()));
            }
            assertThat(length).hasSize(3);
            long bubble =
                    (stages - 1) * (length.get(Kind.FORWARD) + length.get(Kind.BACKWARD) - length.get(Kind.WEIGHTS));
            for (int stage = 0; stage < stages; stage++) {
                assertThat(pipeline.bubble(stage)).isEqualTo(bubble);
            }
            assertThat(pipeline.expectedShare()).isCloseTo((double) bubble / pipeline.span(), within(1e-12));
            fillingAndDrainingIsAll(pipeline, found);
        }
    }

    /** Nothing varies and nothing but passes takes time. */
    private static List<PipelineStep> equal(Parallelism parallelism) {
        TraceRecipe recipe = recipe(parallelism.pipeline(), parallelism)
                .withLayers(parallelism.pipeline() * parallelism.chunks())
                .withTiming(Regularity.IDEAL);
        Pipelines found = pipelines(recipe);
        assertThat(found.absence()).isEmpty();
        assertThat(found.all()).as(parallelism.toString()).hasSize(2);
        return found.all();
    }

    private static void fillingAndDrainingIsAll(PipelineStep pipeline, List<PipelineStep> all) {
        Map<Cause, Long> causes = PipelineCauses.causes(pipeline, PipelineCauses.alike(pipeline, all));
        assertThat(causes).containsEntry(Cause.WARM_UP_AND_DRAIN, pipeline.bubble(0));
        assertThat(causes.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(pipeline.bubble(0));
    }

    /** Every pass of every micro-batch and chunk is found, with its place and times, in noisy runs on clocks that differ. */
    @ParameterizedTest
    @CsvSource({
        "4, 1, 4, 8, 1, ONE_F_ONE_B, 1", "8, 2, 2, 4, 1, ONE_F_ONE_B, 2", "4, 1, 4, 4, 2, INTERLEAVED, 3",
        "8, 2, 2, 6, 2, INTERLEAVED, 4", "2, 1, 2, 7, 1, ONE_F_ONE_B, 5", "4, 1, 2, 4, 4, INTERLEAVED, 6",
        "4, 1, 4, 8, 1, ZERO_BUBBLE, 7", "8, 2, 2, 5, 1, ZERO_BUBBLE, 8", "3, 1, 3, 4, 1, ZERO_BUBBLE, 9",
        "4, 1, 4, 10, 2, INTERLEAVED, 10", "3, 1, 3, 8, 2, INTERLEAVED, 11"
    })
    void passesAreRecovered(
            int ranks, int tensor, int stages, int microBatches, int chunks, Schedule schedule, long seed)
            throws IOException {
        TraceRecipe recipe = recipe(ranks, new Parallelism(stages, tensor, microBatches, chunks, schedule, List.of()))
                .withSeed(seed)
                .withClocks(200_000, 0);
        RunTruth truth = SyntheticRun.write(directory, recipe, Layout.flat());
        TreeSet<String> expected = new TreeSet<>();
        for (RankTruth rank : truth.ranks()) {
            for (RankTruth.Pass pass : rank.passes()) {
                expected.add(rank.rank() + "/" + (pass.step() - 1) + '/' + pass.pass() + '/' + pass.chunk() + '/'
                        + pass.microBatch() + '/' + (pass.endNanos() - pass.startNanos()));
            }
        }
        List<Trace> traces = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            traces.add(TestTraces.read(Files.readAllBytes(directory.resolve("rank" + rank + "_trace.json"))));
        }
        TreeSet<String> found = new TreeSet<>();
        for (PipelineStep pipeline : Pipelines.of(collectives(traces)).all()) {
            for (int stage = 0; stage < stages; stage++) {
                int rank = pipeline.ranks().get(stage);
                pipeline.stages()
                        .get(stage)
                        .passes()
                        .forEach(pass -> found.add(rank + "/" + pipeline.step() + '/'
                                + pass.kind().name().toLowerCase(Locale.ROOT) + '/' + pass.chunk() + '/'
                                + pass.microBatch() + '/' + pass.duration()));
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void gapsAndCausesAddUpToBubbles() {
        Pipelines found = pipelines(SyntheticTraces.smallRecipe(8)
                .withModel(new TraceRecipe.Model(8, 1024, 2048, 2))
                .withParallelism(new Parallelism(4, 1, 6, 1, Schedule.ONE_F_ONE_B, List.of(1, 4, 2, 1)))
                .withStraggler(new Straggler(3, Straggler.Kind.DEVICE, 1.5)));

        assertThat(found.all()).hasSize(4);
        for (PipelineStep pipeline : found.all()) {
            long bubbles = 0;
            for (int stage = 0; stage < 4; stage++) {
                long gaps = pipeline.stages().get(stage).passes().stream()
                        .mapToLong(pass -> pass.gap().total())
                        .sum();
                long behind = pipeline.end()
                        - pipeline.stages().get(stage).passes().getLast().end();
                assertThat(gaps + behind).isEqualTo(pipeline.bubble(stage));
                bubbles += pipeline.bubble(stage);
            }
            Map<Cause, Long> causes = PipelineCauses.causes(pipeline, PipelineCauses.alike(pipeline, found.all()));
            assertThat(causes.values().stream().mapToLong(Long::longValue).sum())
                    .isCloseTo(bubbles / 4, within(4L));
            assertThat(causes.get(Cause.IMBALANCE)).isGreaterThan(pipeline.span() / 20);
            boolean slow = pipeline.ranks().contains(3);
            assertThat(causes.get(Cause.STRAGGLER) > pipeline.span() / 20).isEqualTo(slow);
        }
    }

    /** With stages of different length, filling and draining takes as long as with equal ones of mean length. */
    @Test
    void unequalStagesAreToldFromTheSchedule() {
        Random random = new Random(5);
        for (int trial = 0; trial < 12; trial++) {
            int stages = 2 + random.nextInt(3);
            List<Integer> layers = IntStream.range(0, stages)
                    .mapToObj(stage -> 1 + random.nextInt(4))
                    .toList();
            int microBatches = stages + random.nextInt(6);
            int all = layers.stream().mapToInt(Integer::intValue).sum();
            TraceRecipe recipe = SyntheticTraces.smallRecipe(stages)
                    .withModel(new TraceRecipe.Model(all, 512, 512, 1))
                    .withParallelism(new Parallelism(stages, 1, microBatches, 1, Schedule.ONE_F_ONE_B, layers))
                    .withTiming(Regularity.IDEAL);
            Pipelines found = pipelines(recipe);
            assertThat(found.all()).hasSize(2);
            for (PipelineStep pipeline : found.all()) {
                double mean = pipeline.meanComputing();
                for (int stage = 0; stage < stages; stage++) {
                    assertThat(pipeline.stages().get(stage).computing() / mean)
                            .isCloseTo(layers.get(stage) * stages / (double) all, within(1e-9));
                }
                Map<Cause, Long> causes = PipelineCauses.causes(pipeline, found.all());
                assertThat((double) causes.get(Cause.WARM_UP_AND_DRAIN))
                        .isCloseTo((stages - 1) * mean / microBatches, within(2.0 * microBatches * stages));
                assertThat(causes.get(Cause.IMBALANCE))
                        .isCloseTo((long) (pipeline.span() - mean) - causes.get(Cause.WARM_UP_AND_DRAIN), within(2L));
                assertThat(List.of(Cause.STRAGGLER, Cause.VARIATION, Cause.TRANSFER, Cause.HOST_AND_REST))
                        .allSatisfy(cause -> assertThat(causes.get(cause)).isZero());
            }
            int longest = layers.indexOf(Collections.max(layers));
            if (layers.stream().distinct().count() > 1) {
                assertThat(new PipelineSheets(found).summary())
                        .contains("stages of different length", "(stage " + longest + " ");
            }
        }
    }

    /** Whatever the groups and the schedule are, the replay explains the recorded run. */
    @ParameterizedTest
    @CsvSource({
        "8, 2, 2, 4, 2, INTERLEAVED, 1 2 3 2", "4, 2, 1, 4, 2, INTERLEAVED, 1 1 1 1",
                "8, 4, 1, 6, 1, ONE_F_ONE_B, 1 2 4 1",
        "8, 2, 4, 4, 1, ONE_F_ONE_B, 3 1", "8, 4, 2, 8, 1, ZERO_BUBBLE, 2 1 3 1", "6, 3, 1, 7, 1, ZERO_BUBBLE, 1 1 2",
        "8, 4, 1, 10, 2, INTERLEAVED, 1 1 2 1 1 1 1 2"
    })
    void theReplayExplainsUnequalStagesInGroups(
            int ranks, int stages, int tensor, int microBatches, int chunks, Schedule schedule, String layers) {
        List<Integer> each =
                Arrays.stream(layers.split(" ")).map(Integer::valueOf).toList();
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks)
                .withModel(new TraceRecipe.Model(
                        each.stream().mapToInt(Integer::intValue).sum(), 1024, 2048, 2))
                .withClocks(300_000, 0)
                .withSyncEvents(true)
                .withParallelism(new Parallelism(stages, tensor, microBatches, chunks, schedule, each));
        Pipelines found = pipelines(recipe);
        assertThat(found.all()).hasSize(2 * ranks / stages);
        assertThat(found.leftOut()).isZero();
        for (PipelineStep pipeline : found.all()) {
            Map<Cause, Long> causes = PipelineCauses.causes(pipeline, PipelineCauses.alike(pipeline, found.all()));
            assertThat(Math.abs(causes.get(Cause.HOST_AND_REST))).isLessThan(pipeline.span() / 25);
            assertThat(causes.get(Cause.TRANSFER)).isBetween(-pipeline.span() / 200, pipeline.span() / 20);
            assertThat(Math.abs(causes.get(Cause.STRAGGLER))).isLessThan(pipeline.span() / 100);
        }
    }

    @Test
    void rolesAreFoundByNameAndWithoutNames() {
        TraceRecipe recipe = recipe(8, new Parallelism(2, 2, 4, 1, Schedule.ONE_F_ONE_B, List.of()));
        for (TraceRecipe one : List.of(recipe, recipe.without(Omission.GROUP_DESCRIPTIONS))) {
            Collectives collectives = collectives(SyntheticTraces.synthetic(one));
            Table roles =
                    ParallelRoles.of(collectives, Pipelines.of(collectives)).table();
            for (int rank = 0; rank < 8; rank++) {
                assertThat(List.of(longs(roles, "pp", rank), longs(roles, "dp", rank), longs(roles, "tp", rank)))
                        .containsExactly((long) rank / 4, (long) rank / 2 % 2, (long) rank % 2);
                assertThat(longs(roles, "ep", rank)).isEqualTo(LongColumn.ABSENT);
            }
        }
    }

    private static long longs(Table table, String column, int row) {
        return table.longs(table.schema().indexOf(column)).get(row);
    }

    /** Ranks in a ring that pass keys and values on while they compute, as context parallelism does. */
    @ParameterizedTest
    @CsvSource({"2, true", "2, false", "4, true", "4, false", "3, true"})
    void ranksInARingAreNoPipeline(int ranks, boolean sendsFirst) {
        List<Trace> traces = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            EventText events = new EventText();
            boolean gives = sendsFirst || rank % 2 == 0;
            for (int i = 0; i < 12; i++) {
                long at = i * 1_000_000L + rank * 1_000L;
                int id = 10 * i;
                events.launch("attention", at, at + 20_000, 300_000, id + 1, 7);
                message(events, at + 5_000, id + (gives ? 2 : 3), gives, rank, ranks);
                message(events, at + 10_000, id + (gives ? 3 : 2), !gives, rank, ranks);
            }
            traces.add(TestTraces.of(events).withRank(new Rank(rank, Rank.Origin.TRACE)));
        }
        Pipelines found = Pipelines.of(collectives(traces));

        assertThat(found.all()).isEmpty();
        assertThat(found.absence()).startsWith("ranks exchange messages");
    }

    private static void message(EventText events, long at, int id, boolean sends, int rank, int ranks) {
        int peer = Math.floorMod(sends ? rank + 1 : rank - 1, ranks);
        events.call("cudaLaunchKernelExC", at, 2_000, id);
        events.device(
                "kernel",
                "ncclDevKernel_SendRecv",
                at + 20_000,
                100_000,
                id,
                sends ? 20 : 24,
                "\"Collective name\": \"" + (sends ? "send" : "recv")
                        + "\", \"dtype\": \"Half\", \"In msg nelems\": 64,"
                        + " \"Out msg nelems\": 64, \"Group size\": " + ranks + ", \"Process Group Name\": \"3\","
                        + " \"Process Group Ranks\": \""
                        + IntStream.range(0, ranks).boxed().toList() + "\", \""
                        + (sends ? "Dst" : "Src") + " Rank\": " + peer);
    }

    /** As where one rank was recorded in an evaluation, or its recording lost messages. */
    @Test
    void aStageWithMorePassesThanMicroBatchesIsLeftOut() {
        Parallelism few = new Parallelism(2, 1, 4, 1, Schedule.ONE_F_ONE_B, List.of());
        Parallelism more = new Parallelism(2, 1, 5, 1, Schedule.ONE_F_ONE_B, List.of());
        List<Trace> traces = new ArrayList<>();
        traces.add(SyntheticTraces.synthetic(recipe(2, few), 0));
        traces.add(SyntheticTraces.synthetic(recipe(2, more), 1));

        Pipelines found = Pipelines.of(collectives(traces));

        assertThat(found.all()).isEmpty();
        assertThat(found.absence()).contains("do not fit together");
    }

    @Test
    void runsWithoutStagesHaveNoPipeline() {
        Collectives sharded = collectives(SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(4)));

        Pipelines found = Pipelines.of(sharded);
        assertThat(found.all()).isEmpty();
        assertThat(found.absence()).contains("no messages");
    }
}
