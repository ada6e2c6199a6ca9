// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ActivityGraphTest {
    /** Random activities, each computed by hand from those before it. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyActivityStartsWhenThoseBeforeItHaveEnded(long seed) {
        Random random = new Random(seed);
        ActivityGraph.Builder builder = new ActivityGraph.Builder();
        List<List<Integer>> groups = new ArrayList<>();
        List<List<Integer>> before = new ArrayList<>();
        for (int size = 0; size < 200; size = before.size()) {
            int count = 1 + random.nextInt(4);
            boolean together = random.nextBoolean();
            List<Integer> members = new ArrayList<>();
            int first = together ? builder.together(count) : builder.activity();
            for (int m = 0; m < (together ? count : 1); m++) {
                members.add(first + m);
                List<Integer> mine = new ArrayList<>();
                for (int e = random.nextInt(4); e > 0 && size > 0; e--) {
                    mine.add(random.nextInt(size));
                    builder.after(mine.getLast(), first + m);
                }
                before.add(mine);
            }
            groups.add(members);
        }
        ActivityGraph graph = builder.build();
        assertThat(graph.isCircular()).isFalse();
        assertThat(graph.size()).isEqualTo(before.size());
        for (int replay = 0; replay < 3; replay++) {
            long[] start = new long[graph.size()];
            long[] end = new long[graph.size()];
            for (List<Integer> members : groups) {
                long[] work = new long[members.size()];
                long last = Long.MIN_VALUE;
                for (int m = 0; m < work.length; m++) {
                    int one = members.get(m);
                    work[m] = random.nextInt(1000) - 20;
                    long delay = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
                    graph.work(one, work[m]);
                    graph.delay(one, delay);
                    start[one] = delay
                            + before.get(one).stream().mapToLong(b -> end[b]).reduce(0, Math::max);
                    last = Math.max(last, start[one]);
                }
                for (int m = 0; m < work.length; m++) {
                    end[members.get(m)] = last + work[m];
                }
            }
            graph.replay();
            for (int one = 0; one < graph.size(); one++) {
                assertThat(graph.start(one)).isEqualTo(start[one]);
                assertThat(graph.end(one)).isEqualTo(end[one]);
            }
        }
    }

    @Test
    void circlesAreTold() {
        ActivityGraph.Builder builder = new ActivityGraph.Builder();
        int first = builder.activity();
        int second = builder.activity();
        builder.after(first, second);
        builder.after(second, first);

        assertThat(builder.build().isCircular()).isTrue();
    }
}
