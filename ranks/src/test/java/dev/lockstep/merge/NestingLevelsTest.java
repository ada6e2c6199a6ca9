// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NestingLevelsTest {
    private static int[] levels(Trace trace) {
        NestingLevels rows =
                new NestingLevels(trace.slices(), ts -> ts, trace.tracks().size());
        int[] levels = new int[trace.slices().size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = rows.levelOf(i);
        }
        return levels;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slicesOfALevelNestOrLieApart(long seed) {
        Random random = new Random(seed);
        EventText events = new EventText();
        for (int i = 0; i < 300; i++) {
            events.op("op" + i, random.nextInt(2000), random.nextInt(5) == 0 ? 0 : random.nextInt(80));
        }
        Trace trace = TestTraces.of(events);
        int[] levels = levels(trace);
        Slices s = trace.slices();
        int moved = 0;
        for (int i = 0; i < s.size(); i++) {
            moved += levels[i] > 0 ? 1 : 0;
            for (int j = i + 1; j < s.size(); j++) {
                boolean apart = s.end(i) <= s.ts(j);
                boolean inside = s.end(j) <= s.end(i);
                assertThat(levels[i] != levels[j] || apart || inside).isTrue();
            }
        }
        assertThat(moved).isPositive();
        assertThat(levels).isEqualTo(lowest(s));
    }

    /** The lowest levels on which slices lie within the innermost that is open, told by a look at all. */
    private static int[] lowest(Slices slices) {
        List<Deque<Long>> open = new ArrayList<>();
        int[] levels = new int[slices.size()];
        for (int i = 0; i < levels.length; i++) {
            long start = slices.ts(i);
            long end = slices.end(i);
            open.forEach(ends -> ends.removeIf(one -> one <= start));
            int level = 0;
            while (level < open.size()
                    && !open.get(level).isEmpty()
                    && open.get(level).peek() < end) {
                level++;
            }
            if (level == open.size()) {
                open.add(new ArrayDeque<>());
            }
            open.get(level).push(end);
            levels[i] = level;
        }
        return levels;
    }

    @Test
    void asManyLevelsAsSlicesCostNoTimeForEachOther() {
        EventText events = new EventText();
        int n = 60_000;
        for (int i = 0; i < n; i++) {
            events.op("op", i, n);
        }
        assertThat(levels(TestTraces.of(events)))
                .isEqualTo(IntStream.range(0, n).toArray());
    }

    @Test
    void whatNestsStaysOnTheFirstLevel() {
        EventText events = new EventText()
                .op("a", 0, 100)
                .op("b", 0, 50)
                .op("c", 50, 50)
                .op("d", 100, 5)
                .op("e", 100, 0);
        assertThat(levels(TestTraces.of(events))).containsOnly(0);
    }
}
