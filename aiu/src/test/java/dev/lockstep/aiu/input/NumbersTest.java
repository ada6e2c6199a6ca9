// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.read.flex.WholeNumber;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How numbers of traces are read: decimals as Java reads them, counters as Python does. */
class NumbersTest {
    private static byte[] inside(String text) {
        return ("9" + text + "9").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static double decimal(String text) {
        return JsonDoubles.parse(inside(text), 1, text.length() + 1);
    }

    private static long counter(String text) {
        return WholeNumber.parse(inside(text), 1, text.length() + 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "1",
                "-1.5",
                "0.1",
                "123456.789",
                "9007199254740992",
                "9007199254740993",
                "900719925474099.31",
                "0.000000000000000001",
                "123456789012345678",
                "1234567890123456789",
                "0.12345678901234567",
                "1e3",
                "-2.5E-7",
                "1700000000000000.25",
                ".5",
                "5."
            })
    void decimalsAreExact(String text) {
        assertThat(Double.doubleToLongBits(decimal(text))).isEqualTo(Double.doubleToLongBits(Double.parseDouble(text)));
    }

    @Test
    void manyDecimalsAreExact() {
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            String text = Long.toString(random.nextLong() >> random.nextInt(60));
            int point = random.nextInt(text.length()) + 1;
            String decimal = text.substring(0, point)
                    + (text.substring(0, point).equals("-") ? "0." : ".")
                    + text.substring(point);
            assertThat(decimal(decimal)).as(decimal).isEqualTo(Double.parseDouble(decimal));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", ".", "1.2.3", "abc", "1x", "--1", "- 1"})
    void whatIsNoDecimalIsNotANumber(String text) {
        assertThat(decimal(text)).isNaN();
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "7,7",
        "-7,-7",
        "+7,7",
        "'  12 ',12",
        "0x0,0",
        "0xff,255",
        "0XFF,255",
        "-0x10,-16",
        "0o17,15",
        "0b101,5",
        "4294967295,4294967295",
        "999999999999999999,999999999999999999",
        "0xaBcDef,11259375"
    })
    void countersAreReadInAllBases(String text, long value) {
        assertThat(counter(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-",
                "07",
                "0x",
                "0xg",
                "0b2",
                "0o8",
                "1.5",
                "1e3",
                "12a",
                "1/2",
                "1:2",
                "1234567890123456789"
            })
    void whatPythonDoesNotCallAnIntegerIsNone(String text) {
        assertThat(counter(text)).isEqualTo(WholeNumber.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "1000000000000000000,true",
        "18446744073709551615,true",
        "18446744073709551616,false",
        "99999999999999999999,false",
        "100000000000000000000,false",
        "999999999999999999,false",
        "0999999999999999999,false",
        "12345678901234567x9,false",
        "12345678901234567:9,false",
        "12345678901234567/9,false"
    })
    void numbersOf64BitsAreWide(String text, boolean wide) {
        assertThat(WholeNumber.isWide(inside(text), 1, text.length() + 1)).isEqualTo(wide);
        if (wide) {
            assertThat(Long.toUnsignedString(WholeNumber.wide(inside(text), 1, text.length() + 1)))
                    .isEqualTo(text);
        }
    }
}
