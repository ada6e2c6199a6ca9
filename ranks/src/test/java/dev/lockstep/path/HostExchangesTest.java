// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.analyze.comm.StepsByRank;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.synth.GlooRecipe;
import dev.lockstep.synth.GlooRecipe.Stage;
import dev.lockstep.synth.GlooRun;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs over gloo, judged by what is known of how they were made. */
class HostExchangesTest {
    private static final long MS = 1_000_000;

    /** What is slow at the end of a step shows at the collectives of the next: the first step does not have it. */
    private static final int STEPS = 12;

    private final List<DerivedCache> ranks = new ArrayList<>();

    private List<RankCollectives> read(GlooRecipe recipe) throws IOException {
        for (int rank = 0; rank < recipe.ranks(); rank++) {
            Trace trace = TestTraces.read(GlooRun.bytes(recipe, rank));
            ranks.add(new DerivedCache(trace));
        }
        return ranks.stream()
                .map(cache -> cache.get(RankCollectives.Key.standard()))
                .toList();
    }

    private MatchedRanks matched() {
        List<KeptRank> kept = ranks.stream().map(KeptRank::withoutPart).toList();
        return MatchedRanks.of(kept, "run", CollectiveOptions.standard());
    }

    private List<Integer> slow() {
        return matched().slow().slow().stream().map(Slow::rank).toList();
    }

    private static GlooRecipe recipe(int ranks, boolean devices) {
        return GlooRecipe.standard().withRanks(ranks).withSteps(6).onDevices(devices);
    }

    @ParameterizedTest
    @CsvSource({
        "2, false, DATA, 1",
        "3, false, FORWARD, 0",
        "4, false, BACKWARD, 2",
        "3, false, OPTIMIZER, 2",
        "4, true, DATA, 3",
        "3, true, FORWARD, 1",
        "2, true, BACKWARD, 0",
        "4, true, OPTIMIZER, 1"
    })
    void collectivesWaitForTheSlowRankByWhatItIsLate(int n, boolean devices, Stage stage, int slow) throws IOException {
        GlooRecipe recipe =
                recipe(n, devices).withSlow(slow, stage, 12 * MS).withSeed(n).withSteps(STEPS);
        Collectives collectives = Collectives.of(read(recipe), CollectiveOptions.standard());
        long[] late = GlooRun.truth(recipe).latenessNanos()[slow];
        assertThat(collectives.all()).hasSize(STEPS * 3).allMatch(one -> one.present() == n && one.isWhole());
        assertThat(collectives.match().disagreements()).isZero();
        for (int step = 0; step < late.length; step++) {
            Collective first = collectives.all().get(step * 3);
            if (late[step] > MS) {
                assertThat(first.last()).isEqualTo(slow);
                assertThat(first.delay()).isBetween(late[step] - MS, late[step]);
                assertThat(first.waitedForHost()).isGreaterThan(first.waited() * 3 / 4);
            }
        }
        assertThat(slow()).containsExactly(slow);
    }

    @ParameterizedTest
    @CsvSource({
        "3, false, DATA, 0, 1",
        "4, false, FORWARD, 1, 2",
        "3, false, BACKWARD, 2, 3",
        "4, false, OPTIMIZER, 3, 4",
        "4, true, DATA, 0, 5",
        "3, true, FORWARD, 2, 6",
        "4, true, BACKWARD, 1, 7",
        "3, true, OPTIMIZER, 0, 8"
    })
    void theRunWithoutTheSlowRankIsForeseen(int n, boolean devices, Stage stage, int slow, long seed)
            throws IOException {
        GlooRecipe recipe =
                recipe(n, devices).withSlow(slow, stage, 7 * MS).withSeed(seed).withModel((int) (3 + seed), 256);
        GlooRun.Truth truth = GlooRun.truth(recipe);
        Collectives collectives = Collectives.of(read(recipe), CollectiveOptions.standard());
        String edit = "rank:" + slow + "=median;rank:" + slow + ":host=median";
        Table whatIf = RunDependencies.joined(parts(), collectives)
                .tables(new ReportOptions.Paths(null, List.of(edit)), WorkerThreads.none())
                .stream()
                .filter(table -> table.name().equals("what_if"))
                .findFirst()
                .orElseThrow();
        long gain = whatIf.longs(whatIf.schema().indexOf("gain_us")).get(0);
        assertThat(gain)
                .isCloseTo(truth.runNanos() - truth.withoutSlowNanos(), Offset.offset(3 * truth.runNanos() / 100));
    }

