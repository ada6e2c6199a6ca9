// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.RankClock;
import dev.lockstep.synth.RunTruth;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClockFitTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    Path folder;

    private static int[] each(int ranks) {
        int[] nodes = new int[ranks];
        Arrays.fill(nodes, -1);
        return nodes;
    }

    private static int[] nodesOf(int ranks, int gpusPerNode) {
        return IntStream.range(0, ranks).map(rank -> rank / gpusPerNode).toArray();
    }

    private static void isWithinError(ClockRun run, ClockFit fit, String what) {
        for (int rank = 0; rank < run.clocks.length; rank++) {
            assertThat(run.error(fit, rank))
                    .as(what + ", rank " + rank + ": " + fit.lines().get(rank))
                    .isLessThanOrEqualTo(fit.lines().get(rank).errorNs());
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 500000, 0", "3, 3000000, 20", "4, 50000000, 5"})
    void theTruthOfASyntheticRunLiesWithinTheError(long seed, long offset, double drift) throws IOException {
        TraceRecipe recipe =
                SyntheticTraces.smallRecipe(4).withSeed(seed).withSteps(12).withClocks(offset, drift);
        RunTruth truth = SyntheticRun.write(folder, recipe, Layout.flat());
        List<RankCollectives> ranks = SyntheticTraces.collectives(recipe);
        List<RankRecording> recordings = ranks.stream().map(RankRecording::of).toList();
        ClockFit fit = ClockFit.of(recordings, Ties.of(CollectiveMatch.of(ranks)), each(4));
        RankClock first = truth.ranks().getFirst().clock();
        long begin = recordings.getFirst().first() - first.read(0);
        long length = truth.stepNanos().stream().mapToLong(n -> n).sum();
        for (int rank = 0; rank < 4; rank++) {
            RankClock clock = truth.ranks().get(rank).clock();
            for (long moment = 0; moment <= length; moment += length / 10) {
                long shown = begin + clock.read(moment);
                long estimated = shown - fit.lines().get(rank).ahead(shown);
                assertThat(Math.abs(estimated - begin - first.read(moment)))
                        .as("rank " + rank + " at " + moment)
                        .isLessThanOrEqualTo(fit.lines().get(rank).errorNs());
            }
            assertThat(fit.lines().get(rank).errorNs()).isLessThan(20_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 15, 16, 40, 200})
    void theTruthLiesWithinTheErrorHoweverFewTheCollectives(int count) {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int size = 2 + random.nextInt(7);
            ClockRun run = new ClockRun(seed, size, SECOND / 10 + random.nextLong(SECOND))
                    .clocks(1, 50_000_000, seed % 2 == 0 ? 0 : 40)
                    .collectives(
                            count,
                            1 + random.nextInt(3_000),
                            seed % 3 == 0 ? 0.15 : 0,
                            random.nextInt(size),
                            IntStream.range(0, size).toArray());
            run.record();
            isWithinError(run, run.fit(each(size)), "seed " + seed);
        }
    }

    @Test
    void clocksOfNodesAreFoundThoughMostCollectivesStayInside() {
        for (long seed = 0; seed < 25; seed++) {
            ClockRun run = new ClockRun(seed, 16, SECOND / 2).clocks(4, 20_000_000, seed % 2 == 0 ? 0 : 30);
            for (int node = 0; node < 4; node++) {
                run.collectives(
                        120,
                        1_500,
                        0.05,
                        4 * node + 1,
                        IntStream.range(4 * node, 4 * node + 4).toArray());
            }
            for (int local = 0; local < 4; local++) {
                run.collectives(14, 1_500, 0.05, -1, local, local + 4, local + 8, local + 12);
            }
            run.record();
            ClockFit alone = run.fit(each(16));
            isWithinError(run, alone, "alone, seed " + seed);
            ClockFit together = run.fit(nodesOf(16, 4));
            isWithinError(run, together, "together, seed " + seed);
            for (int node = 0; node < 4; node++) {
                assertThat(together.shared()[node])
                        .as("node " + node + ", seed " + seed)
                        .isTrue();
            }
            assertThat(together.lines().get(1).offsetNs()).isZero();
            assertThat(together.lines().get(7).errorNs()).isLessThan(40_000);
        }
    }

    @Test
    void ranksWithClocksOfTheirOwnAreNotTakenTogether() {
        ClockRun run = new ClockRun(5, 8, SECOND / 2)
                .clocks(1, 500_000, 10)
                .collectives(60, 1_000, 0, -1, IntStream.range(0, 8).toArray());
        run.record();
        ClockFit fit = run.fit(nodesOf(8, 4));
        assertThat(fit.shared()[0]).isFalse();
        assertThat(fit.shared()[1]).isFalse();
        isWithinError(run, fit, "apart");
    }

    @Test
    void aRankWithoutCollectivesHasTheClockOfItsNode() {
        ClockRun run = new ClockRun(6, 4, SECOND / 2).clocks(2, 5_000_000, 20).collectives(60, 1_000, 0, -1, 0, 1, 2);
        run.record();
        ClockFit fit = run.fit(nodesOf(4, 2));
        assertThat(fit.lines().get(3).basis()).isEqualTo(ClockLine.Basis.NODE);
        isWithinError(run, fit, "by node");
        assertThat(run.fit(each(4)).lines().get(3).basis()).isEqualTo(ClockLine.Basis.NONE);
    }

    /** No rank would have left too early without the offset: one collective tells nothing of it, a few that agree do. */
    @Test
    void fewCollectivesThatAgreeTellAnOffset() {
        for (int count : new int[] {1, 3, 5}) {
            ClockRun run = new ClockRun(9, 2, SECOND / 100);
            run.clocks[1] = new ClockRun.True(12_000, 0);
            run.collectives(count, 50, 0, -1, 0, 1);
            run.record();
            ClockLine clock = run.fit(each(2)).lines().get(1);
            assertThat(clock.offsetNs()).isBetween(11_900L, 12_100L);
            assertThat(clock.errorNs() < 12_000).as("%d: %s", count, clock).isEqualTo(count > 1);
        }
    }

    @Test
    void oneLateEndDecidesNothing() {
        ClockRun run = new ClockRun(8, 2, SECOND / 100);
        run.clocks[1] = new ClockRun.True(123_456, 0);
        run.collectives(40, 50, 0.03, -1, 0, 1);
        run.record();
        ClockLine clock = run.fit(each(2)).lines().get(1);
        assertThat(clock.offsetNs()).isBetween(123_400L, 123_510L);
        assertThat(clock.drift()).isZero();
        assertThat(clock.outliers()).isPositive();
        assertThat(clock.errorNs()).isLessThan(2_000);
    }
}
