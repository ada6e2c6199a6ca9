// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SequenceAlignmentTest {
    @Test
    void equalElementsArePairedInOrder() {
        assertThat(SequenceAlignment.places(new int[] {1, 2, 3, 4}, new int[] {1, 3, 5, 4}))
                .containsExactly(0, -1, 1, 3);
        assertThat(SequenceAlignment.places(new int[] {7, 7}, new int[] {8})).containsExactly(-1, -1);
        assertThat(SequenceAlignment.places(new int[0], new int[] {8})).isEmpty();
    }

    @Test
    void whatIsEqualStaysTogether() {
        int[] a = new Random(3).ints(2_000, 0, 4).toArray();
        assertThat(SequenceAlignment.places(a, a.clone()))
                .containsExactly(java.util.stream.IntStream.range(0, a.length).toArray());
    }

    @Test
    void pairsAreEqualAndNeverCross() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            int[] a = random.ints(random.nextInt(200), 0, 8).toArray();
            int[] b = random.ints(random.nextInt(200), 0, 8).toArray();
            int[] places = SequenceAlignment.places(a, b);
            int last = -1;
            for (int i = 0; i < a.length; i++) {
                if (places[i] >= 0) {
                    assertThat(places[i]).as("seed %d", seed).isGreaterThan(last);
                    assertThat(b[places[i]]).isEqualTo(a[i]);
                    last = places[i];
                }
            }
        }
    }

    @Test
    void anInsertionCostsNoOtherPair() {
        int[] a = new Random(5).ints(3_000, 0, 500).toArray();
        int[] b = new int[a.length + 1];
        System.arraycopy(a, 0, b, 0, 1_500);
        b[1_500] = 999;
        System.arraycopy(a, 1_500, b, 1_501, 1_500);
        assertThat(Arrays.stream(SequenceAlignment.places(a, b)).filter(p -> p < 0))
                .isEmpty();
    }

    @Test
    void veryLongSequencesArePairedInPieces() {
        int n = 150_000;
        int[] a = new int[n];
        int[] b = new int[n];
        for (int i = 0; i < n; i++) {
            a[i] = i % 10 == 0 ? -i - 1 : i;
            b[i] = i;
        }
        int[] places = SequenceAlignment.places(a, b);
        assertThat(Arrays.stream(places).filter(p -> p >= 0).count()).isEqualTo(n - n / 10);
    }
}
