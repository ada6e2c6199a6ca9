// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.PipelineReplay.Cause;
import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
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
import java.util.List;
import java.util.Map;
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
        return SyntheticTraces.smallRecipe(ranks)
                .withModel(new TraceRecipe.Model(24, 512, 512, 1))
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

    @ParameterizedTest
    @CsvSource({
        "2, 4, 1, ONE_F_ONE_B",
        "4, 8, 1, ONE_F_ONE_B",
        "3, 2, 1, ONE_F_ONE_B",
        "2, 4, 2, INTERLEAVED",
        "4, 8, 2, INTERLEAVED",
        "4, 4, 2, INTERLEAVED"
    })
    void bubblesOfEqualStagesAreThoseOfTheFormula(int stages, int microBatches, int chunks, Schedule schedule) {
        Parallelism parallelism = new Parallelism(stages, 1, microBatches, chunks, schedule, List.of());
        TraceRecipe recipe =
                recipe(stages, parallelism).withLayers(stages * chunks).withTiming(Regularity.IDEAL);
        Pipelines found = pipelines(recipe);

        assertThat(found.absence()).isEmpty();
        assertThat(found.all()).hasSize(2);
        for (PipelineStep pipeline : found.all()) {
            assertThat(pipeline.microBatches()).isEqualTo(microBatches);
            assertThat(pipeline.chunks()).isEqualTo(chunks);
            for (int stage = 0; stage < stages; stage++) {
                assertThat(pipeline.bubble(stage) * (chunks * microBatches + stages - 1L))
                        .isEqualTo(pipeline.span() * (stages - 1));
            }
            Map<Cause, Long> causes = PipelineReplay.causes(pipeline, found.all());
            assertThat(causes.get(Cause.WARM_UP_AND_DRAIN)).isEqualTo(pipeline.bubble(0));
            assertThat(causes.values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(pipeline.bubble(0));
        }
    }

    /** Every pass of every micro-batch and chunk is found, with its place and times, in noisy runs on clocks that differ. */
    @ParameterizedTest
    @CsvSource({
        "4, 1, 4, 8, 1, ONE_F_ONE_B, 1", "8, 2, 2, 4, 1, ONE_F_ONE_B, 2", "4, 1, 4, 4, 2, INTERLEAVED, 3",
        "8, 2, 2, 6, 2, INTERLEAVED, 4", "2, 1, 2, 7, 1, ONE_F_ONE_B, 5", "4, 1, 2, 4, 4, INTERLEAVED, 6"
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
                                + (pass.kind() == Kind.FORWARD ? "forward" : "backward") + '/' + pass.chunk() + '/'
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
            Map<Cause, Long> causes = PipelineReplay.causes(pipeline, PipelineReplay.alike(pipeline, found.all()));
            assertThat(causes.values().stream().mapToLong(Long::longValue).sum())
                    .isCloseTo(bubbles / 4, within(4L));
            assertThat(causes.get(Cause.IMBALANCE)).isGreaterThan(pipeline.span() / 20);
            boolean slow = pipeline.ranks().contains(3);
            assertThat(causes.get(Cause.STRAGGLER) > pipeline.span() / 20).isEqualTo(slow);
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

    @Test
    void runsWithoutStagesHaveNoPipeline() {
        Collectives sharded = collectives(SyntheticTraces.synthetic(SyntheticTraces.smallRecipe(4)));

        Pipelines found = Pipelines.of(sharded);
        assertThat(found.all()).isEmpty();
        assertThat(found.absence()).contains("no messages");
    }
}
