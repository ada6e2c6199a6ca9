// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongOrderTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void sortsAsAStableSortWould(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            int n = random.nextInt(3000);
            long mask = -1L >>> random.nextInt(64);
            long origin = random.nextBoolean() ? random.nextLong() : 0;
            long[] keys = new long[n];
            for (int i = 0; i < n; i++) {
                keys[i] = origin + (random.nextLong() & mask);
            }
            check(keys);
        }
    }

    @Test
    void keysMaySpanTheWholeRange() {
        check(new long[] {Long.MAX_VALUE, 0, Long.MIN_VALUE, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE});
    }

    @Test
    void nothingAndOneAreSorted() {
        check(new long[0]);
        check(new long[] {7});
        check(new long[] {7, 7, 7});
    }

    @Test
    void numbersBelowAnotherAreCounted() {
        long[] sorted = {Long.MIN_VALUE, -1, 4, 4, 4, Long.MAX_VALUE};

        assertThat(LongOrder.countBelow(sorted, Long.MIN_VALUE)).isZero();
        assertThat(LongOrder.countBelow(sorted, 4)).isEqualTo(2);
        assertThat(LongOrder.countBelow(sorted, 5)).isEqualTo(5);
        assertThat(LongOrder.countBelow(sorted, Long.MAX_VALUE)).isEqualTo(5);
        assertThat(LongOrder.countBelow(new long[0], 0)).isZero();
    }

    @Test
    void numbersBehindThoseThatCountAreLeftAlone() {
        long[] sorted = {1, 4, 9, 2};

        assertThat(LongOrder.countBelow(sorted, 3, 5)).isEqualTo(2);
        assertThat(LongOrder.countBelow(sorted, 3, 10)).isEqualTo(3);
        assertThat(LongOrder.countBelow(sorted, 0, 10)).isZero();
    }

    @Test
    void theLastLeadingPlaceIsFoundWhereverItIs() {
        for (int size = 0; size < 9; size++) {
            for (int wanted = 0; wanted <= size; wanted++) {
                int leading = wanted;
                assertThat(LongOrder.leading(size, place -> place < leading)).isEqualTo(leading);
            }
        }
    }

    private static void check(long[] keys) {
        int[] wanted = IntStream.range(0, keys.length)
                .boxed()
                .sorted(Comparator.comparingLong(i -> keys[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        int[] rows = IntStream.range(0, keys.length).toArray();
        long[] sorted = keys.clone();
        LongOrder.sort(sorted, rows);
        assertThat(rows).isEqualTo(wanted);
        assertThat(sorted).isSorted();
        long[] alone = keys.clone();
        LongOrder.sort(alone);
        assertThat(alone).isEqualTo(sorted);
    }
}
