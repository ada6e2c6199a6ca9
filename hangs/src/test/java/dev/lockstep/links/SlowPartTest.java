// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlowPartTest {
    @Test
    void thePartThatLiesApartIsFoundExactly() {
        double[] values = new double[60];
        Arrays.fill(values, 20, 35, -1);
        values[25] = Double.NaN;
        SlowPart found = Objects.requireNonNull(SlowPart.of(values));
        assertThat(found.from()).isEqualTo(20);
        assertThat(found.to()).isEqualTo(35);
        assertThat(found.inside()).isCloseTo(-1, org.assertj.core.data.Offset.offset(1e-12));
        assertThat(found.outside()).isCloseTo(0, org.assertj.core.data.Offset.offset(1e-12));
        assertThat(found.inside(values)).hasSize(14).containsOnly(-1);
        assertThat(found.outside(values)).hasSize(45).containsOnly(0);
        assertThat(found.lower(60)).containsExactly(20, 35);
    }

    @Test
    void whatIsHigherInsideIsLowerOutside() {
        double[] values = new double[60];
        Arrays.fill(values, 0, 40, -1);
        SlowPart found = Objects.requireNonNull(SlowPart.of(values));
        assertThat(found.lower(60)).containsExactly(0, 40);
    }

    @Test
    void fewValuesHaveNoPart() {
        assertThat(SlowPart.of(new double[15])).isNull();
        double[] unknown = new double[100];
        Arrays.fill(unknown, 10, 100, Double.NaN);
        assertThat(SlowPart.of(unknown)).isNull();
    }

    @Test
    void noOtherPartLeavesLessSquares() {
        SplittableRandom random = new SplittableRandom(3);
        for (int trial = 0; trial < 30; trial++) {
            double[] values = random.doubles(20 + random.nextInt(20), -1, 1).toArray();
            SlowPart found = Objects.requireNonNull(SlowPart.of(values));
            double best = left(values, found.from(), found.to());
            for (int from = 0; from < values.length; from++) {
                for (int to = from + 8; to <= values.length; to++) {
                    if (values.length - (to - from) >= 8) {
                        assertThat(best).isLessThanOrEqualTo(left(values, from, to) + 1e-9);
                    }
                }
            }
        }
    }

    /** Squares about the means inside and outside. */
    private static double left(double[] values, int from, int to) {
        double[] inside = Arrays.copyOfRange(values, from, to);
        double[] outside = java.util.stream.IntStream.range(0, values.length)
                .filter(i -> i < from || i >= to)
                .mapToDouble(i -> values[i])
                .toArray();
        return squares(inside) + squares(outside);
    }

    private static double squares(double[] values) {
        double mean = Arrays.stream(values).average().orElse(0);
        return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    }
}
