// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.Trend;
import dev.lockstep.analyze.time.KernelPace;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Finding;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.Straggler.Kind;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that become slower over a run; {@code -Dpace.seeds=N} tries more runs than {@value #FEW}. */
class PaceFindingsTest {
    private static final int FEW = 4;
    private static final int SEEDS = Integer.getInteger("pace.seeds", FEW);
    private static final int SERIES = 400;

    private static KernelPace pace(Trace trace) {
        return new DerivedCache(trace).get(new KernelPace.Key(AnalysisRules.standard(), null));
    }

    private static TraceRecipe recipe(int seed) {
        return SyntheticTraces.smallRecipe(2).withSteps(6 + seed % 4).withSeed(seed);
    }

    @ParameterizedTest
    @CsvSource({"1.1, 0.02", "1.3, 0.05"})
    void aDeviceThatThrottlesIsFoundAndSized(double amount, double within) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            TraceRecipe recipe = recipe(seed).withStraggler(new Straggler(Straggler.ALL, Kind.THROTTLE, amount));
            KernelPace pace = pace(SyntheticTraces.synthetic(recipe, 0));
            assertThat(PaceFindings.of(pace)).as("seed %s", seed).hasSize(1);
            int steps = recipe.recording().steps();
            // The first of n steps takes 1 + 1/n of what is added.
            double truth = amount / (1 + (amount - 1) / steps);
            assertThat(pace.growth()).isBetween(truth - within, truth + within);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"even", "slow", "tails", "launch"})
    void aSteadyRunIsSilent(String shape) {
        List<Finding> said = new ArrayList<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            TraceRecipe recipe = recipe(seed);
            recipe = switch (shape) {
                case "slow" -> recipe.withStraggler(new Straggler(Straggler.ALL, Kind.DEVICE, 1.3));
                case "tails" -> recipe.withStraggler(new Straggler(Straggler.ALL, Kind.TAIL, 100));
                case "launch" -> recipe.launchBound();
                default -> recipe;
            };
            said.addAll(PaceFindings.of(pace(SyntheticTraces.synthetic(recipe, 0))));
        }
        assertThat(said).hasSizeLessThanOrEqualTo(SEEDS * 27 / 400);
    }

    /** By an independent sum: the slope of least squares as the covariance over the variance, for values without noise. */
    @Test
    void aLineIsThatOfLeastSquares() {
        Trend trend = Trend.of(new double[] {1, Double.NaN, 1.2, 1.3, 1.4}, 1);
        assertThat(trend.slope()).isCloseTo(0.1, org.assertj.core.data.Offset.offset(1e-12));
        assertThat(trend.rises()).isTrue();
        assertThat(Trend.of(new double[] {1, 2, 3}, 1).rises()).isFalse();
    }

    /** Neighbours alike by half: at most 27 of 400 series rise by chance. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 10, 20})
    void seriesThatScatterSeldomRise(int steps) {
        int found = 0;
        for (int seed = 0; seed < SERIES; seed++) {
            Random random = new Random(31L * steps + seed);
            double[] values = new double[steps];
            double last = random.nextGaussian();
            for (int step = 0; step < steps; step++) {
                last = 0.5 * last + Math.sqrt(0.75) * random.nextGaussian();
                values[step] = 1 + 0.02 * last;
            }
            found += Trend.of(values, 1).rises() ? 1 : 0;
        }
        assertThat(found).isLessThanOrEqualTo(27);
    }

    /** Kernels of other sizes in later steps are no slower ones. */
    @Test
    void stepsThatRunOtherKernelsAreNotCompared() {
        EventText events = new EventText();
        for (int step = 0; step < 6; step++) {
            long at = step * 1_000_000L;
            events.annotation("ProfilerStep#" + step, at, 900_000);
            for (int i = 0; i <= step; i++) {
                events.launch(
                        "gemm",
                        at + 10_000 + i * 20_000,
                        at + 15_000 + i * 20_000,
                        10_000 + 2_000 * step,
                        10 * step + i + 1,
                        7);
            }
        }
        KernelPace pace = pace(TestTraces.of(events));
        assertThat(pace.kernels()).isZero();
        assertThat(PaceFindings.of(pace)).isEmpty();
    }
}
