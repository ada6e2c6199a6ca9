// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The algebra agrees with that of bitmaps. */
class IntervalSetTest {
    private static final int SIZE = 96;

    private record Pair(IntervalSet set, BitSet bits) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void operationsAreThoseOfSets(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            Pair a = random(random);
            Pair b = random(random);
            check(a.set, a.bits);
            BitSet union = copy(a.bits);
            union.or(b.bits);
            check(a.set.union(b.set), union);
            check(b.set.union(a.set), union);
            BitSet both = copy(a.bits);
            both.and(b.bits);
            check(a.set.intersect(b.set), both);
            check(b.set.intersect(a.set), both);
            BitSet without = copy(a.bits);
            without.andNot(b.bits);
            check(a.set.minus(b.set), without);
            assertThat(a.set.minus(b.set).total() + a.set.intersect(b.set).total())
                    .isEqualTo(a.set.total());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {6, 7})
    void gapsAreWhatLiesBetween(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            Pair a = random(random);
            BitSet gaps = new BitSet();
            if (!a.bits.isEmpty()) {
                gaps.set(a.bits.nextSetBit(0), a.bits.length());
                gaps.andNot(a.bits);
            }
            check(a.set.gaps(), gaps);
            assertThat(a.set.total() + a.set.gaps().total()).isEqualTo(a.set.span());
        }
    }

    @Test
    void nothingHasNoExtent() {
        assertThat(IntervalSet.EMPTY.span()).isZero();
        assertThat(IntervalSet.EMPTY.isEmpty()).isTrue();
        assertThat(IntervalSet.of(5, 5)).isSameAs(IntervalSet.EMPTY);
        assertThat(IntervalSet.EMPTY.union(IntervalSet.of(1, 3)).total()).isEqualTo(2);
        assertThat(IntervalSet.of(1, 3).minus(IntervalSet.EMPTY).total()).isEqualTo(2);
    }

    @Test
    void largeTimesAreExact() {
        long t = 1_700_000_000_000_000_123L;
        IntervalSet set = IntervalSet.of(t, t + 7).union(IntervalSet.of(t + 7, t + 9));
        assertThat(set.size()).isEqualTo(1);
        assertThat(set.total()).isEqualTo(9);
    }

    private static Pair random(Random random) {
        List<int[]> intervals = new ArrayList<>();
        BitSet bits = new BitSet();
        for (int left = random.nextInt(10); left > 0; left--) {
            int from = random.nextInt(SIZE);
            int to = Math.min(SIZE, from + random.nextInt(12));
            intervals.add(new int[] {from, to});
            bits.set(from, to);
        }
        intervals.sort(Comparator.comparingInt(i -> i[0]));
        IntervalSet.Builder builder = new IntervalSet.Builder();
        intervals.forEach(i -> builder.add(i[0], i[1]));
        return new Pair(builder.build(), bits);
    }

    private static void check(IntervalSet set, BitSet wanted) {
        BitSet bits = new BitSet();
        for (int i = 0; i < set.size(); i++) {
            assertThat(set.start(i)).isLessThan(set.end(i));
            if (i > 0) {
                assertThat(set.start(i)).isGreaterThan(set.end(i - 1));
            }
            bits.set((int) set.start(i), (int) set.end(i));
        }
        assertThat(bits).isEqualTo(wanted);
        assertThat(set.total()).isEqualTo(wanted.cardinality());
    }

    private static BitSet copy(BitSet bits) {
        return (BitSet) bits.clone();
    }
}
