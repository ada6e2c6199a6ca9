// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1000, 1 µs",
        "1234, 1.23 µs",
        "12345, 12.3 µs",
        "123456, 123 µs",
        "999999, 1000 µs",
        "1000000, 1 ms",
        "-1500000, -1.50 ms",
        "10500000, 10.5 ms",
        "1000000000, 1 s",
        "75000000000, 75 s",
    })
    void timesHaveTheUnitThatFitsAndThreeDigits(long ns, String words) {
        assertThat(Words.time(ns)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, 25 %",
        "1, 3, 33 %",
        "1, 30, 3.3 %",
        "3, 2, 150 %",
        "1, 1000, 0.1 %",
        "1, 2500, 0.04 %",
        "999, 1000, 99.9 %",
        "99999, 100000, 99.9 %",
        "0, 7, 0 %",
        "5, 0, 0 %"
    })
    void sharesAreInPercent(long part, long whole, String words) {
        assertThat(Words.share(part, whole)).isEqualTo(words);
    }

    @Test
    void oneThingIsNotMany() {
        assertThat(Words.count(1, "call", "calls")).isEqualTo("1 call");
        assertThat(Words.count(0, "call", "calls")).isEqualTo("0 calls");
        assertThat(Words.count(12_345, "call", "calls")).isEqualTo("12,345 calls");
    }

    @Test
    void longNamesAreCutAtEightyCharacters() {
        assertThat(Words.name("k".repeat(80))).isEqualTo("k".repeat(80));
        assertThat(Words.name("k".repeat(81))).isEqualTo("k".repeat(79) + "…");
    }

    @Test
    void partsOfATimelineHaveNames() {
        assertThat(Words.part("exposed_comm_time")).isEqualTo("exposed communication");
        assertThat(Words.part("mystery_time")).isEqualTo("mystery_time");
    }
}
