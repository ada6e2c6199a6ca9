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
            new Lateness(new TreeMap<>(), new TreeMap<>(Map.of(0, 1.0, 1, 1.0)), new TreeMap<>(), List.of(), 0);

    /** Rank 2 of one of two equal settings computes longer: 16 ms of 16.2 are waiting for it. */
    @Test
    void aStragglerIsNoSetting() {
        Lateness slow = new Lateness(
                new TreeMap<>(), new TreeMap<>(Map.of(0, 17.0, 1, 17.0)), new TreeMap<>(), List.of(2), 16.1);

        assertThat(Lateness.words(new Side("b", slow, 1), new Side("a", EVEN, 1), 16.2, 16.2))
                .isEqualTo(" Exposed communication changes by +16.2 ms: +16 ms of waiting for the last rank and "
                        + "+200 µs of exposed transfer. Rank 2 is slow in b. Without that the difference would be "
                        + "about +100 µs.");
    }

    @Test
    void timesAreThoseOfAStepWhereRunsHaveDifferentNumbers() {
        Lateness slow =
                new Lateness(new TreeMap<>(), new TreeMap<>(Map.of(0, 40.0)), new TreeMap<>(), List.of(2, 5), 40);

        assertThat(Lateness.words(new Side("b", slow, 10), new Side("a", EVEN, 1), 3, 4))
                .endsWith(
                        "+3 ms of waiting for the last rank and +0 ns of exposed transfer. Ranks 2, 5 are slow in b. Without that"
                                + " the difference would be about +0 ns.");
    }

    /** A bucket that computation hid before stands open now; it takes as long as it did. */
    @Test
    void aTransferOfWhichMoreIsExposedTakesAsLong() {
        Lateness hidden = exposing(1, 50);
        assertThat(Lateness.words(new Side("b", exposing(4, 50), 1), new Side("a", hidden, 1), 3, Double.NaN))
                .isEqualTo(" Exposed communication changes by +3 ms: +0 ns of waiting for the last rank and +3 ms "
                        + "of exposed transfer. The transfers themselves take as long.");
        assertThat(Lateness.words(new Side("b", exposing(4, 55), 1), new Side("a", hidden, 1), 3, Double.NaN))
                .endsWith("The transfers themselves change by +5 ms (mean over ranks).");
    }

    private static Lateness exposing(double exposedMs, double transferMs) {
        return new Lateness(
                new TreeMap<>(Map.of(0, exposedMs)),
                new TreeMap<>(Map.of(0, 0.0)),
                new TreeMap<>(Map.of(0, transferMs)),
                List.of(),
                0);
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
                        "rank | exposed_wait_us | saves_together_us | costs_alone_us | num_collectives | unknown_waits"
                                + " | total_nccl_dur_us | total_wait_time_us",
                        "0 | 2000 | | 0 | 4 | 0 | 9000 | 3000",
                        "1 | 500 | 9000 | 4000 | 4 | 0 | 8000 | 1000",
                        "2 | 0 | 9000 | 5000 | 3 | 1 | 7000 | 0")))
                .lateness();

        assertThat(lateness.waitMs()).isEqualTo(Map.of(0, 2.0, 1, 0.5, 2, 0.0));
        assertThat(lateness.transferMs()).isEqualTo(Map.of(0, 6.0, 1, 7.0));
        assertThat(lateness.late()).containsExactly(2, 1);
        assertThat(lateness.savesMs()).isEqualTo(9);
    }
}
