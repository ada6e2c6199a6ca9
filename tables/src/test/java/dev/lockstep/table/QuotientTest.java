// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuotientTest {
    @Test
    void quotientsAreRoundedOnce() {
        assertThat(Quotient.of(12_345, 1_000)).isEqualTo(12.345);
        assertThat(Quotient.of(9_007_199_254_740_993L, 1_000)).isEqualTo(9_007_199_254_740.993);
        assertThat(Quotient.of(Long.MIN_VALUE + 1, 1)).isEqualTo(-0x1p63);
        assertThat(Quotient.of(Long.MAX_VALUE, 3)).isEqualTo(3_074_457_345_618_258_602.333);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6, 9})
    void quotientsByPowersOfTenAreTheDecimalsThatAreParsed(int digits) {
        Random random = new Random(digits);
        long divisor = BigDecimal.ONE.movePointRight(digits).longValue();
        for (int i = 0; i < 20_000; i++) {
            long value = random.nextLong() >> random.nextInt(63);
            // Ties and what lies beside them.
            value += i % 3 == 0 ? Math.floorDiv(value, 250L) * 250 - value + random.nextInt(3) - 1 : 0;
            double parsed = Double.parseDouble(BigDecimal.valueOf(value, digits).toString());
            assertThat(Quotient.of(value, divisor))
                    .as("%d / %d", value, divisor)
                    .isEqualTo(parsed == 0 ? 0.0 : parsed);
        }
    }
}
