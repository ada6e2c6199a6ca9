// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PairSetTest {
    /** Each pair as hundreds and units. */
    private static int[] order(int... pairs) {
        PairSet set = new PairSet();
        for (int pair : pairs) {
            set.add(pair / 100, pair % 100);
        }
        assertThat(set.size()).isEqualTo(pairs.length);
        return Arrays.stream(set.inOrder())
                .mapToInt(pair -> (int) (pair >>> 32) * 100 + (int) pair)
                .toArray();
    }

    /** As CPython 3.11 lists {@code {(i, i + 1) for i in range(7)}}. */
    @Test
    void aFewPairs() {
        assertThat(order(1, 102, 203, 304, 405, 506, 607)).containsExactly(1, 102, 304, 203, 607, 405, 506);
    }

    /** As CPython lists {@code {(i, i) for i in range(25)}}, which has grown twice. */
    @Test
    void pairsThatMakeTheTableGrow() {
        int[] pairs = new int[25];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = i * 101;
        }
        assertThat(order(pairs))
                .containsExactly(Arrays.stream(new int[] {
                            20, 2, 11, 7, 16, 3, 12, 21, 22, 8, 17, 13, 18, 4, 5, 14, 23, 0, 9, 1, 24, 10, 19, 6, 15
                        })
                        .map(i -> i * 101)
                        .toArray());
    }

    /** As CPython lists {@code {(i, i * 7 % 13) for i in range(12)}}. */
    @Test
    void pairsOfUnlikeNumbers() {
        int[] pairs = new int[12];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = i * 100 + i * 7 % 13;
        }
        assertThat(order(pairs)).containsExactly(308, 1005, 804, 201, 0, 710, 911, 402, 1112, 107, 509, 603);
    }
}