    private List<RankPart> parts() {
        return ranks.stream()
                .map(cache -> RankPart.of(cache, AnalysisRules.standard()))
                .toList();
    }

    /** Whichever rank, stage and delay: 40 runs. */
    @ParameterizedTest
    @EnumSource(Stage.class)
    void theStageInWhichTheHostIsLateIsNamed(Stage stage) throws IOException {
        Map<Stage, String> words = Map.of(
                Stage.DATA, "before the forward pass",
                Stage.FORWARD, "in the forward pass",
                Stage.BACKWARD, "in the backward pass",
                Stage.OPTIMIZER, "after the backward pass");
        for (int seed = 1; seed <= 10; seed++) {
            Random random = new Random(10L * seed + stage.ordinal());
            int n = 2 + random.nextInt(3);
            int late = random.nextInt(n);
            ranks.clear();
            read(recipe(n, random.nextBoolean())
                    .withSeed(seed)
                    .withSlow(late, stage, (4 + random.nextInt(20)) * MS)
                    .withModel(2 + random.nextInt(6), 256));
            MatchedRanks run = matched();
            assertThat(run.slow().slow()).as("seed %d", seed).hasSize(1);
            assertThat(run.lateStage(run.slow().slow().getFirst()))
                    .as("seed %d", seed)
                    .contains(words.get(stage));
        }
    }

    @ParameterizedTest
    @CsvSource({"false, DATA", "false, OPTIMIZER", "true, FORWARD", "true, BACKWARD"})
    void stepsOfTheSlowRankTakeItLonger(boolean devices, Stage stage) throws IOException {
        GlooRecipe recipe = recipe(4, devices).withSlow(2, stage, 9 * MS);
        List<RankCollectives> found = read(recipe);
        double[] own = ranks.stream()
                .mapToDouble(cache -> KeptRank.withoutPart(cache).steps().stream()
                        .mapToDouble(StepsByRank.Step::own)
                        .average()
                        .orElseThrow())
                .toArray();
        double[] others = IntStream.of(0, 1, 3).mapToDouble(rank -> own[rank]).toArray();
        assertThat(own[2] - Arrays.stream(others).max().orElseThrow()).isBetween(7.0 * MS, 9.5 * MS);
        assertThat(Arrays.stream(others).max().orElseThrow()
                        - Arrays.stream(others).min().orElseThrow())
                .isLessThan(MS);
        StragglerCosts costs = RunDependencies.joined(parts(), Collectives.of(found, CollectiveOptions.standard()))
                .costs(
                        ranks.stream()
                                .map(cache -> cache.get(new Steps.Key(null)).steps())
                                .toList(),
                        false,
                        WorkerThreads.none());
        assertThat(costs.worst()).containsExactly(2);
    }

    @Test
    void nobodyIsNamedWhereNobodyIsSlow() throws IOException {
        int named = 0;
        for (long seed = 1; seed <= 6; seed++) {
            ranks.clear();
            read(recipe(3, seed % 2 == 0).withSeed(seed));
            named += slow().size();
        }
        assertThat(named).isLessThanOrEqualTo(1);
    }

    @Test
    void clocksAreFoundByTheEndsOfExchanges() throws IOException {
        GlooRecipe recipe = recipe(3, false).withClocks(50 * MS).withSlow(1, Stage.FORWARD, 8 * MS);
        Collectives collectives = Collectives.of(read(recipe), CollectiveOptions.standard());
        assertThat(collectives.aligned()).isTrue();
        assertThat(collectives.all())
                .allSatisfy(one -> assertThat(one.endSkew()).isLessThan(MS / 4));
        assertThat(slow()).containsExactly(1);
    }
}
