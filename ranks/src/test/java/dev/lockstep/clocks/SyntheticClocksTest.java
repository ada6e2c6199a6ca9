// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.Collective;
import dev.lockstep.analyze.comm.Collectives;
import dev.lockstep.derive.CollectiveMatch;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.synth.Parallelism;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clocks of synthetic runs of every kind of parallelism, whose truth is known: the times of a run on one clock, shown by others. */
class SyntheticClocksTest {
    private static final int TRIALS = 25;

    /** What a clock shows: a line, which is set on by a jump at a moment. */
    private record True(long offset, double ppm, long jumpAt, long jump) {
        long shows(long time) {
            return time + offset + Math.round(time * ppm * 1e-6) + (time >= jumpAt ? jump : 0);
        }
    }

    /** What ties the ranks of a run, times from its begin on one clock. */
    private static final class Run {
        final Ties ties;
        final List<RankRecording> ranks;
        final long begin;

        Run(TraceRecipe recipe) {
            List<RankCollectives> kernels = SyntheticTraces.collectives(recipe);
            ties = Ties.of(CollectiveMatch.of(kernels));
            ranks = kernels.stream().map(RankRecording::of).toList();
            begin = ranks.stream().mapToLong(RankRecording::first).min().orElse(0);
        }

        Clocks shownBy(List<True> clocks) {
            Ties.Collector shown = new Ties.Collector(ranks.size());
            for (int i = 0; i < ties.instances; i++) {
                shown.collective();
                for (int p = ties.firstPoint[i]; p < ties.firstPoint[i + 1]; p++) {
                    True clock = clocks.get(ties.rank[p]);
                    shown.member(ties.rank[p], clock.shows(ties.start[p] - begin), clock.shows(ties.end[p] - begin));
                }
            }
            List<RankRecording> recordings = new ArrayList<>();
            for (int rank = 0; rank < ranks.size(); rank++) {
                RankRecording own = ranks.get(rank);
                recordings.add(new RankRecording(
                        own.info(),
                        clocks.get(rank).shows(own.first() - begin) - own.info().originNs(),
                        clocks.get(rank).shows(own.last() - begin) - own.info().originNs()));
            }
            return Clocks.of(recordings, shown.ties(), 1);
        }

        /** How far the estimate of a clock is wrong at most. */
        long error(List<True> clocks, Clocks found, int rank) {
            ClockLine line = found.line(rank);
            long worst = 0;
            for (int part = 0; part <= 8; part++) {
                RankRecording own = ranks.get(rank);
                long moment = own.first() - begin + (own.last() - own.first()) * part / 8;
                long shown = clocks.get(rank).shows(moment);
                long ahead = shown - clocks.get(line.block()).shows(moment);
                worst = Math.max(worst, Math.abs(ahead - line.ahead(shown)));
            }
            return worst;
        }
    }

    private static TraceRecipe recipe(int ranks, int stages, int tensor, int steps, long seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(ranks)
                .withModel(new TraceRecipe.Model(Math.max(2, stages * 2), 512, 256, 1))
                .withSteps(steps)
                .withSeed(seed)
                .withStraggler((int) (seed % ranks), 1.3);
        return stages * tensor == 1
                ? recipe
                : recipe.withParallelism(
                        new Parallelism(stages, tensor, 2 * stages, 1, Parallelism.Schedule.ONE_F_ONE_B, List.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "4, 1, 1, 1, 1",
        "4, 1, 1, 6, 2",
        "2, 2, 1, 2, 3",
        "4, 4, 1, 3, 4",
        "8, 4, 1, 2, 5",
        "8, 2, 2, 3, 6",
        "8, 1, 4, 2, 7",
        "12, 3, 2, 2, 8",
        "8, 8, 1, 2, 9",
        "16, 4, 2, 1, 10"
    })
    void offsetsAndDriftsLieWithinTheirErrors(int ranks, int stages, int tensor, int steps, long seed) {
        Run run = new Run(recipe(ranks, stages, tensor, steps, seed));
        Random random = new Random(seed);
        int all = 0;
        int offsets = 0;
        int drifts = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            double most = Math.pow(10, 3 + 7 * random.nextDouble());
            double ppm = random.nextInt(4) == 0 ? 0 : 100 * random.nextDouble();
            List<True> clocks = IntStream.range(0, ranks)
                    .mapToObj(r -> new True(
                            Math.round(most * (2 * random.nextDouble() - 1)),
                            ppm * (2 * random.nextDouble() - 1),
                            Long.MAX_VALUE,
                            0))
                    .toList();
            Clocks found = run.shownBy(clocks);
            assertThat(found.isComplete()).isTrue();
            assertThat(found.error()).isLessThan(100_000);
            for (int rank = 0; rank < ranks; rank++) {
                ClockLine line = found.line(rank);
                double drift = 1 - (1 + clocks.get(line.block()).ppm * 1e-6) / (1 + clocks.get(rank).ppm * 1e-6);
                all++;
                offsets += run.error(clocks, found, rank) <= line.errorNs() + 1 ? 1 : 0;
                drifts += Math.abs(drift - line.drift()) <= line.driftError() ? 1 : 0;
            }
        }
        assertThat(offsets).isGreaterThanOrEqualTo(all * 95 / 100);
        assertThat(drifts).isGreaterThanOrEqualTo(all * 95 / 100);
    }

