// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.write.JsonBytes;
import dev.lockstep.write.Numbers;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonDoublesTest {
    private static String spelled(double value) {
        JsonBytes out = new JsonBytes(4);
        PythonDoubles.put(value, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0",
        "-0.0, -0.0",
        "0.001, 0.001",
        "1e-5, 1e-05",
        "9999999.5, 9999999.5",
        "1e7, 10000000.0",
        "12345678, 12345678.0",
        "-12345678.25, -12345678.25",
        "1475000720166.077, 1475000720166.077",
        "1e15, 1000000000000000.0",
        "9007199254740993, 9007199254740992.0",
        "1e16, 1e+16"
    })
    void numbersAreSpelledAsPythonDoes(double value, String text) {
        assertThat(spelled(value)).isEqualTo(text);
    }

    @Test
    void theShortWayAndTheLongOneAgree() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(20) - 3);
            double rounded = i % 2 == 0 ? value : Math.rint(value * 8) / 8;

            assertThat(spelled(rounded)).isEqualTo(Numbers.python(rounded));
        }
    }
}
