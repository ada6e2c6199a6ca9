// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.time.LaunchDelays.OperatorRow;
import dev.lockstep.analyze.time.LaunchDelays.QueueRow;
import dev.lockstep.analyze.time.LaunchDelays.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LaunchDelaysTest {
    private static LaunchDelays.Result run(EventText events) {
        return run(events, 2);
    }

    private static LaunchDelays.Result run(EventText events, int limit) {
        return new LaunchDelays(AnalysisRules.standard(), null, limit).run(new DerivedCache(TestTraces.of(events)));
    }

    /** Two launches into an idle stream, one into a queue, a graph of two nodes. */
    private static EventText twoSteps() {
        return new EventText()
                .annotation("ProfilerStep#4", 0, 1_000_000)
                .op("aten::slow", 100_000, 100_000)
                .call("cudaLaunchKernel", 110_000, 60_000, 1) // a slow call, longer than its kernel
                .kernel("a", 180_000, 20_000, 1, 7)
                .op("aten::quick", 205_000, 20_000)
                .call("cudaLaunchKernel", 210_000, 4_000, 2) // the stream ran dry at 200
                .kernel("b", 220_000, 300_000, 2, 7)
                .call("cudaLaunchKernel", 216_000, 4_000, 3) // b has not begun
                .kernel("c", 520_000, 100_000, 3, 7)
                .annotation("ProfilerStep#5", 1_000_000, 1_000_000)
                .call("cudaGraphLaunch", 1_100_000, 10_000, 4)
                .kernel("d", 1_400_000, 20_000, 4, 7)
                .kernel("e", 1_500_000, 20_000, 4, 7);
    }

    @Test
    void stepsAddUpToAll() {
        LaunchDelays.Result result = run(twoSteps());

        assertThat(result.rows()).extracting(Row::step).containsExactly(null, 4L, 5L);
        assertThat(result.rows()).extracting(Row::entries).containsExactly(4, 3, 1);
        assertThat(result.rows()).extracting(LaunchDelays.Row::calls).containsExactly(78_000L, 68_000L, 10_000L);
        assertThat(result.rows()).extracting(Row::slow).containsExactly(1, 1, 0);
        assertThat(result.rows()).extracting(Row::shorter).containsExactly(1, 1, 0);
        assertThat(result.rows()).extracting(Row::longest).containsExactly(2, 2, 1);
        // 70, 10 and 300 µs; the median of the recording is 70
        assertThat(result.rows()).extracting(row -> row.latencies().count()).containsExactly(3, 2, 1);
        assertThat(result.rows().getFirst().latencies().median()).isEqualTo(70_000);
        assertThat(result.rows().getFirst().latencies().max()).isEqualTo(300_000);
        assertThat(result.rows()).extracting(Row::outliers).containsExactly(0, 0, 0);
    }

    /** By hand: a waits 70 µs, b 10 and c 304, of which 4 with b; d 300. */
    @Test
    void queuesOfStreamsAddUp() {
        QueueRow queue = run(twoSteps()).queues().getFirst();

        assertThat(queue.stream().stream()).isEqualTo("7");
        assertThat(queue.entries()).isEqualTo(4);
        assertThat(queue.longest()).isEqualTo(2);
        assertThat(queue.waited()).isEqualTo(70_000 + 10_000 + 304_000 + 300_000);
        assertThat(queue.full()).isEqualTo(4_000);
        assertThat(queue.span()).isEqualTo(1_400_000 - 110_000);
        assertThat(run(twoSteps(), 1).queues().getFirst().full()).isEqualTo(70_000 + 310_000 + 300_000);
    }

    @Test
    void queuesAgreeWithALevelThatIsCountedMomentByMoment() {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            EventText events = new EventText();
            int[] level = new int[3_000];
            long start = 0;
            int n = 1 + random.nextInt(12);
            int last = 0;
            int from = 1_000 * n;
            for (int i = 1; i <= n; i++) {
                int call = random.nextInt(1_000);
                start = Math.max(start + 1, call + random.nextInt(800));
                events.call("cudaLaunchKernel", call * 1_000L, 1, i).kernel("k", start * 1_000L, 500, i, 7);
                for (int t = call; t < start; t++) {
                    level[t]++;
                }
                from = Math.min(from, call);
                last = (int) start;
            }
            int limit = 1 + random.nextInt(3);

            QueueRow queue = run(events, limit).queues().getFirst();

            assertThat(queue.waited()).isEqualTo(1_000L * Arrays.stream(level).sum());
            assertThat(queue.full())
                    .isEqualTo(1_000L
                            * Arrays.stream(level).filter(l -> l >= limit).count());
            assertThat(queue.span()).isEqualTo(1_000L * (last - from));
        }
    }

    @Test
    void operatorsThatTakeLongerToLaunchThanToRunAreLaunchBound() {
        LaunchDelays.Result result = run(twoSteps());

        assertThat(result.operators())
                .containsExactly(
                        new OperatorRow("aten::quick", 1, 2, 20_000, 400_000, 1, 15_000),
                        new OperatorRow("aten::slow", 1, 1, 100_000, 20_000, 1, 0));
        assertThat(result.operators()).extracting(OperatorRow::isLaunchBound).containsExactly(false, true);
    }

    @Test
    void latenciesFarAboveTheUsualAreOutliers() {
        EventText events = new EventText();
        for (int i = 1; i <= 20; i++) {
            events.call("hipLaunchKernel", i * 1_000_000L, 2_000, i)
                    .kernel("k", i * 1_000_000L + (i == 13 ? 101_000 : i == 14 ? 99_000 : 5_000), 1_000, i, 0);
        }
        LaunchDelays.Result result = run(events);

        assertThat(result.rows()).hasSize(1);
        assertThat(result.rows().getFirst().outliers()).isEqualTo(1);
        assertThat(result.operators()).isEmpty();
    }

    @Test
    void withoutLaunchesThereIsAReason() {
        LaunchDelays.Result result = run(new EventText().kernel("k", 0, 1_000, -1, 7));

        assertThat(result.tables()).isEmpty();
        assertThat(result.notApplicable()).contains("no launch");
    }
}
