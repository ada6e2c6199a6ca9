// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.table.LongList;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DoubleSpansTest {
    private static DoubleSpans of(double... edges) {
        DoubleSpans spans = new DoubleSpans();
        for (int i = 0; i < edges.length; i += 2) {
            spans.add(edges[i], edges[i + 1]);
        }
        return spans;
    }

    @Test
    void spansThatTouchAreOne() {
        DoubleSpans spans = of(0, 5, 5, 6, 8, 9, 8.5, 8.75);
        assertThat(spans.total()).isEqualTo(7);
        assertThat(spans.span()).isEqualTo(9);
        assertThat(spans.gapsBelow(2)).isZero();
        assertThat(spans.gapsBelow(2.5)).isEqualTo(2);
    }

    @Test
    void nothingHasNoLength() {
        assertThat(of().total()).isZero();
        assertThat(of().span()).isZero();
        assertThat(of().minus(of(0, 1)).total()).isZero();
    }

    @Test
    void differencesAgreeWithCountingMoments() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            boolean[] a = new boolean[60];
            boolean[] b = new boolean[60];
            DoubleSpans first = random(random, a);
            DoubleSpans second = random(random, b);
            int expected = 0;
            for (int i = 0; i < a.length; i++) {
                expected += a[i] && !b[i] ? 1 : 0;
            }
            assertThat(first.minus(second).total()).isEqualTo(expected);
        }
    }

    private static DoubleSpans random(Random random, boolean[] covered) {
        DoubleSpans spans = new DoubleSpans();
        for (int from = random.nextInt(5); from < covered.length; from += random.nextInt(6)) {
            int to = Math.min(covered.length, from + random.nextInt(5));
            spans.add(from, to);
            java.util.Arrays.fill(covered, from, to, true);
        }
        return spans;
    }

    @Test
    void meansAreAddedUpAsNumpyAddsThem() {
        LongList ties = new LongList(16);
        ties.add(5_605);
        LongList up = new LongList(16);
        up.add(5_606);
        assertThat(new DoubleTimes().shortMeanMicroseconds(ties))
                .as("half to even")
                .isEqualTo(5.6);
        assertThat(new DoubleTimes().shortMeanMicroseconds(up)).isEqualTo(5.61);
        LongList many = new LongList(16);
        for (int i = 0; i < 1000; i++) {
            many.add(100 + i);
        }
        assertThat(new DoubleTimes().shortMeanMicroseconds(many)).isEqualTo(0.6);
    }
}
