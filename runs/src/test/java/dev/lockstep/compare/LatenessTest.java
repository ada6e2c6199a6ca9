// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compare.Lateness.Side;
import dev.lockstep.compare.sheets.SummarySheets;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LatenessTest {
    private static final Lateness EVEN =
            new Lateness(new TreeMap<>(), new TreeMap<>(Map.of(0, 1.0, 1, 1.0)), List.of(), 0);

    /** Rank 2 of one of two equal settings computes longer: 16 ms of 16.2 are waiting for it. */
    @Test
    void aStragglerIsNoSetting() {
        Lateness slow = new Lateness(new TreeMap<>(), new TreeMap<>(Map.of(0, 17.0, 1, 17.0)), List.of(2), 16.1);

        assertThat(Lateness.words(new Side("b", slow, 1), new Side("a", EVEN, 1), 16.2, 16.2))
                .isEqualTo(
                        " Exposed communication is +16.2 ms, of it waiting for the last rank +16 ms and transfer +200"
                                + " µs. Rank 2 is slow in b; without that the difference would be about +100 µs.");
    }

    @Test
    void timesAreThoseOfAStepWhereRunsHaveDifferentNumbers() {
        Lateness slow = new Lateness(new TreeMap<>(), new TreeMap<>(Map.of(0, 40.0)), List.of(2, 5), 40);

        assertThat(Lateness.words(new Side("b", slow, 10), new Side("a", EVEN, 1), 3, 4))
                .endsWith("waiting for the last rank +3 ms and transfer +0 ns. Ranks 2, 5 are slow in b; without that"
                        + " the difference would be about +0 ns.");
    }

    @Test
    void whatIsNotKnownIsNotSaid() {
        assertThat(Lateness.words(new Side("b", EVEN, 1), new Side("a", Lateness.UNKNOWN, 1), 3, 4))
                .isEmpty();
    }

    @Test
    void itIsReadFromTheSheetOfStragglers() {
        Lateness lateness = SummarySheets.collectives(List.of(Shown.sheet(
                        "straggler_summary",
                        "rank | exposed_wait_us | saves_together_us | costs_alone_us",
                        "0 | 2000 | | 0",
                        "1 | 500 | 9000 | 4000",
                        "2 | 0 | 9000 | 5000")))
                .lateness();

        assertThat(lateness.waitMs()).isEqualTo(Map.of(0, 2.0, 1, 0.5, 2, 0.0));
        assertThat(lateness.late()).containsExactly(2, 1);
        assertThat(lateness.savesMs()).isEqualTo(9);
    }
}
