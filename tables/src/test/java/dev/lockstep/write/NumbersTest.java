// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1000, 0",
        "12345, 1000, 12.345",
        "12340, 1000, 12.34",
        "12000, 1000, 12",
        "1, 1000, 0.001",
        "-1, 1000, -0.001",
        "-12345, 1000, -12.345",
        "1, 1000000, 0.000001",
        "1000001, 1000000, 1.000001",
        "1234567890123456789, 1000, 1234567890123456.789",
        "9223372036854775807, 1000000000, 9223372036.854775807",
        "-9223372036854775807, 1000000, -9223372036854.775807",
        "7, 1, 7",
        "1048576, 1048576, 1",
        "1572864, 1048576, 1.5",
        "1, 1048576, 9.5367431640625e-07"
    })
    void integersBecomeExactDecimals(long value, long divisor, String expected) {
        assertThat(Numbers.plain(value, divisor)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0, 0.0, 0",
        "-0.0, -0.0, 0",
        "12.0, 12.0, 12",
        "0.1, 0.1, 0.1",
        "0.0001, 0.0001, 0.0001",
        "0.00012345, 0.00012345, 0.00012345",
        "0.00001, 1e-05, 1e-05",
        "0.0000123, 1.23e-05, 1.23e-05",
        "-0.0000123, -1.23e-05, -1.23e-05",
        "1e-10, 1e-10, 1e-10",
        "1e-100, 1e-100, 1e-100",
        "9999999, 9999999.0, 9999999",
        "12345678, 12345678.0, 12345678",
        "12345678.5, 12345678.5, 12345678.5",
        "123456789012345.6, 123456789012345.6, 123456789012345.6",
        "1e15, 1000000000000000.0, 1000000000000000",
        "9007199254740993, 9007199254740992.0, 9007199254740992",
        "1e16, 1e+16, 1e+16",
        "1.5e16, 1.5e+16, 1.5e+16",
        "-1.5e300, -1.5e+300, -1.5e+300",
        "1e23, 1e+23, 1e+23",
        "2e-323, 2e-323, 2e-323",
        "4.9e-324, 5e-324, 5e-324",
        "9.9e-324, 1e-323, 1e-323",
        "2.2250738585072014e-308, 2.2250738585072014e-308, 2.2250738585072014e-308",
        "1.7976931348623157e308, 1.7976931348623157e+308, 1.7976931348623157e+308",
        "0.30000000000000004, 0.30000000000000004, 0.30000000000000004"
    })
    void doublesGetTheFewestDigits(double value, String python, String plain) {
        assertThat(Numbers.python(value)).isEqualTo(python);
        assertThat(Numbers.plain(value)).isEqualTo(plain);
    }

    @Test
    void whatIsNoFiniteNumberHasASpelling() {
        assertThat(Numbers.python(Double.NaN)).isEqualTo("nan");
        assertThat(Numbers.python(Double.NEGATIVE_INFINITY)).isEqualTo("-inf");
        assertThat(Numbers.plain(Double.NaN)).isEmpty();
        assertThat(Numbers.plain(Double.POSITIVE_INFINITY)).isEqualTo("inf");
    }

    @Test
    void everySpellingReadsBackAsTheSameNumber() {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(Numbers.python(value))).isEqualTo(value);
                assertThat(Double.parseDouble(Numbers.plain(value))).isEqualTo(value);
            }
            long exact = random.nextLong() >> random.nextInt(64);
            assertThat(new BigDecimal(Numbers.plain(exact, 1_000_000)))
                    .isEqualByComparingTo(BigDecimal.valueOf(exact).movePointLeft(6));
        }
    }
}
