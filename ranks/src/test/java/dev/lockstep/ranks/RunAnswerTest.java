// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.report.Answer;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Topic;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the first line of a run says, on runs that are made with and without what it names. */
class RunAnswerTest {
    private static MatchedRanks matched(TraceRecipe recipe) {
        List<KeptRank> kept = new ArrayList<>();
        for (Trace trace : SyntheticTraces.synthetic(recipe)) {
            kept.add(KeptRank.of(new DerivedCache(trace.withRank(new Rank(kept.size(), Rank.Origin.TRACE)))));
        }
        return MatchedRanks.of(kept, "run", CollectiveOptions.standard());
    }

    private static long length(TraceRecipe recipe) {
        return SyntheticRun.stepNanos(recipe).stream().mapToLong(ns -> ns).sum();
    }

    /** An answer of one rank with one action, which gains so many thousandths. */
    private static Answer ofRank(String boundBy, double share, long thousandths) {
        Answer.Action action = new Answer.Action(
                "fuse",
                thousandths,
                thousandths,
                thousandths,
                1_000,
                "Fuse it",
                "fuse()",
                "check",
                "It fuses.",
                List.of());
        return new Answer(
                new Answer.Verdict(boundBy, share, boundBy + ": much of it. And more.", 1_000),
                thousandths < 10 ? List.of() : List.of(action),
                thousandths,
                3);
    }

    /** Ranks whose steps all take the same, of which so much is exposed communication. */
    private static FleetSteps even(int ranks, double exposed) {
        double[][] period = new double[ranks][8];
        double[][] own = new double[ranks][8];
        for (int r = 0; r < ranks; r++) {
            Arrays.fill(period[r], 1e6);
            Arrays.fill(own[r], (1 - exposed) * 1e6);
        }
        return new FleetSteps(
                IntStream.range(0, ranks).toArray(),
                new int[ranks],
                LongStream.range(0, 8).toArray(),
                period,
                own,
                own,
                new double[ranks][8]);
    }

    @ParameterizedTest
    @CsvSource({"DEVICE, 1.4, 'Its kernels take longer.'", "HOST, 9000, 'Its CPU is late'"})
    void aSlowRankIsNamedWithItsCauseAndWhatTheRunGains(Kind kind, double amount, String cause) {
        TraceRecipe recipe =
                SyntheticTraces.smallRecipe(4).withSteps(6).withSeed(3).withHidden(2048);
        TraceRecipe slow = recipe.withStraggler(new Straggler(2, kind, amount));
        MatchedRanks run = matched(slow);
        AnswerSection section = Objects.requireNonNull(RunAnswer.of(run, new TreeMap<>()));
        Answer answer = section.answer();

        assertThat(answer.verdict().text())
                .startsWith("Straggler-bound: rank 2 costs ")
                .contains(" of the run", cause);
        Answer.Action action = answer.actions().getFirst();
        assertThat(action.id()).isEqualTo("straggler");
        assertThat(action.gainNs()).isEqualTo(run.gains().rows().getFirst().aloneNs());
        long truth = length(slow) - length(recipe);
        assertThat(action.gainNs()).isCloseTo(truth, within(length(slow) / 50));
        assertThat(section.restsOn()).contains(Topic.LATENESS);
    }

    @Test
    void ofEvenRanksItIsWhatMostHaveInCommonThatBounds() {
        SortedMap<Integer, Answer> ranks = new TreeMap<>();
        ranks.put(0, ofRank("launch-bound", 0.6, 100));
        ranks.put(1, ofRank("launch-bound", 0.5, 0));
        ranks.put(2, ofRank("compute-bound", 0.9, 60));
        ranks.put(3, ofRank("launch-bound", 0.7, 80));
        MatchedRanks run = matched(SyntheticTraces.smallRecipe(4).withSteps(5).withHidden(2048));
        Answer answer = Objects.requireNonNull(RunAnswer.of(run, ranks)).answer();

        assertThat(answer.verdict().text()).isEqualTo("launch-bound: much of it, on 3 of 4 ranks.");
        assertThat(answer.verdict().share()).isEqualTo(0.6);
        Answer.Action action = answer.actions().getFirst();
        assertThat((double) action.gainNs() / action.ofNs()).isCloseTo(0.06, within(1e-6));
        assertThat(action.lowNs()).isZero();
        assertThat((double) action.highNs() / action.ofNs()).isCloseTo(0.1, within(1e-6));
    }

    @Test
    void communicationThatTakesMostOfAStepBoundsARun() {
        FleetSteps steps = even(4, 0.62);
        Answer answer = Objects.requireNonNull(RunAnswer.of(SlowRanks.of(steps), RankGains.NONE, steps))
                .answer();

        assertThat(answer.verdict().boundBy()).isEqualTo("communication-bound");
        assertThat(answer.verdict().text()).contains("62 % of a step");
        assertThat(answer.actions()).isEmpty();
    }

    @Test
    void evenRanksOfWhichNothingElseIsKnownAreBalanced() {
        FleetSteps steps = even(4, 0.08);

        assertThat(Objects.requireNonNull(RunAnswer.of(SlowRanks.of(steps), RankGains.NONE, steps))
                        .answer()
                        .verdict()
                        .text())
                .isEqualTo("Balanced: no slow rank costs the run 2 % or more."
                        + " Exposed communication takes 8.0 % of a step.");
    }

    /** Rank 1 pauses once, in the last of few steps: that is no slow rank, but no balance without a word, either. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void ranksThatAreNotSlowThroughoutMayStillBeWaitedFor(long seed) {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(4)
                .withSteps(3)
                .withSeed(seed)
                .withStraggler(new Straggler(1, Kind.HOST, 4_000, 3));
        Answer answer = Objects.requireNonNull(RunAnswer.of(matched(recipe), new TreeMap<>()))
                .answer();

        assertThat(answer.verdict().boundBy()).isEqualTo("balanced");
        assertThat(answer.verdict().text())
                .startsWith("Balanced: no rank is slow in all steps, but ranks wait ")
                .contains(" of a step for the last to arrive. Rank 1 causes ")
                .endsWith(" 3 steps are too few to say whether that is chance.");
    }

    @Test
    void oneRankAloneHasNoAnswerOfARun() {
        FleetSteps steps = even(1, 0.1);

        assertThat(RunAnswer.of(SlowRanks.of(steps), RankGains.NONE, steps)).isNull();
    }
}
