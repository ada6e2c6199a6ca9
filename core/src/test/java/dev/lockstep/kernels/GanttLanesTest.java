// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GanttLanesTest {
    @Test
    void kernelsOfAStreamThatRunTogetherGetLanesOfTheirOwn() {
        EventText events = new EventText()
                .kernel("a", 0, 100_000, 1, 7)
                .kernel("b", 50_000, 20_000, 2, 7)
                .kernel("c", 100_000, 20_000, 3, 7)
                .kernel("ncclDevKernel_AllReduce", 0, 300, 4, 8);
        GanttLanes lanes = GanttLanes.of(TestTraces.of(events), Set.of());
        assertThat(lanes.lanes())
                .extracting(GanttLane::stream, GanttLane::level, GanttLane::size)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("7", 0, 2),
                        org.assertj.core.groups.Tuple.tuple("7", 1, 1),
                        org.assertj.core.groups.Tuple.tuple("8", 0, 1));
        assertThat(lanes.lanes().getLast().kind()[0]).isEqualTo((byte) KernelClass.COMMUNICATION.ordinal());
    }

    @Test
    void noLaneHoldsMoreBarsThanColumnsAndNothingIsLost() {
        Random random = new Random(3);
        int n = 50_000;
        long[] start = new long[n];
        long[] end = new long[n];
        long at = 0;
        for (int i = 0; i < n; i++) {
            start[i] = at;
            end[i] = at + 1 + random.nextInt(i % 1000 == 0 ? 500_000 : 2_000);
            at = end[i] + random.nextInt(500);
        }
        GanttLane lane = new GanttLane("0", "7", 0, start, end, new byte[n], new int[n]);
        GanttBars bars = lane.bars(0, at, 1000);
        assertThat(bars.size()).isLessThan(2_000);
        int merged = 0;
        for (int i = 0; i < bars.size(); i++) {
            merged += bars.merged(i);
            assertThat(bars.share(i)).isBetween(0.0, 1.0);
        }
        assertThat(merged).isEqualTo(n);
    }

    @Test
    void ranksWithoutACommonTimeBeginTogether() {
        GanttLanes early = GanttLanes.of(TestTraces.of(new EventText().kernel("a", 0, 10, 1, 7)), Set.of());
        GanttLanes late = GanttLanes.of(TestTraces.of(new EventText().kernel("a", 5_000, 10, 1, 7)), Set.of());
        GanttChart chart =
                GanttChart.of(List.of(new GanttChart.Rank(0, "a", early, 0), new GanttChart.Rank(1, "b", late, 0)));
        assertThat(chart.shared()).isFalse();
        assertThat(chart.to()).isEqualTo(10);
        assertThat(chart.kernels()).isEqualTo(2);
    }
}
