// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundingTest {
    @Test
    void roundsAsExactDecimalsDo() {
        Random random = new Random(3);
        for (int i = 0; i < 20000; i++) {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(18));
            int decimals = random.nextInt(5);
            double exact = new BigDecimal(value)
                    .setScale(decimals, RoundingMode.HALF_EVEN)
                    .doubleValue();
            assertThat(Rounding.of(value, decimals))
                    .as("%s to %s", value, decimals)
                    .isEqualTo(exact);
        }
    }

    @Test
    void halvesGoToTheEvenDigit() {
        assertThat(Rounding.of(0.125, 2)).isEqualTo(0.12);
        assertThat(Rounding.of(0.375, 2)).isEqualTo(0.38);
    }
}
