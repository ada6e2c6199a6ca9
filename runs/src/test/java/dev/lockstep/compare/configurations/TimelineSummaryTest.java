// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.configurations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.compare.Averaging;
import dev.lockstep.compare.RankBreakdown;
import dev.lockstep.compare.RankBreakdown.Time;
import dev.lockstep.compare.RunBreakdown;
import dev.lockstep.table.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class TimelineSummaryTest {
    private final TreeMap<Integer, RankBreakdown> ranks = new TreeMap<>();

    private void rank(int rank, double busy, double copies) {
        Map<String, Time> listed = new LinkedHashMap<>();
        listed.put("busy_time", new Time(busy, 100 * busy / (busy + copies)));
        if (copies > 0) {
            listed.put("exposed_memcpy_time", new Time(copies, 100 * copies / (busy + copies)));
        }
        listed.put("total_time", new Time(busy + copies, 100));
        ranks.put(rank, new RankBreakdown(listed));
    }

    private TimelineSummary of(Set<Integer> whole, Averaging averaging) {
        return TimelineSummary.of(new RunBreakdown(ranks, new TreeMap<>()), whole, averaging);
    }

    private static double cell(Table table, String head, String part) {
        for (int row = 0; row < table.rows(); row++) {
            if (part.equals(table.strings(0).get(row))) {
                return table.shown(table.schema().indexOf(head), row);
            }
        }
        throw new AssertionError(part);
    }

    @Test
    void meansAndSpreadAreTakenOverWholeRanks() {
        rank(0, 10, 0);
        rank(2, 14, 2);
        rank(10, 1, 9);

        Table summary = of(Set.of(0, 2), Averaging.MEAN).summary();

        assertThat(cell(summary, "time ms", "busy_time")).isEqualTo(12);
        assertThat(cell(summary, "num_ranks", "busy_time")).isEqualTo(2);
        assertThat(cell(summary, "median ms", "busy_time")).isEqualTo(12);
        assertThat(cell(summary, "std ms", "busy_time")).isCloseTo(Math.sqrt(8), within(1e-12));
        assertThat(cell(summary, "min ms", "busy_time")).isEqualTo(10);
        assertThat(cell(summary, "max ms", "busy_time")).isEqualTo(14);
        assertThat(cell(summary, "max rank", "busy_time")).isEqualTo(2);
    }

    @Test
    void aPartThatOnlySomeRanksListIsNoneOnTheOthers() {
        rank(0, 10, 0);
        rank(1, 11, 2);
        rank(2, 30, 7);

        TimelineSummary made = of(Set.of(0, 1, 2), Averaging.MEAN);

        assertThat(cell(made.summary(), "time ms", "exposed_memcpy_time")).isEqualTo(3);
        assertThat(cell(made.summary(), "median ms", "exposed_memcpy_time")).isEqualTo(2);
        assertThat(cell(made.summary(), "num_ranks", "exposed_memcpy_time")).isEqualTo(3);
        assertThat(cell(made.summary(), "zero_ranks", "exposed_memcpy_time")).isEqualTo(1);
        assertThat(cell(made.byRankMs(), "0", "exposed_memcpy_time")).isZero();
    }

    @Test
    void sharesAreThoseOfMeans() {
        rank(0, 10, 10);
        rank(1, 50, 10);

        // 60 of 80 in all; the mean of 50 % and 83.3 % would be another question.
        assertThat(cell(of(Set.of(0, 1), Averaging.MEAN).summary(), "percent", "busy_time"))
                .isEqualTo(75);
    }

    @Test
    void oneZeroDoesNotDestroyAGeometricMean() {
        rank(0, 4, 5);
        rank(1, 9, 0);
        rank(2, 6, 5);

        Table summary = of(Set.of(0, 1, 2), Averaging.GEOMETRIC).summary();

        assertThat(cell(summary, "time ms", "busy_time")).isCloseTo(6, within(1e-12));
        assertThat(cell(summary, "time ms", "exposed_memcpy_time")).isCloseTo(5, within(1e-12));
        assertThat(cell(summary, "zero_ranks", "exposed_memcpy_time")).isEqualTo(1);
    }

    @Test
    void allRanksAreShownWholeOrNot() {
        rank(0, 10, 0);
        rank(10, 1, 9);

        TimelineSummary summary = of(Set.of(0), Averaging.MEAN);

        Table all = summary.allRanks();
        assertThat(all.rows()).isEqualTo(6);
        assertThat(all.bools(4).get(0)).isTrue();
        assertThat(all.bools(4).get(3)).isFalse();
        assertThat(cell(summary.byRankMs(), "10", "exposed_memcpy_time")).isEqualTo(9);
    }

    @Test
    void withoutWholeRanksThereIsNoMean() {
        rank(3, 10, 0);
        Table summary = of(Set.of(), Averaging.MEAN).summary();
        assertThat(cell(summary, "time ms", "busy_time")).isNaN();
        assertThat(cell(summary, "max rank", "busy_time")).isNaN();
    }
}
