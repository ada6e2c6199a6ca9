// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Trace;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NearestAroundTest {
    @Test
    void itFindsWhatAWalkOutwardsFindsAndLooksAtNoSliceTwice() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            EventText events = new EventText();
            for (int i = 0; i < 200; i++) {
                events.op("a" + i, random.nextInt(500) * 1_000L, (1 + random.nextInt(1 << random.nextInt(9))) * 1_000L);
            }
            Trace trace = TestTraces.of(events);
            HostNesting nesting = new DerivedCache(trace).get(new HostNesting.Key());
            boolean[] wanted = new boolean[trace.slices().size()];
            for (int i = 0; i < wanted.length; i++) {
                wanted[i] = random.nextInt(10) == 0;
            }
            int[] asked = new int[wanted.length];
            NearestAround nearest = new NearestAround(nesting, wanted.length, slice -> {
                asked[slice]++;
                return wanted[slice];
            });
            for (int round = 0; round < 500; round++) {
                int slice = random.nextInt(wanted.length);
                int walked = slice;
                while (walked >= 0 && !wanted[walked]) {
                    walked = nesting.around(walked);
                }
                assertThat(nearest.of(slice)).isEqualTo(walked);
                assertThat(nearest.beyond(slice)).isEqualTo(nearest.of(nesting.around(slice)));
            }
            assertThat(IntStream.of(asked)).allMatch(times -> times <= 1);
            assertThat(nearest.of(-1)).isEqualTo(-1);
        }
    }
}
