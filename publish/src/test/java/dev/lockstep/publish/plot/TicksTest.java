// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TicksTest {
    @Test
    void stepsAreRound() {
        assertThat(Ticks.step(100)).isEqualTo(20);
        assertThat(Ticks.step(31)).isEqualTo(5);
        assertThat(Ticks.linear(-1, 31, 10)).containsExactly(0, 10, 20, 30);
    }

    @Test
    void neighboursAreSpelledDifferently() {
        assertThat(Ticks.text(1234.5, 0.5)).isEqualTo("1,234.5");
        assertThat(Ticks.text(3000, 1000)).isEqualTo("3,000");
        assertThat(Ticks.text(-0.02, 0.01)).isEqualTo("−0.02");
        assertThat(Ticks.text(1.005e9, 5e6)).isEqualTo("1.005×10⁹");
        assertThat(Ticks.text(1.01e9, 5e6)).isEqualTo("1.01×10⁹");
        assertThat(Ticks.text(2e-9, 1e-9)).isEqualTo("2×10⁻⁹");
    }

    @Test
    void fewDecadesHaveTicksBetweenPowersOfTen() {
        assertThat(Ticks.logarithmic(1, 60)).containsExactly(1, 2, 5, 10, 20, 50);
        assertThat(Ticks.logarithmic(0.5, 20_000)).containsExactly(1, 10, 100, 1000, 10_000);
    }
}
