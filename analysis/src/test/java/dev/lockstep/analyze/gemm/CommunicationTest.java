// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommunicationTest {
    @Test
    void concurrentCollectivesAreNotCountedTwice() {
        Communication communication =
                Communication.of(new long[] {0, 10, 50}, new long[] {20, 30, 60}, List.of("a", "b", "c"));

        Concurrent meanwhile = communication.during(5, 55);

        assertThat(meanwhile.names()).containsExactly("a", "b", "c");
        assertThat(meanwhile.coveredNs()).isEqualTo(25 + 5);
        assertThat(meanwhile.largest()).isEqualTo("b");
        assertThat(meanwhile.largestNs()).isEqualTo(20);
    }

    @Test
    void touchingIsNotRunningMeanwhile() {
        Communication communication = Communication.of(new long[] {10}, new long[] {20}, List.of("a"));

        assertThat(communication.during(0, 10)).isEqualTo(Concurrent.NONE);
        assertThat(communication.during(20, 30)).isEqualTo(Concurrent.NONE);
        assertThat(communication.isRunning(10)).isTrue();
        assertThat(communication.isRunning(20)).isFalse();
        assertThat(communication.during(19, 21).coveredNs()).isEqualTo(1);
    }

    @Test
    void ofEquallyLongOnesTheFirstIsNamed() {
        Communication communication =
                Communication.of(new long[] {0, 0}, new long[] {9, 9}, List.of("first", "second"));

        assertThat(communication.during(0, 9).largest()).isEqualTo("first");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void answersEqualThoseOfCountingMomentByMoment(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] starts = random.longs(40, 0, 900).sorted().toArray();
        long[] ends =
                Arrays.stream(starts).map(s -> s + 1 + random.nextLong(60)).toArray();
        Communication communication =
                Communication.of(starts, ends, new ArrayList<>(Collections.nCopies(starts.length, "x")));
        for (int i = 0; i < 200; i++) {
            long from = random.nextLong(1_000);
            long to = from + 1 + random.nextLong(80);
            int count = 0;
            boolean[] covered = new boolean[2_000];
            for (int k = 0; k < starts.length; k++) {
                count += starts[k] < to && ends[k] > from ? 1 : 0;
                Arrays.fill(covered, (int) starts[k], (int) ends[k], true);
            }
            int moments = 0;
            for (int at = (int) from; at < to; at++) {
                moments += covered[at] ? 1 : 0;
            }

            assertThat(communication.covered(from, to)).isEqualTo(moments);
            assertThat(communication.during(from, to).names()).hasSize(count);
            assertThat(communication.isRunning(from)).isEqualTo(covered[(int) from]);
        }
    }
}