    /** A clock that is set anew is no line: the error says by how much it is wrong, and that it is. */
    @ParameterizedTest
    @CsvSource({"4, 1, 1, 6, 11", "4, 4, 1, 4, 12", "8, 2, 2, 3, 13", "4, 2, 1, 8, 14"})
    void aJumpIsWithinTheErrorAndIsSaid(int ranks, int stages, int tensor, int steps, long seed) {
        Run run = new Run(recipe(ranks, stages, tensor, steps, seed));
        Random random = new Random(seed);
        long length = run.ranks.getFirst().to() - run.ranks.getFirst().from();
        int all = 0;
        int good = 0;
        int said = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            int jumping = random.nextInt(ranks);
            long jump = (random.nextBoolean() ? 1 : -1) * (20_000 + random.nextLong(length / 20));
            long at = length / 5 + random.nextLong(3 * length / 5);
            List<True> clocks = IntStream.range(0, ranks)
                    .mapToObj(r ->
                            new True(random.nextLong(5_000_000), 20 * random.nextDouble(), at, r == jumping ? jump : 0))
                    .toList();
            Clocks found = run.shownBy(clocks);
            for (int rank = 0; rank < ranks; rank++) {
                all++;
                good += run.error(clocks, found, rank) <= found.line(rank).errorNs() + 1 ? 1 : 0;
            }
            said += found.error() > Math.abs(jump) / 4 ? 1 : 0;
        }
        assertThat(good).isGreaterThanOrEqualTo(all * 95 / 100);
        assertThat(said).isEqualTo(TRIALS);
    }

    /** What ranks wait is what they wait on one clock. */
    @ParameterizedTest
    @CsvSource({
        "4, 1, 1, 21, 3000000, 0",
        "4, 1, 1, 22, 900000000, 100",
        "4, 4, 1, 23, 3000000, 20",
        "8, 2, 2, 24, 50000, 50"
    })
    void waitingIsThatOfOneClock(int ranks, int stages, int tensor, long seed, long offset, double ppm) {
        TraceRecipe recipe = recipe(ranks, stages, tensor, 3, seed);
        Collectives here =
                Collectives.of(SyntheticTraces.collectives(recipe.withClocks(0, 0)), CollectiveOptions.standard());
        Collectives there = Collectives.of(
                SyntheticTraces.collectives(recipe.withClocks(offset, ppm)), CollectiveOptions.standard());
        long waited = 0;
        long different = 0;
        for (int i = 0; i < here.all().size(); i++) {
            Collective one = here.all().get(i);
            Collective other = there.all().get(i);
            assertThat(other.waiting()).isEqualTo(one.waiting());
            for (int m = 0; one.waits() && m < one.present(); m++) {
                long error = there.clocks().error();
                assertThat(there.waitOf(other, m)).isCloseTo(here.waitOf(one, m), within(2 * error + 2));
                assertThat(there.waitOf(other, m))
                        .isLessThanOrEqualTo(there.rank(there.match().rank(i, m))
                                        .dur(there.match().row(i, m))
                                + 1);
                waited += here.waitOf(one, m);
                different += Math.abs(there.waitOf(other, m) - here.waitOf(one, m));
            }
        }
        assertThat(different).isLessThan(waited / 50);
    }
}
