// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.PartialOverlap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OverlapTest {
    /** Looks at each row of a chain, one after the other. */
    private static final class Searched {
        private final Map<Long, List<Double>> rows = new HashMap<>();
        private final SpareRows spare;
        private long passed;

        Searched(SpareRows spare) {
            this.spare = spare;
        }

        long row(long pid, long tid, double ts, double dur) {
            long at = tid;
            while (true) {
                List<Double> ends = rows.computeIfAbsent(1000 * pid + at, key -> new ArrayList<>());
                double end = ts + dur;
                boolean fits = ends.stream().noneMatch(e -> ts < e && e < end);
                if (fits) {
                    ends.add(end);
                }
                ends.removeIf(e -> !(e >= ts));
                if (fits) {
                    return at;
                }
                passed++;
                at = spare.behind(pid, at);
            }
        }
    }

    @Test
    void eventsMoveToTheFirstRowWithRoom() {
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            int spare = random.nextInt(5) - 1;
            boolean sorted = seed % 3 > 0;
            List<AiuEvent> events = events(random, sorted);
            StageEvents stages = new StageEvents();
            SpareRows rows = new SpareRows(spare, stages.log());
            events.forEach(event -> rows.see(event.pid, event.tid));
            rows.prepare();
            Searched searched = new Searched(rows);
            List<Long> wanted = events.stream()
                    .map(event -> searched.row(event.pid, event.tid, event.ts, event.dur))
                    .toList();

            Overlap overlap = new Overlap(PartialOverlap.TID, spare, stages.log());
            List<AiuEvent> moved = stages.events(
                    List.of(overlap.collect(), new Barrier(), overlap.resolve()), events.toArray(AiuEvent[]::new));

            assertThat(moved.stream().map(event -> event.tid).toList())
                    .as("seed %s", seed)
                    .isEqualTo(wanted);
            assertThat(stages.said().getLast()).endsWith("Partial-overlap slices resolved: " + searched.passed);
        }
    }

    /** Each begins before all others have ended: as many rows as events, and as many looks as pairs. */
    @Test
    void manyThatOverlapEachOtherTakeNoTime() {
        int n = 100_000;
        AiuEvent[] events = new AiuEvent[n];
        for (int i = 0; i < n; i++) {
            events[i] = StageEvents.x("k", 1, i, n + 0.5);
        }
        StageEvents stages = new StageEvents();
        Overlap overlap = new Overlap(PartialOverlap.TID, -1, stages.log());

        List<AiuEvent> moved = stages.events(List.of(overlap.resolve()), events);

        assertThat(moved.getLast().tid).isEqualTo(7 + n - 1);
        assertThat(stages.said().getLast()).endsWith("resolved: " + (long) n * (n - 1) / 2);
    }

    @Test
    void manyThatLieInEachOtherTakeNoTime() {
        int n = 200_000;
        for (PartialOverlap way : PartialOverlap.values()) {
            AiuEvent[] events = new AiuEvent[n];
            for (int i = 0; i < n; i++) {
                events[i] = StageEvents.x("k", 1, i, 2.0 * (n - i));
            }
            StageEvents stages = new StageEvents();
            Overlap overlap = new Overlap(way, -1, stages.log());

            assertThat(stages.events(List.of(overlap.resolve()), events)).hasSize(n);
            assertThat(stages.said().getLast()).endsWith("resolved: 0");
        }
    }

    private static List<AiuEvent> events(Random random, boolean sorted) {
        List<AiuEvent> events = new ArrayList<>();
        int threads = 1 + random.nextInt(3);
        for (int thread = 0; thread < threads; thread++) {
            List<AiuEvent> ofThread = new ArrayList<>();
            for (int i = 0; i < random.nextInt(80); i++) {
                AiuEvent event =
                        StageEvents.x("k", 1 + thread % 2, random.nextInt(40), random.nextInt(1 + random.nextInt(40)));
                event.tid = 7 + thread;
                ofThread.add(event);
            }
            if (sorted) {
                ofThread.sort(SortEvents.BY_TIME);
            }
            events.addAll(ofThread);
        }
        return events;
    }
}
