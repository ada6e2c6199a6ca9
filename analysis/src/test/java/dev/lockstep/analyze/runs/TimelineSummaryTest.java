// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import dev.lockstep.table.Unit;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class TimelineSummaryTest {
    private final TreeMap<Integer, Table> timelines = new TreeMap<>();

    private void rank(int rank, double busy, double copies) {
        timelines.put(
                rank,
                new TableBuilder(
                                "gpu_timeline",
                                "",
                                Schema.of(
                                        ColumnSpec.text("type", "x"),
                                        ColumnSpec.real("time ms", Unit.NONE, Unit.NONE, "x"),
                                        ColumnSpec.real("percent", Unit.NONE, Unit.NONE, "x")))
                        .row("busy_time", busy, busy)
                        .row("exposed_memcpy_time", copies, copies)
                        .build());
    }

    private static double cell(Table table, String head, int row) {
        return table.shown(table.schema().indexOf(head), row);
    }

    @Test
    void meansAndSpreadAreTakenOverWholeRanks() {
        rank(0, 10, 0);
        rank(2, 14, 2);
        rank(10, 1, 9);

        Table summary = TimelineSummary.of(timelines, Set.of(0, 2), false).summary();

        assertThat(cell(summary, "time ms", 0)).isEqualTo(12);
        assertThat(cell(summary, "num_ranks", 0)).isEqualTo(2);
        assertThat(cell(summary, "median ms", 0)).isEqualTo(12);
        assertThat(cell(summary, "std ms", 0)).isCloseTo(Math.sqrt(8), within(1e-12));
        assertThat(cell(summary, "min ms", 0)).isEqualTo(10);
        assertThat(cell(summary, "max rank", 0)).isEqualTo(2);
        assertThat(cell(summary, "zero_ranks", 1)).isEqualTo(1);
    }

    @Test
    void oneZeroDoesNotDestroyAGeometricMean() {
        rank(0, 4, 5);
        rank(1, 9, 0);
        rank(2, 6, 5);

        Table summary = TimelineSummary.of(timelines, Set.of(0, 1, 2), true).summary();

        assertThat(cell(summary, "time ms", 0)).isCloseTo(6, within(1e-12));
        assertThat(cell(summary, "time ms", 1)).isCloseTo(5, within(1e-12));
        assertThat(cell(summary, "zero_ranks", 1)).isEqualTo(1);
    }

    @Test
    void allRanksAreShownWholeOrNot() {
        rank(0, 10, 0);
        rank(10, 1, 9);

        TimelineSummary summary = TimelineSummary.of(timelines, Set.of(0), false);

        assertThat(summary.allRanks().rows()).isEqualTo(4);
        assertThat(summary.allRanks().bools(4).get(0)).isTrue();
        assertThat(summary.allRanks().bools(4).get(2)).isFalse();
        assertThat(cell(summary.times(), "10", 1)).isEqualTo(9);
    }

    @Test
    void withoutWholeRanksThereIsNoMean() {
        rank(3, 10, 0);
        Table summary = TimelineSummary.of(timelines, Set.of(), false).summary();
        assertThat(cell(summary, "time ms", 0)).isNaN();
        assertThat(cell(summary, "max rank", 0)).isNaN();
    }
}
