// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.gate.Judgement.Outcome;
import dev.lockstep.publish.metrics.MetricFigure;
import dev.lockstep.publish.metrics.MetricFigure.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often the gate is wrong, on 1,000 seeded pairs of each kind, and how often it finds what is there. */
class JudgementTest {
    private static final int SEEDS = 1_000;

    /** Of 1,000, what a test that is wrong in one of twenty stays below with 95 %. */
    private static final int MOST_FALSE = 62;

    private static MetricFigure figure(double[] values) {
        List<Double> all = new ArrayList<>();
        for (double value : values) {
            all.add(value);
        }
        return new MetricFigure("step_time", "Time of a step.", "s", false, Kind.STEPS, List.of(), all);
    }

    /** A run whose own level scatters by {@code starts}, with steps that scatter by 2 % and resemble their neighbours. */
    private static MetricFigure run(SplittableRandom random, double level, double starts, double alike, int steps) {
        double own = level * (1 + starts * random.nextGaussian());
        double[] values = new double[steps];
        double course = random.nextGaussian();
        for (int t = 0; t < steps; t++) {
            values[t] = own * (1 + 0.02 * course);
            course = alike * course + Math.sqrt(1 - alike * alike) * random.nextGaussian();
        }
        return figure(values);
    }

    private static int count(
            Outcome wanted,
            int before,
            int after,
            double slower,
            double starts,
            double alike,
            double limit,
            int figures) {
        int found = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            boolean any = false;
            for (int figure = 0; figure < figures; figure++) {
                List<MetricFigure> baseline = new ArrayList<>();
                List<MetricFigure> candidate = new ArrayList<>();
                for (int i = 0; i < before; i++) {
                    baseline.add(run(random, 0.1, starts, alike, 20));
                }
                for (int i = 0; i < after; i++) {
                    candidate.add(run(random, 0.1 * (1 + slower), starts, alike, 20));
                }
                any |= Judgement.of(baseline, candidate, limit, figures).outcome() == wanted;
            }
            found += any ? 1 : 0;
        }
        return found;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0, 0, 1",
        "1, 1, 0, 0.5, 1",
        "3, 1, 0.01, 0.5, 1",
        "3, 3, 0.03, 0, 1",
        "10, 1, 0.03, 0.5, 1",
        "20, 3, 0.01, 0, 1",
        "5, 2, 0.03, 0.5, 4",
        "1, 1, 0, 0.5, 4"
    })
    void whereNothingChangedItSeldomFails(int before, int after, double starts, double alike, int figures) {
        int wrong = count(Outcome.REGRESSION, before, after, 0, starts, alike, 0, figures);
        assertThat(wrong).isLessThanOrEqualTo(MOST_FALSE);
    }

    /** A run that is 10 % worse must not pass a limit of 5 % more often than in one of twenty. */
    @ParameterizedTest
    @CsvSource({"1, 1, 0, 0.5", "3, 1, 0.01, 0", "5, 3, 0.03, 0", "20, 1, 0.02, 0.5"})
    void whatIsWorseSeldomPasses(int before, int after, double starts, double alike) {
        assertThat(count(Outcome.PASS, before, after, 0.1, starts, alike, 5, 1)).isLessThanOrEqualTo(MOST_FALSE);
    }

    @Test
    void moreRunsFindSmallerChanges() {
        int few = count(Outcome.REGRESSION, 3, 1, 0.05, 0.01, 0, 2, 1);
        int many = count(Outcome.REGRESSION, 20, 3, 0.05, 0.01, 0, 2, 1);
        assertThat(many).isGreaterThan(few).isGreaterThan(950);
    }

    @Test
    void whatMayBeEitherIsInconclusive() {
        List<MetricFigure> baseline =
                List.of(figure(new double[] {1}), figure(new double[] {1.2}), figure(new double[] {0.8}));
        assertThat(Judgement.of(baseline, List.of(figure(new double[] {1.3})), 5, 1)
                        .outcome())
                .isEqualTo(Outcome.INCONCLUSIVE);
        assertThat(Judgement.of(baseline, List.of(figure(new double[] {4})), 5, 1)
                        .outcome())
                .isEqualTo(Outcome.REGRESSION);
        MetricFigure more = new MetricFigure("bus_bandwidth", "", "B/s", true, Kind.VALUE, List.of(), List.of(100.0));
        MetricFigure less = new MetricFigure("bus_bandwidth", "", "B/s", true, Kind.VALUE, List.of(), List.of(50.0));
        assertThat(Judgement.of(List.of(more, more, more), List.of(less), 5, 1).outcome())
                .isEqualTo(Outcome.REGRESSION);
        assertThat(Judgement.of(List.of(less), List.of(more), 5, 1).outcome()).isEqualTo(Outcome.PASS);
        assertThat(Judgement.of(List.of(more), List.of(less), 5, 1).outcome()).isEqualTo(Outcome.INCONCLUSIVE);
    }
}
