// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineLanesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatOverlapsLiesInTheFirstRowThatIsFree(long seed) {
        Random random = new Random(seed);
        TimelineLanes lanes = new TimelineLanes("stream", "device", false);
        List<Long> ends = new ArrayList<>();
        long start = 0;
        for (int i = 0; i < 500; i++) {
            start += random.nextInt(4);
            long end = start + random.nextInt(20);
            int first = 0;
            while (first < ends.size() && ends.get(first) > start) {
                first++;
            }
            if (first == ends.size()) {
                ends.add(end);
            } else {
                ends.set(first, end);
            }
            TimelineLane lane = lanes.at(start);
            lane.add(start, end, 0, 0);
            assertThat(lanes.lanes().indexOf(lane)).isEqualTo(first);
        }
    }

    @Test
    void rowsThatAreTakenAreNotLookedAtForEverySlice() {
        TimelineLanes lanes = new TimelineLanes("stream", "device", false);
        int n = 300_000;
        for (int i = 0; i < n; i++) {
            lanes.at(i).add(i, 2L * n, 0, 0);
        }
        assertThat(lanes.size()).isEqualTo(n);
    }
}
