// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NarrowColumnTest {
    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                -1,
                Byte.MAX_VALUE,
                Byte.MIN_VALUE,
                128,
                -129,
                Short.MAX_VALUE,
                Short.MIN_VALUE,
                32_768,
                -32_769,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                1L << 31,
                Integer.MIN_VALUE - 1L,
                Long.MAX_VALUE,
                Long.MIN_VALUE
            })
    void numbersStayWhatTheyAre(long widest) {
        Random random = new Random(widest);
        for (long base : new long[] {widest, -1, 0, 5}) {
            long[] values = new long[100];
            for (int i = 0; i < values.length; i++) {
                values[i] = random.nextBoolean() ? widest : base;
            }
            NarrowColumn column = new NarrowColumn(values.clone());
            for (int i = 0; i < values.length; i++) {
                assertThat(column.get(i)).isEqualTo(values[i]);
            }
        }
    }

    @Test
    void aColumnMayHaveNoRows() {
        assertThat(new NarrowColumn(new long[0])).isNotNull();
    }
}
