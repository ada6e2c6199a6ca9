// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.Device;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.path.Dependencies;
import dev.lockstep.perfmodel.OpModels;
import dev.lockstep.report.Answer;
import dev.lockstep.synth.Regularity;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What actions promise on made runs, against the run made without what they take away. */
class ActionsOfRunsTest {
    private static final WorkRules RULES =
            WorkRules.standard(AnalysisRules.standard(), OpModels.standard(), Device.named("H200"));

    private static Answer answer(TraceRecipe recipe) {
        DerivedCache cache = new DerivedCache(SyntheticTraces.synthetic(recipe, 0));
        Actions actions = new Actions(RULES);
        Dependencies.Result result =
                new Dependencies(RULES, null, new ReportOptions.Paths(null, List.of()), actions).run(cache);
        return Objects.requireNonNull(Answers.of(actions, result));
    }

    private static Optional<Answer.Action> action(Answer answer, String id) {
        return answer.actions().stream().filter(one -> one.id().equals(id)).findFirst();
    }

    private static TraceRecipe withBatch(TraceRecipe recipe, int batch) {
        TraceRecipe.Model model = recipe.model();
        return recipe.withModel(new TraceRecipe.Model(model.layers(), model.hidden(), model.sequenceLength(), batch));
    }

    private static long left(Answer answer) {
        return answer.verdict().ofNs()
                - action(answer, "no_sync").map(Answer.Action::gainNs).orElse(0L);
    }

    /** Every step ends with a wait. Without any, a run that also waits behind layers takes what the run takes that does not. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1, 1", "1, 2, 2, 2", "2, 1, 3, 1", "4, 1, 4, 1"})
    void withoutWaitsBehindLayersARunTakesWhatItTakesWithoutThem(int ranks, int every, int seed, double host) {
        TraceRecipe plain = SyntheticTraces.smallRecipe(ranks)
                .withLayers(6)
                .withSteps(3)
                .withSeed(seed)
                .withHostFactor(host)
                .withTiming(Regularity.EVEN)
                .withPythonStacks(true);
        Answer with = answer(plain.withStraggler(new Straggler(Straggler.ALL, Kind.ITEM, every)));
        Answer without = answer(plain);
        assertThat((double) left(with)).isCloseTo(left(without), within(0.02 * left(without)));
        Answer.Action found = action(with, "no_sync").orElseThrow();
        assertThat(found.gainNs())
                .isGreaterThanOrEqualTo(
                        with.verdict().ofNs() - without.verdict().ofNs());
        assertThat(found.text()).isEqualTo("Avoid " + (6 / every + 2) + " waits for the GPU a step");
        assertThat(found.snippet()).contains("mostly .item() in model.py(88): forward");
    }

    @ParameterizedTest
    @CsvSource({
        "HOST, 4000, 1, Avoid a CPU pause of 4",
        "GC, 6000, 2, 'Avoid 2 CPU pauses, up to 6'",
        "STALL, 9000, 3, 'Avoid 2 CPU pauses, up to 9'",
        "LOADER, 4000, 4, ",
    })
    void withoutItsPausesARunTakesWhatItTakesWithoutThem(Kind kind, double us, int seed, @Nullable String text) {
        TraceRecipe plain = SyntheticTraces.smallRecipe(1)
                .withSteps(5)
                .withSeed(seed)
                .withTiming(Regularity.EVEN)
                .withPythonStacks(kind != Kind.LOADER);
        Answer with = answer(plain.withStraggler(new Straggler(Straggler.ALL, kind, us)));
        long truth = with.verdict().ofNs() - answer(plain).verdict().ofNs();
        Optional<Answer.Action> found = action(with, "host_pause");
        if (text == null) {
            assertThat(found).isEmpty();
            return;
        }
        assertThat(found.orElseThrow().text()).startsWith(text);
        assertThat((double) found.orElseThrow().gainNs())
                .isCloseTo(truth, within(0.01 * with.verdict().ofNs()));
        assertThat(action(answer(plain), "host_pause")).isEmpty();
    }

    /** A step of twice the samples takes a launch-bound host no longer: so much less is what a sample takes, or a little more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aLargerBatchSavesTimeOfASampleWhereTheHostIsTheLimit(int batch) {
        TraceRecipe plain = SyntheticTraces.smallRecipe(1)
                .withSteps(3)
                .withTiming(Regularity.EVEN)
                .launchBound();
        TraceRecipe one = withBatch(plain, batch);
        long before = answer(one).verdict().ofNs();
        long after = answer(withBatch(plain, 2 * batch)).verdict().ofNs();
        Answer.Action found = action(answer(one), "larger_batch").orElseThrow();
        // No kernel is known not to grow: the gain is the least.
        assertThat((double) found.gainNs()).isBetween(0.7 * (before - after / 2.0), before - after / 2.0);
        assertThat(found.assumption()).endsWith("Whether memory has room is not recorded.");
        assertThat(action(answer(SyntheticTraces.smallRecipe(1)), "larger_batch"))
                .isEmpty();
    }
}
