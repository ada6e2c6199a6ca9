// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.clocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.clocks.ClockLine.Basis;
import dev.lockstep.model.Rank;
import dev.lockstep.model.TraceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClocksTest {
    private static final long SECOND = 1_000_000_000;
    private static final long STEP = 10_000_000;

    /** A run of one second, whose clocks show what they are told. */
    private static final class Run {
        final List<RankRecording> ranks = new ArrayList<>();
        final long[] offset;
        final double[] ppm;
        final long[] origin;
        final Ties.Collector ties;
        final Random random = new Random(5);

        Run(int count) {
            offset = new long[count];
            ppm = new double[count];
            origin = new long[count];
            ties = new Ties.Collector(count);
        }

        long shows(int rank, long time) {
            return time + offset[rank] + Math.round(time * ppm[rank] * 1e-6);
        }

        Run meet(int count, int... members) {
            for (int i = 0; i < count; i++) {
                ties.collective();
                for (int rank : members) {
                    long end = STEP * i + 100_000 + random.nextInt(200);
                    ties.member(rank, shows(rank, STEP * i), shows(rank, end));
                }
            }
            return this;
        }

        Clocks clocks() {
            for (int rank = 0; rank < offset.length; rank++) {
                TraceInfo info = new TraceInfo(
                        "rank" + rank,
                        "kineto-json",
                        new Rank(rank, Rank.Origin.TRACE),
                        4,
                        List.of(),
                        origin[rank],
                        Map.of());
                ranks.add(new RankRecording(info, shows(rank, 0) - origin[rank], shows(rank, SECOND) - origin[rank]));
            }
            return Clocks.of(ranks, ties.ties(), -1);
        }
    }

    @Test
    void anOffsetWithinItsErrorIsNotBelieved() {
        Run run = new Run(2);
        run.offset[1] = 60;
        Clocks clocks = run.meet(50, 0, 1).clocks();
        assertThat(clocks.line(1).offsetNs()).isBetween(1L, 120L);
        assertThat(clocks.line(1).errorNs()).isGreaterThan(120);
        assertThat(clocks.isBelieved(1)).isFalse();
        assertThat(clocks.differ()).isFalse();
        assertThat(clocks.spread()).isZero();
        assertThat(clocks.believed().at(1, 1000)).isEqualTo(1000);
        assertThat(clocks.estimated().at(1, 1000)).isLessThan(1000);
    }

    @Test
    void aDriftIsBelievedWhereItMovesTimesBeyondTheError() {
        Run run = new Run(3);
        run.ppm[2] = 20;
        Clocks clocks = run.meet(100, 0, 1, 2).clocks();
        assertThat(clocks.isBelieved(1)).isFalse();
        assertThat(clocks.isBelieved(2)).isTrue();
        assertThat(clocks.believed().isCorrected(1))
                .isTrue(); // its estimate is the best that is known where clocks differ
        assertThat(clocks.line(2).driftPpm()).isBetween(19.0, 21.0);
        assertThat(clocks.spread()).isBetween(19_500L, 20_500L);
        assertThat(clocks.believed().at(2, run.shows(2, SECOND))).isBetween(SECOND - 500, SECOND + 500);
        assertThat(clocks.asRecorded().at(2, run.shows(2, SECOND))).isEqualTo(run.shows(2, SECOND));
    }

    @Test
    void originsThatTimesMakeUpForAreNoOffset() {
        Run run = new Run(2);
        run.origin[1] = 7_889_238 * SECOND;
        Clocks clocks = run.meet(20, 0, 1).clocks();
        assertThat(clocks.differ()).isFalse();
        assertThat(clocks.line(1).epochNs()).isZero();
        assertThat(clocks.believed().at(1, -run.origin[1] + 500)).isEqualTo(500);
    }

    @Test
    void aClockThatCountsFromAnotherMomentIsBroughtThereHoweverTimesAreTaken() {
        Run run = new Run(3);
        run.offset[2] = 1_774_000_000 * SECOND;
        Clocks clocks = run.meet(20, 0, 1, 2).clocks();
        assertThat(clocks.line(2).offsetNs()).isZero();
        assertThat(clocks.line(2).epochNs()).isBetween(run.offset[2] - 500, run.offset[2] + 500);
        assertThat(clocks.spread()).isZero();
        for (CommonClock clock : List.of(clocks.believed(), clocks.estimated(), clocks.asRecorded())) {
            assertThat(clock.at(2, run.shows(2, STEP))).isBetween(STEP - 500, STEP + 500);
        }
    }

    @Test
    void ranksThatNothingTiesAreUnknown() {
        Run run = new Run(5).meet(20, 1, 2).meet(20, 3, 4);
        run.offset[4] = 5_000_000;
        Clocks clocks = run.clocks();
        assertThat(clocks.isAny()).isTrue();
        assertThat(clocks.isComplete()).isFalse();
        assertThat(clocks.reference()).isEqualTo(1);
        assertThat(clocks.line(0).basis()).isEqualTo(Basis.NONE);
        assertThat(clocks.isKnown(2)).isTrue();
        assertThat(clocks.isKnown(3)).isFalse();
        CommonClock clock = clocks.believed();
        assertThat(clock.compares(1, 2)).isTrue();
        assertThat(clock.compares(3, 4)).isTrue();
        assertThat(clock.compares(2, 3)).isFalse();
        assertThat(clock.compares(0, 1)).isFalse();
        assertThat(clocks.asRecorded().compares(0, 1)).isTrue();
        assertThat(clock.error(0, 1)).isZero();
    }

    @Test
    void nothingAtAllTiesNothing() {
        Clocks clocks = new Run(3).clocks();
        assertThat(clocks.isAny()).isFalse();
        assertThat(clocks.differ()).isFalse();
        assertThat(clocks.isComplete()).isFalse();
        assertThat(clocks.error()).isZero();
    }

    /** Blocks that meet seldom lie where the few collectives of theirs say. */
    @Test
    void groupsThatMeetSeldomAreFound() {
        Run run = new Run(4);
        run.offset[2] = 3_000_000;
        run.offset[3] = 3_000_000;
        run.meet(90, 0, 1).meet(90, 2, 3).meet(7, 0, 2).meet(7, 1, 3);
        Clocks clocks = run.clocks();
        for (int rank : new int[] {2, 3}) {
            assertThat(Math.abs(clocks.line(rank).offsetNs() - 3_000_000))
                    .isLessThanOrEqualTo(clocks.line(rank).errorNs());
            assertThat(clocks.isBelieved(rank)).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "3000000, 0", "-3000000000, 100", "1774000000000000000, -73.3", "12345, 0.001"})
    void aTimeOnTheCommonClockLeadsBackToTheRecordedOne(long offset, double ppm) {
        Run run = new Run(2);
        run.offset[1] = offset;
        run.ppm[1] = ppm;
        run.origin[1] = 1_000_000_007;
        CommonClock clock = run.meet(100, 0, 1).clocks().estimated();
        for (long time = -100; time < 3 * SECOND; time += 34_567_891) {
            long recorded = run.shows(1, time) - run.origin[1];
            long common = clock.at(1, recorded);
            assertThat(clock.at(1, clock.recorded(1, common))).isEqualTo(common);
            assertThat(clock.recorded(1, common)).isBetween(recorded, recorded + 1);
            assertThat(clock.at(1, recorded + 1)).isBetween(common, common + 2);
        }
    }
}
